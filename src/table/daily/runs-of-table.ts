import { DataType, makeData, RecordBatch, Schema, Struct, Table, type Vector } from 'apache-arrow';
import { quickSchema } from '../arrow/table-schema.js';
import { isTextType } from '../columns/column-values.js';

/** Columns that say when the run of a row starts. */
const RUN_COLUMN =
  /^(init|run|cycle|init_?(time|date)|initiali[sz]ation_time|run_?(time|date)|issue_?(time|date)|issued|forecast_reference_time|reference_(time|date|datetime)|time_origin)$/i;
const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}(:\d{2}){0,2}(\.\d+)?(Z|[+-]00:?00)?)?$/;

/**
 * The runs of a table with several of them, whose starts are a column (`init_time`, `run`, `forecast_reference_time`): a table
 * for each, in the order of their first rows, whose metadata state `init_time` and which has no such column. A table
 * without such a column, whose metadata state a run, or whose column holds something else than dates is one run, as it is.
 */
export function runsOfTable(table: Table): Table[] {
  const { fields, metadata } = table.schema;
  const at = fields.findIndex(({ name, type }) => RUN_COLUMN.test(name) && mayBeTime(type));
  if (at < 0 || metadata.has('init_time')) return [table];
  const runs = new Map<string, RecordBatch[]>();
  const kept = fields.filter((_, i) => i !== at);
  for (const batch of table.batches) {
    const starts = batch.getChildAt(at) as Vector;
    for (let from = 0; from < batch.numRows; ) {
      const start = startOf(starts.get(from));
      if (start === undefined) return [table];
      let to = from + 1;
      while (to < batch.numRows && startOf(starts.get(to)) === start) to++;
      const list = runs.get(start) ?? [];
      runs.set(start, list);
      list.push(batch.slice(from, to));
      from = to;
    }
  }
  return [...runs].map(([start, batches]) => {
    const schema = quickSchema(new Schema(kept, new Map([...metadata, ['init_time', start]])));
    return new Table(
      schema,
      batches.map((batch) => withoutColumn(batch, at, schema)),
    );
  });
}

function mayBeTime(type: DataType): boolean {
  return isTextType(type) || DataType.isDate(type) || DataType.isTimestamp(type);
}

/** A start as metadata state it; undefined for what is no time. */
function startOf(value: unknown): string | undefined {
  if (typeof value === 'string') return ISO_TIME.test(value) ? value.replace(' ', 'T') : undefined;
  // Arrow gives dates and timestamps in milliseconds.
  if (typeof value !== 'number' && !(value instanceof Date)) return undefined;
  return new Date(value).toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z');
}

function withoutColumn({ data, numRows: length }: RecordBatch, at: number, schema: Schema): RecordBatch {
  const children = data.children.filter((_, i) => i !== at);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

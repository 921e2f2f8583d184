import { DataType, makeData, RecordBatch, Schema, Struct, Table, type Vector } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { quickSchema } from '../arrow/table-schema.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { columnRoles, plain, RUN_STARTS } from '../columns/column-roles.js';
import { isTextType } from '../columns/column-values.js';

const ISO_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}(:\d{2}){0,2}(\.\d+)?(Z|[+-]00:?00)?)?$/;

/**
 * The runs of a table with several of them, whose starts are a column (`init_time`, `run`, `forecast_reference_time`): a table
 * for each, in the order of their first rows, whose metadata state `init_time` and which has no such column. A table
 * without such a column, whose metadata state a run, or whose column holds something else than dates is one run, as it is.
 */
export function runsOfTable(table: Table): Table[] {
  const { fields, metadata } = table.schema;
  const at = startColumn(table);
  if (at === undefined) return [table];
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

/** Whether a table is of one run and states its start: in its metadata, or in a column that has one start. */
export function statesRun(table: Table): boolean {
  if (table.schema.metadata.has('init_time')) return true;
  const at = startColumn(table);
  const starts = new Set<string>();
  return at !== undefined && addTimes(table.getChildAt(at) as Vector, starts) && starts.size === 1;
}

/**
 * Makes sure that tables with the starts of runs, given one after the other, hold one run, or a series of which each run
 * has a day, as analyses are: else the days of several runs would be taken for one series.
 */
export class SingleRun {
  readonly #source: string | undefined;
  readonly #columns: ColumnRoles | undefined;
  readonly #starts = new Set<string>();
  readonly #days = new Set<string>();

  constructor(source?: string, columns?: ColumnRoles) {
    this.#source = source;
    this.#columns = columns;
  }

  /** Throws DataError as soon as there are more days than starts. */
  check(table: Table): void {
    const at = startColumn(table);
    if (at === undefined) return;
    const { fields } = table.schema;
    const start = fields[at];
    const roles = columnRoles(table, this.#columns, this.#source);
    const date = fields.find(({ name, type }) => name === roles.date && mayBeTime(type));
    if (date === undefined || Object.values(roles).includes(start.name)) return;
    const areTimes =
      addTimes(table.getChild(start.name) as Vector, this.#starts) &&
      addTimes(table.getChild(date.name) as Vector, this.#days, DATE_LENGTH);
    if (!areTimes || this.#starts.size < 2 || this.#starts.size >= this.#days.size) return;
    const starts = [...this.#starts].sort();
    throw new DataError({
      ...{ source: this.#source, column: start.name, problem: 'holds several runs, which are no series' },
      received:
        starts.length > 5 ? `${starts.slice(0, 5).join(', ')} and ${starts.length - 5} more` : starts.join(', '),
      allowed: 'the rows of one run; a climatology and a verification take several',
    });
  }
}

/** The column with the starts of runs; undefined where there is none, or the metadata state a run. */
export function startColumn({ schema: { fields, metadata } }: Table): number | undefined {
  const at = fields.findIndex(({ name, type }) => RUN_STARTS.test(plain(name)) && mayBeTime(type));
  return at < 0 || metadata.has('init_time') ? undefined : at;
}

/** The length of `YYYY-MM-DD`. */
const DATE_LENGTH = 10;

/** Adds the beginning of each different time of a column; returns whether all values are times. */
function addTimes(column: Vector, into: Set<string>, length = Number.POSITIVE_INFINITY): boolean {
  let last: unknown;
  for (let row = 0; row < column.length; row++) {
    const value: unknown = column.get(row);
    if (value === last) continue;
    last = value;
    const time = startOf(value);
    if (time === undefined) return false;
    into.add(time.slice(0, length));
  }
  return true;
}

function mayBeTime(type: DataType): boolean {
  return isTextType(type) || DataType.isDate(type) || DataType.isTimestamp(type);
}

/** A start as metadata state it; undefined for what is no time. */
export function startOf(value: unknown): string | undefined {
  if (typeof value === 'string') return ISO_TIME.test(value) ? value.replace(' ', 'T') : undefined;
  // Arrow gives dates and timestamps in milliseconds.
  if (typeof value !== 'number' && !(value instanceof Date)) return undefined;
  return new Date(value).toISOString().replace('T00:00:00.000Z', '').replace('.000Z', 'Z');
}

function withoutColumn({ data, numRows: length }: RecordBatch, at: number, schema: Schema): RecordBatch {
  const children = data.children.filter((_, i) => i !== at);
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

import { type Data, DataType, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { OptionError } from '../errors.js';
import { packedDate } from '../period/calendar.js';
import { codedColumn } from '../table/arrow/stored-values.js';
import { findColumn, quickSchema } from '../table/arrow/table-schema.js';
import { storedValues, valueArray } from '../table/arrow/value-array.js';
import { dayColumn, statedCalendar } from '../table/columns/day-column.js';
import { unwritableColumn } from './unwritable-column.js';

/** What the names of files can have for the rows in them: `{variable}`, `{granularity}`, `{year}`. */
export const PARTITION_KEYS = ['variable', 'granularity', 'year'] as const;

type PartitionKey = (typeof PARTITION_KEYS)[number];

/** What readers call the folder of rows whose key is missing. */
const MISSING = '__HIVE_DEFAULT_PARTITION__';

/** The columns that say when a row is, by their names. */
const TIMES = ['start', 'date', 'time'];

/** The name of the columns that a template has as `key={key}`, which readers add: files do not have them once more. */
export function keyColumns(template: string): string[] {
  return PARTITION_KEYS.filter((key) => template.includes(`${key}={${key}}`));
}

/** A table without some of its columns. */
export function withoutColumns(table: Table, names: readonly string[]): Table {
  const { fields } = table.schema;
  if (!fields.some(({ name }) => names.includes(name))) return table;
  return table.select(fields.map(({ name }) => name).filter((name) => !names.includes(name)));
}

/** The rows of one file, and the name of the file. */
export interface Partition {
  readonly name: string;
  readonly table: Table;
}

/**
 * The rows of a table by the names that a template gives their file, each in the order of the table. A year is that of
 * the first day of a row's period. Throws OptionError where the table does not state a key, and DataError for wrong
 * dates.
 */
export function* partitionRows(given: Table, template: string): Generator<Partition> {
  const names = new RowNames(given, template);
  const table = withoutColumns(given, keyColumns(template));
  const schema = quickSchema(new Schema(table.schema.fields, table.schema.metadata));
  const batches = new Map<string, RecordBatch[]>();
  let from = 0;
  for (const batch of table.batches) {
    for (const [name, rows] of names.rowsOf(from, batch.numRows)) {
      const taken = rows.length === batch.numRows ? batch : takeRows(batch, schema, rows);
      const own = batches.get(name);
      if (own === undefined) batches.set(name, [taken]);
      else own.push(taken);
    }
    from += batch.numRows;
  }
  for (const [name, own] of batches) yield { name, table: new Table(schema, own) };
}

/** The names of the files of rows. */
class RowNames {
  readonly #names: readonly string[];
  /** For each row, which of the names it has. */
  readonly #codes: Int32Array;

  constructor(table: Table, template: string) {
    const used = PARTITION_KEYS.filter((key) => template.includes(`{${key}}`));
    const columns = used.map((key) => keysOfRows(table, key));
    const names = new Map<string, number>();
    this.#codes = new Int32Array(table.numRows);
    const last = columns.map(() => Number.NaN);
    let code = 0;
    for (let row = 0; row < table.numRows; row++) {
      let isOther = false;
      for (let i = 0; i < columns.length; i++) {
        const own = columns[i].codeOf(row);
        if (own === last[i]) continue;
        last[i] = own;
        isOther = true;
      }
      if (isOther) {
        const texts = new Map(used.map((key, i) => [key, columns[i].textOf(last[i])]));
        const name = template.replace(/\{(\w+)\}/g, (_, key: PartitionKey) => texts.get(key) as string);
        code = names.get(name) ?? names.size;
        names.set(name, code);
      }
      this.#codes[row] = code;
    }
    this.#names = [...names.keys()];
  }

  /** The indices within some rows that have each name. */
  rowsOf(from: number, count: number): Map<string, number[]> {
    const rows = new Map<string, number[]>();
    for (let i = 0; i < count; i++) {
      const name = this.#names[this.#codes[from + i]];
      const own = rows.get(name);
      if (own === undefined) rows.set(name, [i]);
      else own.push(i);
    }
    return rows;
  }
}

interface RowKeys {
  codeOf(row: number): number;
  textOf(code: number): string;
}

function keysOfRows(table: Table, key: PartitionKey): RowKeys {
  return key === 'year' ? yearsOfRows(table) : textsOfRows(table, key);
}

/** The texts of a column, or the one that the metadata state. */
function textsOfRows(table: Table, key: PartitionKey): RowKeys {
  const column = findColumn(table, key);
  if (column !== undefined) {
    const { codes, values } = codedColumn(column);
    return { codeOf: (row) => codes[row], textOf: (code) => (code < 0 ? MISSING : inPath(String(values[code]))) };
  }
  const stated = table.schema.metadata.get(key);
  if (stated === undefined) throw unstated(table, key, `a column ${key}, or metadata with it`);
  return { codeOf: () => 0, textOf: () => inPath(stated) };
}

function yearsOfRows(table: Table): RowKeys {
  const name = TIMES.find((each) => findColumn(table, each) !== undefined);
  if (name === undefined) throw unstated(table, 'year', `a column of days: ${TIMES.join(', ')}`);
  const calendar = statedCalendar(table.schema.metadata);
  const days = dayColumn(findColumn(table, name) as never, name, undefined, calendar);
  const years = new Map<number, number>();
  const codeOf = (row: number) => {
    const day = days[row];
    const known = years.get(day);
    if (known !== undefined) return known;
    const year = packedDate(calendar, day) >> 9;
    years.set(day, year);
    return year;
  };
  return { codeOf, textOf: (year) => String(year).padStart(4, '0') };
}

/** A value as a step of a path, in percent-encoded UTF-8. */
function inPath(text: string): string {
  return text === '' || /^\.+$/.test(text)
    ? encodeURIComponent(text).replaceAll('.', '%2E') || MISSING
    : encodeURIComponent(text);
}

function unstated({ schema }: Table, key: PartitionKey, allowed: string): OptionError {
  const received = schema.fields.map(({ name }) => name);
  return new OptionError({
    subject: 'output',
    problem: `the table does not state the {${key}} of its rows`,
    received,
    allowed,
  });
}

/** Some rows of a batch, in a copy. Throws OptionError for columns of other types than tables of results have. */
function takeRows({ data }: RecordBatch, schema: Schema, rows: readonly number[]): RecordBatch {
  const children = schema.fields.map(({ name }, index) => takeValues(name, data.children[index], rows));
  const type = new Struct(schema.fields);
  return new RecordBatch(schema, makeData({ type, length: rows.length, nullCount: 0, children }));
}

function takeValues(name: string, data: Data, rows: readonly number[]): Data {
  const { type } = data;
  const common = { length: rows.length, ...nullsOf(data, rows) };
  if (DataType.isDictionary(type)) {
    const indices = takeNumbers(data.values, rows);
    return makeData({ type, ...common, data: indices as never, dictionary: data.dictionary as never });
  }
  if (DataType.isBool(type)) {
    const bit = (row: number) => (data.values[(data.offset + row) >> 3] >> ((data.offset + row) & 7)) & 1;
    return makeData({ type, ...common, data: packedBits(rows.length, (i) => bit(rows[i]) === 1) });
  }
  if (DataType.isUtf8(type)) return makeData({ type, ...common, ...takeTexts(data, rows) });
  if (valueArray(type) === undefined) throw unwritableColumn(name, type);
  return makeData({ type, ...common, data: takeNumbers(storedValues(data), rows) } as never) as Data;
}

function takeNumbers(values: Data['values'], rows: readonly number[]): Data['values'] {
  const taken = new values.constructor(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = values[rows[i]];
  return taken;
}

function takeTexts({ valueOffsets: offsets, values }: Data, rows: readonly number[]) {
  const valueOffsets = new Int32Array(rows.length + 1);
  for (const [i, row] of rows.entries()) valueOffsets[i + 1] = valueOffsets[i] + offsets[row + 1] - offsets[row];
  const data = new Uint8Array(valueOffsets[rows.length]);
  for (const [i, row] of rows.entries()) data.set(values.subarray(offsets[row], offsets[row + 1]), valueOffsets[i]);
  return { valueOffsets, data };
}

function nullsOf(data: Data, rows: readonly number[]): { nullCount: number; nullBitmap?: Uint8Array } {
  if (data.nullCount === 0) return { nullCount: 0 };
  const nullBitmap = packedBits(rows.length, (i) => data.getValid(rows[i]));
  return { nullCount: rows.filter((row) => !data.getValid(row)).length, nullBitmap };
}

function packedBits(length: number, isSet: (index: number) => boolean): Uint8Array {
  const bits = new Uint8Array((length + 7) >> 3);
  for (let i = 0; i < length; i++) if (isSet(i)) bits[i >> 3] |= 1 << (i & 7);
  return bits;
}

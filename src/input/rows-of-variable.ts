import { Data, DataType, RecordBatch, Struct, Table, Vector, vectorFromArray } from 'apache-arrow';
import { type DataError, isPlumecastError } from '../errors.js';
import { assertTable } from '../table/arrow/own-table.js';
import { codedColumn } from '../table/arrow/stored-values.js';
import { columnOf } from '../table/arrow/table-schema.js';
import { columnRoles } from '../table/columns/column-roles.js';
import type { ReadOptions } from '../table/columns/read-options.js';
import { meaningTest, otherVariable } from '../table/columns/table-variable.js';
import { shiftRow } from '../table/rows/row-reader.js';
import type { Variable } from '../variable/variable.js';

/**
 * The runs of rows of the requested variable in a table with all members in each row and a column of variables, as a
 * service answers with several variables; undefined if all rows are read together: those of one variable, of a row for
 * each member, and where none is of the variable.
 */
function runsOfVariable(
  table: Table,
  { variable, variables = [], columns, source }: ReadOptions,
): readonly RowRun[] | undefined {
  if (variable === undefined) return undefined;
  assertTable(table, source);
  const roles = columnRoles(table, columns, source);
  if (roles.variable === undefined || roles.member !== undefined) return undefined;
  const { codes, values } = codedColumn(columnOf(table, roles.variable));
  const isMeant = values.map(String).map(meaningTest(variable, variables));
  if (isMeant.every(Boolean) || !isMeant.includes(true)) return undefined;
  const runs: RowRun[] = [];
  for (let row = 0; row < codes.length; ) {
    const from = row;
    while (row < codes.length && isMeant[codes[row]] === true) row++;
    if (row > from) runs.push({ from, to: row });
    else row++;
  }
  return runs;
}

/**
 * Reads the rows of the requested variable of a table; errors have the rows of the given table. Throws what `read`
 * throws.
 */
export function readRowsOfVariable<Read>(given: Table, options: ReadOptions, read: (table: Table) => Read): Read {
  const runs = runsOfVariable(given, options);
  if (runs === undefined) return read(given);
  try {
    return read(takeRuns(given, runs));
  } catch (error) {
    throw isPlumecastError(error, 'data') ? atRowOfRuns(error, runs) : error;
  }
}

/** An error whose row is counted over runs of rows, with the row of the table that they are of. */
function atRowOfRuns(error: DataError, runs: readonly RowRun[]): DataError {
  const { row = 0 } = error;
  let before = 0;
  for (const { from, to } of runs) {
    if (row <= before + to - from) return shiftRow(error, from - before);
    before += to - from;
  }
  return error;
}

/**
 * The tables of a stream that have rows of the requested variable: a long table may have one variable after the other.
 * `read` reads these; errors have rows counted over all tables. Throws a DataError if no table has the variable.
 */
export async function* readVariableTables<Read>(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  read: (tables: AsyncIterable<Table>) => AsyncIterable<Read>,
): AsyncGenerator<Read> {
  const left: LeftRows = { rows: 0, read: 0 };
  try {
    yield* read(tablesOfVariable(tables, options, left));
  } catch (error) {
    throw isPlumecastError(error, 'data') ? atRowOfFile(error, left) : error;
  }
}

/** The rows that are left out. */
interface LeftRows {
  /** Their number before the table that is being read. */
  rows: number;
  /** The number of rows that are read, before that table. */
  read: number;
  /** The runs of rows that are read of that table; undefined if all are. */
  runs?: readonly RowRun[] | undefined;
}

/** Reads like `readVariableTables`; counts the rows of the tables that it leaves out in `left`. */
export async function* tablesOfVariable(
  tables: AsyncIterable<Table>,
  options: ReadOptions,
  left: LeftRows = { rows: 0, read: 0 },
): AsyncGenerator<Table> {
  const { variable, source } = options;
  const others = new Set<string>();
  let isFound = false;
  try {
    for await (const table of tables) {
      const names = variable && otherNames(table, variable, options);
      if (names === undefined) {
        isFound = true;
        yield* rowsOf(table, options, left);
      } else {
        left.rows += table.numRows;
        for (const name of names) others.add(name);
      }
    }
  } catch (error) {
    // Its rows are numbered as in the file already.
    throw shifted(error, -left.rows);
  }
  if (variable !== undefined && !isFound && others.size > 0) {
    throw otherVariable(variable, [...others].join(', '), source);
  }
}

/** A table, or its rows of the variable where it has others with all members in each row. */
function* rowsOf(table: Table, options: ReadOptions, left: LeftRows): Generator<Table> {
  const runs = runsOfVariable(table, options);
  const own = runs === undefined ? table : takeRuns(table, runs);
  left.runs = runs;
  yield own;
  left.runs = undefined;
  left.read += own.numRows;
  left.rows += table.numRows - own.numRows;
}

/** An error whose row is counted over the rows that are read, with its row in the file. */
function atRowOfFile(error: DataError, { rows, read, runs }: LeftRows): DataError {
  if (runs === undefined || (error.row ?? 0) <= read) return shiftRow(error, rows);
  return shiftRow(atRowOfRuns(shiftRow(error, -read), runs), read + rows);
}

/**
 * The names in a table's column of variables where none means the variable; undefined if one does, or where there is no
 * such column, or none that can be read, which its reader reports. Most tables show it by their first or last row.
 */
function otherNames(
  table: Table,
  variable: Variable,
  { variables = [], columns, source }: ReadOptions,
): string[] | undefined {
  try {
    const { variable: name } = columnRoles(table, columns, source);
    if (name === undefined || table.numRows === 0) return undefined;
    const column = columnOf(table, name);
    const isMeant = meaningTest(variable, variables);
    if ([0, table.numRows - 1].some((row) => isMeant(String(column.get(row))))) return undefined;
    const names = codedColumn(column).values.map(String);
    return names.some(isMeant) ? undefined : names;
  } catch {
    return undefined;
  }
}

function shifted(error: unknown, rows: number): unknown {
  return isPlumecastError(error, 'data') ? shiftRow(error, rows) : error;
}

/** Rows that follow each other: the first one, and the one after the last. */
export interface RowRun {
  readonly from: number;
  readonly to: number;
}

/** The rows of some runs, in their order, as a table with the same columns: a copy, with as many batches as have rows. */
export function takeRuns(table: Table, runs: readonly RowRun[]): Table {
  const { schema } = table;
  const type = new Struct(schema.fields);
  const batches: RecordBatch[] = [];
  let [start, at] = [0, 0];
  for (const { data } of table.batches) {
    const end = start + data.length;
    const own: RowRun[] = [];
    for (; at < runs.length && runs[at].from < end; at++) {
      const { from, to } = runs[at];
      own.push({ from: Math.max(start, from) - start, to: Math.min(end, to) - start });
      // The rest of the run is in the next batch.
      if (to > end) break;
    }
    start = end;
    if (own.length === 0) continue;
    const children = data.children.map((column) => takeRows(column, own));
    batches.push(new RecordBatch(schema, new Data(type, 0, countOf(own), 0, {}, children)));
  }
  return new Table(schema, batches);
}

function countOf(runs: readonly RowRun[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

function takeRows(data: Data, runs: readonly RowRun[]): Data {
  const { type, nullCount, nullBitmap, offset, dictionary, children } = data;
  const length = countOf(runs);
  const valid = nullCount > 0 ? takeBits(nullBitmap as Uint8Array, offset, runs, length) : undefined;
  const nulls = valid === undefined ? 0 : -1;
  if (DataType.isFixedSizeList(type)) {
    const ofItems = runs.map(({ from, to }) => ({ from: from * type.listSize, to: to * type.listSize }));
    return new Data(type, 0, length, nulls, [undefined, undefined, valid], [takeRows(children[0], ofItems)]);
  }
  if (DataType.isList(type)) {
    const { valueOffsets } = data;
    const ofItems = runs.map(({ from, to }) => ({ from: valueOffsets[from], to: valueOffsets[to] }));
    const buffers = [takeOffsets(valueOffsets, runs, length), undefined, valid] as const;
    return new Data(type, 0, length, nulls, [...buffers], [takeRows(children[0], ofItems)]);
  }
  if (!isOfNumbers(type)) return takeValues(data, runs);
  const values = takeNumbers(data.values, runs, length);
  return new Data(type, 0, length, nulls, [undefined, values, valid], [], dictionary);
}

function isOfNumbers(type: DataType): boolean {
  return (
    DataType.isInt(type) ||
    DataType.isFloat(type) ||
    DataType.isDate(type) ||
    DataType.isTimestamp(type) ||
    DataType.isDictionary(type)
  );
}

function takeNumbers(values: Float64Array, runs: readonly RowRun[], length: number): Float64Array {
  const taken = new (values.constructor as Float64ArrayConstructor)(length);
  let row = 0;
  for (const { from, to } of runs) for (let i = from; i < to; i++) taken[row++] = values[i];
  return taken;
}

/** Where the items of each list begin and end among those that are taken. */
function takeOffsets(offsets: Int32Array, runs: readonly RowRun[], length: number): Int32Array {
  const taken = new Int32Array(length + 1);
  let row = 0;
  for (const { from, to } of runs) {
    for (let i = from; i < to; i++, row++) taken[row + 1] = taken[row] + offsets[i + 1] - offsets[i];
  }
  return taken;
}

function takeBits(bits: Uint8Array, offset: number, runs: readonly RowRun[], length: number): Uint8Array {
  const taken = new Uint8Array(Math.ceil(length / 8));
  let row = 0;
  for (const { from, to } of runs) {
    for (let i = offset + from; i < offset + to; i++, row++)
      taken[row >> 3] |= ((bits[i >> 3] >> (i & 7)) & 1) << (row & 7);
  }
  return taken;
}

/** Takes values of other types one by one. */
function takeValues(data: Data, runs: readonly RowRun[]): Data {
  const vector = new Vector([data]);
  const values: unknown[] = [];
  for (const { from, to } of runs) for (let row = from; row < to; row++) values.push(vector.get(row));
  const [taken] = vectorFromArray(values, data.type).data;
  return taken ?? new Data(data.type, 0, 0, 0);
}

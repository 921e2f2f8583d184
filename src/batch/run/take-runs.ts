import { Data, DataType, RecordBatch, Struct, Table, Vector, vectorFromArray } from 'apache-arrow';

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
    batches.push(new RecordBatch(schema, new Data(type, 0, rowsOf(own), 0, {}, children)));
  }
  return new Table(schema, batches);
}

function rowsOf(runs: readonly RowRun[]): number {
  return runs.reduce((sum, { from, to }) => sum + to - from, 0);
}

function takeRows(data: Data, runs: readonly RowRun[]): Data {
  const { type, nullCount, nullBitmap, offset, dictionary, children } = data;
  const length = rowsOf(runs);
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

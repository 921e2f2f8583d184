import { isDeepStrictEqual } from 'node:util';
import { type Data, DataType, makeVector, type RecordBatch, type Table } from 'apache-arrow';
import { expect } from 'vitest';
import { parquetBatches } from '../../../src/files/parquet/parquet-batches.js';
import { columnsOf } from '../table-rows.js';

/** What is read of a file, by kernels or not: the columns of its batches, or the error. */
export async function outcome(
  bytes: Uint8Array,
  options: { kernelsFrom: number; codedTexts?: boolean; bytes: number },
): Promise<unknown> {
  const file = {
    byteLength: bytes.length,
    slice: (start: number, end?: number) => bytes.slice(start, end).buffer as ArrayBuffer,
  };
  try {
    const batches: RecordBatch[] = [];
    for await (const batch of parquetBatches(file, 'f', options)) batches.push(batch);
    const nulls = batches.map(({ data }) => data.children.map(({ nullCount }) => nullCount));
    return { columns: columnsOfBatches(batches), nulls };
  } catch (error) {
    return String(error);
  }
}

function columnsOfBatches(batches: readonly RecordBatch[]): Record<string, unknown[]> {
  const [first] = batches;
  const names = first?.schema.fields.map(({ name }) => name) ?? [];
  return Object.fromEntries(
    names.map((name, column) => [name, batches.flatMap(({ data }) => cellsOf(data.children[column]))]),
  );
}

/** The cells of a chunk, lists as arrays: several times as fast as row by row of a vector. */
function cellsOf(data: Data): unknown[] {
  const cells = storedCells(data);
  if (data.nullCount > 0) for (let row = 0; row < data.length; row++) if (!data.getValid(row)) cells[row] = null;
  return cells;
}

/** The same, where rows that are null may have any value. */
function storedCells(data: Data): unknown[] {
  const { type, length, values, valueOffsets, children, dictionary } = data;
  if (DataType.isList(type)) {
    const items = cellsOf(children[0]);
    return Array.from({ length }, (_, row) => items.slice(Number(valueOffsets[row]), Number(valueOffsets[row + 1])));
  }
  if (DataType.isFixedSizeList(type)) {
    const items = cellsOf(children[0]);
    return Array.from({ length }, (_, row) => items.slice(row * type.listSize, (row + 1) * type.listSize));
  }
  if (DataType.isDictionary(type)) {
    const entries = dictionary?.data.flatMap(cellsOf) ?? [];
    return Array.from({ length }, (_, row) => entries[Number(values[row])]);
  }
  return DataType.isFloat(type) || DataType.isInt(type)
    ? Array.from(values.subarray(0, length) as Float64Array)
    : Array.from(makeVector(data));
}

/** The cells of each column, lists as arrays. */
export function contentOf(table: Table): Record<string, unknown[]> {
  return Object.fromEntries(
    Object.entries(columnsOf(table)).map(([name, cells]) => [
      name,
      cells.map((cell) => (cell !== null && typeof cell === 'object' ? Array.from(cell as Iterable<unknown>) : cell)),
    ]),
  );
}

/** Fails where two outcomes differ; vitest's own comparison, which takes several times as long, shows where. */
export function expectSame(actual: unknown, expected: unknown, label?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, label).toStrictEqual(expected);
}

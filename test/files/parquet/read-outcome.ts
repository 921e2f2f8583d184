import { type RecordBatch, Table } from 'apache-arrow';
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
    return { columns: contentOf(new Table(batches)), nulls };
  } catch (error) {
    return String(error);
  }
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

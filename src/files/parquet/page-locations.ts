import type { ParquetChunk } from './row-groups.js';
import { ThriftCursor } from './thrift-cursor.js';

/** The place of a page in the file, including its header, and its rows. */
export interface PageLocation {
  readonly start: number;
  readonly end: number;
  readonly row: number;
  readonly nextRow: number;
}

/**
 * Reads the data pages that an offset index lists (OffsetIndex in parquet.thrift). Throws a RangeError unless they
 * follow one another, in bytes and in rows, from the first row to the end of the column chunk.
 */
export function readPageLocations(bytes: Uint8Array, chunk: ParquetChunk): PageLocation[] {
  const cursor = new ThriftCursor(bytes);
  const found: { start: number; end: number; row: number }[] = [];
  cursor.fields((id, type) => {
    if (id !== 1) cursor.skip(type);
    else cursor.structs(type, () => found.push(readLocation(cursor)));
  });
  const pages = found.map((page, i) => ({ ...page, nextRow: found[i + 1]?.row ?? chunk.rows }));
  let end = chunk.start;
  let row = 0;
  for (const page of pages) {
    if (page.start < end || page.end <= page.start || page.row !== row || page.nextRow < row) {
      throw new RangeError(`an index with a page at byte ${page.start} and row ${page.row} behind ${end} and ${row}`);
    }
    // Only the dictionary lies before pages; nothing lies between them.
    if (end !== chunk.start && page.start !== end)
      throw new RangeError(`an index that leaves out bytes from ${end} on`);
    ({ end, nextRow: row } = page);
  }
  if (end !== chunk.end || row !== chunk.rows) {
    throw new RangeError(`an index of ${row} rows up to byte ${end}; its column has ${chunk.rows} up to ${chunk.end}`);
  }
  return pages;
}

function readLocation(cursor: ThriftCursor): { start: number; end: number; row: number } {
  let [offset, size, row] = [-1, -1, -1];
  cursor.fields((id, type) => {
    if (id === 1) offset = cursor.i64(type);
    else if (id === 2) size = cursor.i32(type);
    else if (id === 3) row = cursor.i64(type);
    else cursor.skip(type);
  });
  return { start: offset, end: offset + size, row };
}

import { serialize } from 'node:v8';
import { describe, expect, test } from 'vitest';
import { readFooter } from '../../../src/files/parquet/footer.js';
import { parquetParts } from '../../../src/files/parquet/parquet-batches.js';
import { readTable } from '../../../src/files/read-table.js';
import { columnsOf } from '../table-rows.js';
import { doubles, madeFile } from './made-file.js';
import { i32, i64, list, struct, text } from './thrift-writer.js';

const bufferOf = (bytes: Uint8Array) => ({
  byteLength: bytes.length,
  slice: (start: number, end?: number) => bytes.slice(start, end).buffer as ArrayBuffer,
});

/** A file of one column with a row in each row group: 0, 1, 2 and so on. `order` is that of the pages in the file. */
function fileOfGroups(count: number, placeOf = (group: number) => group): Uint8Array {
  const pages = Array.from({ length: count }, () => ({ body: doubles(0), values: 1 }));
  for (let group = 0; group < count; group++) pages[placeOf(group)].body = doubles(group);
  const one = madeFile({ rows: 1, columns: [{ pages: pages.slice(0, 1) }] });
  const bytes = one.length - 12 - new DataView(one.buffer).getUint32(one.length - 8, true);
  const groups = pages.map((_, group) => {
    const sizes = { 5: i64(1), 6: i64(bytes), 7: i64(bytes), 9: i64(4 + bytes * placeOf(group)) };
    const meta = struct({ 1: i32(5), 2: list([i32(0)]), 3: list([text('c0')]), 4: i32(0), ...sizes });
    return struct({ 1: list([struct({ 2: i64(0), 3: meta })]), 2: i64(bytes), 3: i64(1) });
  });
  return madeFile({ rows: count, columns: [{ pages }], groups: list(groups) });
}

describe('a Parquet file of very many row groups', () => {
  const count = 1200;
  const bytes = fileOfGroups(count);

  test('holds no objects for them before they are read', async () => {
    const { metadata, groups } = await readFooter(bufferOf(bytes), await import('hyparquet'));
    expect(serialize(metadata).length).toBeLessThan(1000);
    expect(groups).toMatchObject({ count, rows: count });
  });

  test('is read group by group, in any order', async () => {
    const { count: parts, read } = await parquetParts(bufferOf(bytes), 'f', { bytes: 1e6 });
    expect(parts).toBe(count);
    for (const index of [0, count - 1, 700]) expect((await read(index)).getChildAt(0)?.get(0)).toBe(index);
  });
});

test('row groups may lie in another order than they are listed in, but share no bytes', async () => {
  expect(columnsOf(await readTable(fileOfGroups(5, (group) => 4 - group))).c0).toEqual([0, 1, 2, 3, 4]);
  const shared = fileOfGroups(5, (group) => [3, 1, 2, 0, 1][group]);
  await expect(readTable(shared, { source: 'f' })).rejects.toThrow(
    /^f: has a corrupt Parquet footer: columns c0 and c0 share bytes \d+ to \d+/,
  );
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/arrays.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { readArrowInto, readTable, readTables } from '../../src/files/node.js';
import { streamStatistics } from '../../src/index.js';

const core = await loadCore();
const dir = mkdtempSync(join(tmpdir(), 'plumecast-path-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
const table = demoTable('precipitation', { locations: [{ latitude: 50, longitude: 5 }] });
const bytes = { arrow: await encodeTable(table, 'arrow'), csv: await encodeTable(table, 'csv') };
const path = join(dir, 'a b.arrow');
writeFileSync(path, bytes.arrow);

type Given = string | URL;
const READERS: Readonly<Record<string, (given: Given) => Promise<number>>> = {
  readTable: async (given) => (await readTable(given)).numRows,
  readTables: async (given) => {
    let rows = 0;
    for await (const { numRows } of readTables(core, given as string)) rows += numRows;
    return rows;
  },
  readArrowInto: async (given) => {
    const read = await readArrowInto(core, given);
    const { numRows } = read.table;
    read.release();
    return numRows;
  },
};

describe.each(Object.entries(READERS))('%s of Node', (_, read) => {
  it('takes a path, and a file: URL', async () => {
    expect(await read(path)).toBe(table.numRows);
    expect(await read(pathToFileURL(path))).toBe(table.numRows);
  });

  it.each(['https://example.invalid/a.csv', new URL('https://example.invalid/a.csv'), 's3://bucket/a.csv'])(
    'says of the address %s that fetch reads it',
    async (address) => {
      await expect(read(address)).rejects.toThrow(
        /^bytes: cannot be used; received .*; allowed: .* a Response of fetch,/,
      );
    },
  );
});

it.each([
  ['bytes', () => bytes.csv],
  ['pieces', () => [bytes.csv.subarray(0, 100), bytes.csv.subarray(100)]],
  ['a response', () => new Response(bytes.csv as BodyInit)],
])('streamStatistics of %s of CSV says that readTables reads them', async (_name, rows) => {
  const first = streamStatistics(core, rows(), { variable: 'precipitation', source: 'a.csv' }).next();
  await expect(first).rejects.toThrow(
    'a.csv: is not an Arrow stream; allowed: an Arrow stream; readTables reads all formats',
  );
});

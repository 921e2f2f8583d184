import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Table, tableFromArrays } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { FormatError, OptionError } from '../../src/errors.js';
import { bytesAccess } from '../../src/files/array/random-access.js';
import type { ArrayFileFormat, FileFormat, TableFileFormat } from '../../src/files/format.js';
import { FORMATS } from '../../src/files/formats.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { readTable } from '../../src/files/read-table.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { collected } from '../input/location-tables.js';
import { writeNetcdf3 } from './netcdf3/write-netcdf3.js';
import { valuesOf } from './stored-values.js';
import { utf8 } from './table-rows.js';

const begins = (head: Uint8Array, text: string) => new TextDecoder().decode(head.subarray(0, text.length)) === text;

/** A line for each day, with commas, as CSV has them. */
const days: TableFileFormat = {
  ...{ kind: 'table', name: 'days', words: 'text of days', endings: ['days'] },
  matches: (head) => begins(head, 'DAYS'),
  open: ({ bytes }) => ({ read: async () => tableOf(new TextDecoder().decode(await bytes())) }),
};

/** The same, which is read a day at a time. */
const daysInParts: TableFileFormat = {
  ...days,
  open: ({ bytes, pieces }) => ({
    read: async () => tableOf(new TextDecoder().decode(await bytes())),
    async *tables() {
      let text = '';
      for await (const piece of pieces()) text += new TextDecoder().decode(piece);
      for (const line of linesOf(text)) yield tableOf(`DAYS\n${line}\n`);
    },
  }),
};

const linesOf = (text: string) => text.trim().split('\n').slice(1);

function tableOf(text: string): Table {
  const rows = linesOf(text).map((line) => line.split(','));
  return tableFromArrays({
    date: rows.map(([date]) => date),
    m01: Float64Array.from(rows, ([, value]) => Number(value)),
  });
}

/** An array of bytes behind a mark of four. */
const bytesAfterMark: ArrayFileFormat = {
  ...{ kind: 'arrays', name: 'marked', words: 'marked bytes', endings: ['mrk'] },
  matches: (head) => begins(head, 'MARK'),
  async open({ source, random, bytes }) {
    const access = random ?? bytesAccess(await bytes(), source);
    const shape = [access.size - 4];
    return {
      ...{ format: 'marked bytes', source, attributes: new Map() },
      arrays: new Map([
        [
          'v',
          {
            ...{ name: 'v', type: 'uint8', dimensions: ['x'], shape, attributes: new Map() },
            async read({ start: [from], count: [count] }, into) {
              const found = new Uint8Array(count);
              await access.read(4 + from, found);
              into.set(found as never);
              return [];
            },
            readTexts: async () => [],
          },
        ],
      ]),
      close: async () => {},
    };
  },
};

const TEXT = 'DAYS\n2026-03-02,1.5\n2026-03-03,2.5\n';
const ROWS = [
  { date: '2026-03-02', m01: 1.5 },
  { date: '2026-03-03', m01: 2.5 },
];
const rowsOf = (tables: readonly Table[]) => tables.flatMap((table) => table.toArray().map((row) => ({ ...row })));

let core: Core;
let folder: string;
beforeAll(async () => {
  core = await loadCore();
  folder = await mkdtemp(join(tmpdir(), 'plumecast-own-formats-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function written(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

describe('formats of the caller', () => {
  it('are read by readTable and readTables, before CSV is thought of', async () => {
    const formats = [days];
    expect(rowsOf([await readTable(utf8(TEXT), { formats })])).toEqual(ROWS);
    expect(rowsOf(await collected(readTables(core, [utf8(TEXT)], { formats })))).toEqual(ROWS);
    expect(rowsOf(await collected(readTables(core, new Blob([TEXT]), { formats })))).toEqual(ROWS);
    expect(rowsOf(await collected(readTables(core, await written('a.days', TEXT), { formats })))).toEqual(ROWS);
    expect((await readTable(utf8('DAYS,m01\n2026-03-02,1.5\n'))).schema.names).toEqual(['DAYS', 'm01']);
  });

  it('are read from gzip', async () => {
    const packed = gzipSync(TEXT);
    expect(rowsOf([await readTable(packed, { formats: [days] })])).toEqual(ROWS);
    const path = await written('a.days.gz', packed);
    expect(rowsOf(await collected(readTables(core, path, { formats: [days] })))).toEqual(ROWS);
  });

  it('are read part by part where they give tables, of which columns are selected', async () => {
    const options = { formats: [daysInParts], columns: ['m01'] };
    const tables = await collected(readTables(core, await written('b.days', TEXT), options));
    expect(tables.map(({ numRows }) => numRows)).toEqual([1, 1]);
    expect(rowsOf(tables)).toEqual([{ m01: 1.5 }, { m01: 2.5 }]);
  });

  it('leave the formats of the package as they are', async () => {
    const table = await readTable(utf8('date,m01\n2026-03-02,1.5\n'), { formats: [days, bytesAfterMark] });
    expect(rowsOf([table])).toEqual([{ date: '2026-03-02', m01: 1.5 }]);
    const variables = [{ name: 'v', type: 'int16' as const, dimensions: [0], values: [1, 2] }];
    const bytes = writeNetcdf3({ version: 1, records: 0, dimensions: [{ name: 'x', length: 2 }], variables });
    const path = await written('a.nc', bytes);
    const formats = [days, bytesAfterMark];
    for (const file of [await openArrays(path, { formats }), await openArrays(bytes, { formats })]) {
      expect(await valuesOf(file.arrays.get('v'))).toEqual([1, 2]);
      await file.close();
    }
  });

  it('are opened by openArrays, which closes the file with the arrays', async () => {
    const path = await written('a.mrk', 'MARK\x01\x02\x03');
    const file = await openArrays(path, { formats: [bytesAfterMark] });
    expect(file.format).toBe('marked bytes');
    expect(await valuesOf(file.arrays.get('v'))).toEqual([1, 2, 3]);
    await file.close();
    await expect(valuesOf(file.arrays.get('v'))).rejects.toThrow();
  });

  it('of arrays are no tables, and of tables no arrays', async () => {
    const formats = [days, bytesAfterMark];
    await expect(readTable(utf8('MARK'), { formats, source: 'f' })).rejects.toThrow(
      'f: is marked bytes, which contains arrays, not a table',
    );
    const path = await written('c.days', TEXT);
    await expect(openArrays(path, { formats })).rejects.toThrow(`${path}: is a table (text of days)`);
    await expect(openArrays(path, { formats })).rejects.toThrow(FormatError);
  });

  it.each<[string, unknown]>([
    ['a list of formats', days],
    ['a text that is not empty', [{ ...days, name: '' }]],
    ['a function', [{ ...days, matches: undefined }]],
    ['table or arrays', [{ ...days, kind: 'text' }]],
  ])('are rejected unless they are %s', async (allowed, formats) => {
    const reading = readTable(utf8(TEXT), { formats: formats as FileFormat[] });
    await expect(reading).rejects.toThrow(OptionError);
    await expect(reading).rejects.toThrow(`allowed: ${allowed}`);
  });
});

describe('FORMATS', () => {
  it('have names of their own, and endings that no other has', () => {
    const names = FORMATS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    const endings = FORMATS.flatMap(({ endings }): readonly string[] => endings);
    expect(new Set(endings).size).toBe(endings.length);
  });
});

import { appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { readArrowInto } from '../../src/files/arrow/read-arrow-into.node.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { type ReadFileTablesOptions, readTables } from '../../src/files/read-tables.node.js';
import { collected, failureOf, locationTable, rowsOf } from '../input/location-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-tables-'));
afterAll(() => rmSync(folder, { recursive: true }));
let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const rain = locationTable({
  seed: 3,
  spans: Array.from({ length: 250 }, () => [0, 90] as const),
  form: 'wide',
  values: 'float64',
  coordinates: 'float64',
  gaps: 0,
  nulls: 0.05,
});
const files = {
  'rain.parquet': await encodeTable(rain, 'parquet'),
  'rain.csv': await encodeTable(rain, 'csv'),
  'rain.arrow': tableToIPC(rain, 'file'),
  'rain.arrows': tableToIPC(rain, 'stream'),
};

/** A fresh copy of a file, by a name of its own. */
let copies = 0;
function copyOf(name: keyof typeof files): string {
  const path = join(folder, `${copies++}-${name}`);
  writeFileSync(path, files[name]);
  return path;
}
/** Tables that are kept, though they lie in memory that is used again. */
async function tablesOf(path: string, options: ReadFileTablesOptions = {}) {
  const kept = [];
  for await (const table of readTables(core, path, options)) kept.push(await readTable(tableToIPC(table, 'stream')));
  return kept;
}
const names = Object.keys(files) as (keyof typeof files)[];

describe('readTables', () => {
  it.each(names)('gives the rows of readTable for %s, to the last bit, with one schema', async (name) => {
    const tables = await tablesOf(copyOf(name), { bytes: 200_000 });
    expect(rowsOf(tables)).toEqual(rowsOf([await readTable(files[name])]));
    expect(new Set(tables.map(({ schema }) => String(schema))).size).toBe(1);
    if (name === 'rain.parquet') expect(tables.map(({ numRows }) => numRows)).toEqual([9_000, 9_000, 4_500]);
  });

  it.each(names)('gives only the requested columns of %s, in the order of the file', async (name) => {
    const columns = ['m01', 'date'];
    const [first] = await tablesOf(copyOf(name), { columns });
    expect(first.schema.fields.map((field) => field.name)).toEqual(['date', 'm01']);
    expect(await failureOf(() => tablesOf(copyOf(name), { columns: ['rain'], source: name }))).toBe(
      `OptionError: ${name}, columns: not in the file; received "rain"; allowed: latitude, longitude, date, m00, m01, m02`,
    );
  });

  it.each(names)(
    'says that %s was changed where it grows, is cut or is written anew while it is read',
    async (name) => {
      const changes = [
        (path: string) => appendFileSync(path, 'more\n'),
        (path: string) => truncateSync(path, 1_000),
        (path: string) => writeFileSync(path, files[name].slice().fill(0x20, 500)),
      ];
      for (const change of changes) {
        const path = copyOf(name);
        const failure = await failureOf(async () => {
          for await (const _ of readTables(core, path, { source: name, bytes: 300_000 })) change(path);
        });
        expect(failure).toBe(
          `FileError: ${name}: was changed while it was read; allowed: a file that stays as it is until it is read`,
        );
      }
    },
  );

  it.each(['rain.parquet', 'rain.arrow', 'rain.arrows'] as const)('throws for %s if it is cut off', async (name) => {
    const path = copyOf(name);
    truncateSync(path, files[name].length - 2_000);
    expect(await failureOf(() => tablesOf(path, { source: name }))).toMatch(
      new RegExp(`^FormatError: ${name}: is a truncated`),
    );
  });

  it('throws for files that are missing, empty, or of an unknown format', async () => {
    expect(await failureOf(() => tablesOf(join(folder, 'nowhere.csv'), { source: 'nowhere.csv' }))).toMatch(
      /nowhere.csv: cannot be read: there is no such file or folder; allowed: a readable file$/,
    );
    const path = join(folder, 'empty');
    writeFileSync(path, '');
    expect(await failureOf(() => tablesOf(path, { source: 'empty' }))).toMatch(/^FormatError: empty: is empty/);
    writeFileSync(path, Buffer.from([0, 1, 2, 3, 4, 5, 6, 7, 8]));
    expect(await failureOf(() => tablesOf(path, { source: 'bytes' }))).toMatch(
      /^FormatError: bytes: is of no known format/,
    );
    expect(await failureOf(() => tablesOf(folder, { source: 'folder' }))).toMatch(
      /^FileError: folder: is a folder, and only files are read here; allowed: a file$/,
    );
  });

  it('throws for options that it does not know, as the other readers do', async () => {
    const path = copyOf('rain.csv');
    const options = { colums: ['date'] } as unknown as ReadFileTablesOptions;
    expect(await failureOf(() => tablesOf(path, options))).toMatch(
      /^OptionError: options: unknown option, the nearest is columns; received "colums";/,
    );
    for (const source of [path, new Uint8Array()])
      await expect(readArrowInto(core, source, { sources: 'x' } as object)).rejects.toThrow(
        'options: unknown option, the nearest is source; received "sources"',
      );
  });

  it('closes the file if the caller stops early', async () => {
    const tables = readTables(core, copyOf('rain.csv'));
    await tables.next();
    await tables.return(undefined);
    expect(await collected(tables)).toEqual([]);
  });
});

import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Table, tableFromArrays } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { findInputs } from '../../src/batch/find-inputs.js';
import { loadCore } from '../../src/core/load.js';
import { encodeTable } from '../../src/files/index.js';
import { readTables } from '../../src/files/read-tables.node.js';
import { plumecastHere } from '../cli/run-here.js';
import { hasPython, pythonFile, usableModules } from '../reference/foreign-programs.js';

/*
 * Folders of Parquet files partitioned by keys, as pyarrow, Polars and DuckDB write them (`write_parts.py`), and such
 * folders made here.
 */

const folder = mkdtempSync(join(tmpdir(), 'plumecast-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));
const folders: string[] = hasPython('pyarrow')
  ? JSON.parse(
      pythonFile(resolve(import.meta.dirname, 'write_parts.py'), [
        folder,
        usableModules('polars', 'duckdb', 'pandas').join(),
      ]),
    )
  : [];
const WEEKS = ['--variable', 'precipitation', '--units', 'mm', '--granularity', 'weekly', '--format', 'csv'];

describe.skipIf(folders.length === 0)('a folder of Parquet that others partitioned by keys', () => {
  it.each(folders)('gives the statistics of its table: %s', async (name) => {
    const whole = await plumecastHere('stats', join(folder, 'whole.parquet'), ...WEEKS, '-q');
    expect(whole.out.split('\n')).toHaveLength(6);
    const parts = await plumecastHere('stats', join(folder, name), ...WEEKS, '-q');
    expect(parts).toEqual({ ...whole, out: expect.anything() });
    // A key that says more of a place than its coordinates is a column of the result.
    const found = parts.out.split('\n').map((line) => line.replace(/(,site|,Köln a\/b=%|(?<=,-8\.5),)(?=,)/, ''));
    expect(parts.out.includes(',site,')).toBe(name === 'pyarrow-site');
    expect((name === 'pyarrow-site' ? found : parts.out.split('\n')).sort()).toEqual(whole.out.split('\n').sort());
  });

  it('has its keys as the last columns', async () => {
    const types = async (name: string) => {
      const [{ schema }] = await tablesOf(join(folder, name));
      return schema.fields.map(String).slice(-2);
    };
    expect(await types('pyarrow-place')).toEqual(['latitude: Float64', 'longitude: Float64']);
    expect(await types('pyarrow-member')).toEqual(['value: Float64', 'member: Int32']);
    expect(await types('pyarrow-date')).toEqual(['value: Float64', 'date: Dictionary<Int32, Utf8>']);
  });

  it('has percent-encoded keys as texts, and null for the default partition', async () => {
    const rows = rowsOf(await tablesOf(join(folder, 'pyarrow-site')));
    expect(new Set(rows.map(({ latitude, site }) => `${latitude} ${site}`))).toEqual(
      new Set(['50.5 Köln a/b=%', '9 null']),
    );
  });

  it('is one input of inspect, convert and batch', async () => {
    const path = join(folder, 'pyarrow-place');
    const { out } = await plumecastHere('inspect', path);
    expect(out).toContain('folder of Parquet files');
    expect(out).toContain('rows    84');
    const csv = join(folder, 'place.csv');
    expect(await plumecastHere('convert', path, csv, '-q')).toMatchObject({ code: 0, err: '' });
    const lines = readFileSync(csv, 'utf8').trim().split('\n');
    expect([lines.length, lines[0]]).toEqual([85, 'date,member,value,latitude,longitude']);
    const fault = (error: Error) => expect.fail(error.message);
    expect(await findInputs([path], fault)).toEqual([{ path, name: 'pyarrow-place', ending: 'none' }]);
    const names = (await findInputs([folder], fault)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['whole', ...folders]));
  });
});

describe('a folder of Parquet partitioned by keys', () => {
  it('is read in the natural order of its paths, without hidden files and files without rows', async () => {
    const path = await made('natural', {
      'member=10/part-0.parquet': { value: [3] },
      'member=9/part-10.parquet': { value: [2] },
      'member=9/part-9.parquet': { value: [1] },
      'member=9/part-1.parquet': { value: [] },
    });
    writeFileSync(join(path, '_SUCCESS'), '');
    writeFileSync(join(path, 'member=9', '.part-9.parquet.crc'), 'crc');
    expect(rowsOf(await tablesOf(path))).toEqual([
      { value: 1, member: 9 },
      { value: 2, member: 9 },
      { value: 3, member: 10 },
    ]);
    expect(rowsOf(await tablesOf(path, ['member']))).toEqual([{ member: 9 }, { member: 9 }, { member: 10 }]);
  });

  it('keeps keys that are not plain numbers as texts', async () => {
    const path = await made('texts', { 'id=007/a.parquet': { value: [1] }, 'id=8/a.parquet': { value: [2] } });
    expect(rowsOf(await tablesOf(path))).toEqual([
      { value: 1, id: '007' },
      { value: 2, id: '8' },
    ]);
  });

  it('is an error that names the file and column where files differ', async () => {
    const other = { 'k=1/a.parquet': { value: [1] }, 'k=2/b.parquet': { value: ['x'] } };
    expect(await failure(await made('types', other))).toBe(
      'FormatError: DIR/k=2/b.parquet, column value: differs from DIR/k=1/a.parquet; received "Utf8"; allowed: Float64',
    );
    const more = { 'k=1/a.parquet': { value: [1] }, 'k=2/b.parquet': { value: [1], extra: [2] } };
    expect(await failure(await made('columns', more))).toBe(
      'FormatError: DIR/k=2/b.parquet, column extra: differs from DIR/k=1/a.parquet; received "Float64"; allowed: no such column',
    );
    const keys = { 'k=1/a.parquet': { value: [1] }, 'k=2/j=1/b.parquet': { value: [1] } };
    expect(await failure(await made('keys', keys))).toBe(
      'FormatError: DIR/k=2/j=1/b.parquet: lies in folders of other keys than the files before; received "j, k"; allowed: k',
    );
  });

  it('is an error where a column of its files has another value than the key', async () => {
    const same = { 'k=1/a.parquet': { value: [1], k: [1] }, 'k=2/b.parquet': { value: [2], k: [2] } };
    const path = await made('same', same);
    expect(rowsOf(await tablesOf(path))).toEqual([
      { value: 1, k: 1 },
      { value: 2, k: 2 },
    ]);
    renameSync(join(path, 'k=2'), join(path, 'k=3'));
    expect(await failure(path)).toBe(
      'DataError: DIR/k=3/b.parquet, row 1, column k: differs from the key in the path of the file; received "2"; allowed: 3 in each row',
    );
  });

  it('is an error where it has files of other formats', async () => {
    const path = await made('formats', { 'k=1/a.parquet': { value: [1] } });
    cpSync(join(path, 'k=1'), join(path, 'k=2'), { recursive: true });
    writeFileSync(join(path, 'k=2', 'b.csv'), 'day,value\n1,2\n');
    expect(await failure(path)).toBe(
      'FormatError: DIR/k=2/b.csv: is not Parquet; received "CSV"; allowed: Parquet files alone in one table',
    );
  });
});

/** Makes a folder of files with these columns. */
async function made(name: string, files: Record<string, Record<string, unknown[]>>): Promise<string> {
  for (const [file, columns] of Object.entries(files)) {
    const arrays = Object.entries(columns).map(([column, values]) => {
      const areTexts = values.some((value) => typeof value === 'string');
      return [column, areTexts ? values : Float64Array.from(values as number[])] as const;
    });
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await encodeTable(tableFromArrays(Object.fromEntries(arrays)) as Table, 'parquet'));
  }
  return join(folder, name);
}

async function tablesOf(path: string, columns?: string[]): Promise<Table[]> {
  const core = await loadCore();
  const tables: Table[] = [];
  for await (const table of readTables(core, path, { columns })) tables.push(table);
  return tables;
}

function rowsOf(tables: readonly Table[]): Record<string, unknown>[] {
  return tables.flatMap((table) => table.toArray().map((row) => ({ ...row })));
}

async function failure(path: string): Promise<string> {
  const error = await tablesOf(path).then(() => undefined, String);
  return String(error).replaceAll(path, 'DIR');
}

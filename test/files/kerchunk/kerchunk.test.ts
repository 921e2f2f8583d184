import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NumberType } from '../../../src/core/number-arrays.js';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { plumecastHere } from '../../cli/run-here.js';
import { hasPython, pythonFile } from '../../reference/foreign-programs.js';
import { serveFolder } from '../zarr/http-server.js';
import { arrayOf } from '../zarr/zarr-fixture.js';

const WRITER = fileURLToPath(new URL('write-references.py', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumecast-kerchunk-')));
afterAll(() => rmSync(folder, { recursive: true }));

/** All values of all arrays of numbers, as float64. */
async function valuesOf(file: ArrayFile): Promise<Record<string, readonly number[]>> {
  const all: Record<string, readonly number[]> = {};
  for (const array of file.arrays.values()) {
    const into = arrayOf(
      array.type as NumberType,
      array.shape.reduce((count, length) => count * length, 1),
    );
    expect(await array.read({ start: array.shape.map(() => 0), count: [...array.shape] }, into)).toEqual([]);
    all[array.name] = Array.from(into, Number);
  }
  return all;
}

describe.skipIf(!hasPython('kerchunk', 'fastparquet', 'h5netcdf', 'xarray'))('references by kerchunk', () => {
  let values: Record<string, number[]>;
  let files: string[];
  beforeAll(() => {
    const said = pythonFile(WRITER, [folder]);
    files = ['absolute.json', 'file-urls.json', 'templates.json', 'version-0.json', 'parquet.parq'];
    if (said.includes('no VirtualiZarr')) console.log(`skipped: ${said}`);
    else files.push('virtualizarr.json');
    values = JSON.parse(readFileSync(join(folder, 'values.json'), 'utf8'));
  });

  it('give the values that xarray reads from the file itself', async () => {
    for (const name of files) {
      const file = await openArrays(join(folder, name));
      expect([name, file.format]).toEqual([name, 'Zarr v2 by references']);
      expect([name, await valuesOf(file)]).toEqual([name, values]);
    }
  });

  it('give the same over HTTP, by ranges of the file alone', async () => {
    await using server = await serveFolder(folder);
    for (const name of ['templates.json', 'version-0.json', 'parquet.parq']) {
      server.requests.length = 0;
      expect([name, await valuesOf(await openArrays(`${server.url}/${name}`))]).toEqual([name, values]);
      expect(
        server.requests.filter((request) => request.startsWith('GET data.nc')).every((each) => /bytes=/.test(each)),
      ).toBe(true);
    }
    await expect(openArrays(`${server.url}/nowhere.json`)).rejects.toThrow(/nowhere.json: is not there/);
  });

  it('are an input of commands, in a folder and at an address', async () => {
    await using server = await serveFolder(folder);
    const stats = (input: string) => plumecastHere('stats', input, '-v', 'temp_mean', '--point', '48,3', '--quiet');
    const expected = await stats(join(folder, 'data.nc'));
    expect(expected.out).toContain('2026-11-02');
    for (const name of ['templates.json', 'parquet.parq'])
      expect([name, await stats(join(folder, name))]).toEqual([name, expected]);
    for (const name of ['templates.json', 'parquet.parq/'])
      expect([name, await stats(`${server.url}/${name}`)]).toEqual([name, expected]);
  });

  it('to a file that was cut are an error that names it', async () => {
    const other = join(folder, 'cut');
    mkdirSync(other);
    for (const name of ['data.nc', 'templates.json'])
      writeFileSync(join(other, name), readFileSync(join(folder, name)));
    truncateSync(join(other, 'data.nc'), 19_000);
    const file = await openArrays(join(other, 'templates.json'));
    const message = /data.nc: is shorter than references say: .*templates.json\/t2m\/3.0.0 would lie beyond its end/;
    await expect(valuesOf(file)).rejects.toThrow(message);
    rmSync(join(other, 'data.nc'));
    await expect(valuesOf(await openArrays(join(other, 'templates.json')))).rejects.toThrow(
      /data.nc: is not there, though/,
    );
  });
});

describe('references in JSON', () => {
  const inside = join(folder, 'inside');
  const zarray = {
    zarr_format: 2,
    shape: [2],
    chunks: [1],
    dtype: '<f4',
    compressor: null,
    filters: null,
    order: 'C',
    fill_value: null,
  };
  const base = {
    '.zgroup': '{"zarr_format":2}',
    't2m/.zarray': zarray,
    't2m/.zattrs': '{"_ARRAY_DIMENSIONS":["time"]}',
  };
  const read = async (refs: object, others: object = {}, options = {}) => {
    const path = join(inside, 'refs.json');
    writeFileSync(path, JSON.stringify({ version: 1, refs: { ...base, ...refs }, ...others }));
    const file = await openArrays(path, options);
    const values = new Float32Array(2);
    const absent = await file.arrays.get('t2m')?.read({ start: [0], count: [2] }, values);
    return { values: [...values], absent };
  };
  beforeAll(() => {
    mkdirSync(join(inside, 'below'), { recursive: true });
    for (const path of ['inside/below/a b%.bin', 'outside.bin', 'inside/whole.bin'])
      writeFileSync(
        join(folder, path),
        new Uint8Array(Float32Array.of(5, 6).buffer).subarray(0, path.includes('whole') ? 4 : 8),
      );
  });

  it('are inline, whole files, ranges, and absent', async () => {
    const inline = `base64:${Buffer.from(Float32Array.of(7).buffer).toString('base64')}`;
    expect((await read({ 't2m/0': inline, 't2m/1': ['below/a b%.bin', 4, 4] })).values).toEqual([7, 6]);
    expect((await read({ 't2m/0': ['whole.bin'], 't2m/1': [`${inside}/below/a b%.bin`, 0, 4] })).values).toEqual([
      5, 5,
    ]);
    expect((await read({ 't2m/0': inline })).absent).toEqual([{ start: [1], count: [1] }]);
    const templates = { templates: { u: 'below', f: 'a b%.bin' } };
    expect((await read({ 't2m/0': ['{{u}}/{{ f }}', 4, 4], 't2m/1': inline }, templates)).values).toEqual([6, 7]);
  });

  it.each([
    ['outside.bin', '../outside.bin'],
    ['outside.bin', `${folder}/outside.bin`],
    ['outside.bin', `file://${folder}/outside.bin`],
    ['outside.bin', `file://${folder}/inside/%2e%2e/outside.bin`],
    ['outside.bin', `${inside}/below/../../outside.bin`],
    ['/etc/passwd', 'file:///etc/passwd'],
    ['internal.example.org', 'http://internal.example.org/metadata'],
    ['s3://bucket/key', 's3://bucket/key'],
  ])('to %s, as %s, are an error', async (name, location) => {
    const reading = read({ 't2m/0': [location, 0, 4], 't2m/1': [location, 0, 4] });
    await expect(reading).rejects.toThrow(/lies in an object outside of what may be read/);
    await expect(reading).rejects.toThrow(name);
    await expect(reading).rejects.toMatchObject({ tag: 'file' });
  });

  it('to a folder that is allowed are read', async () => {
    const refs = { 't2m/0': ['../outside.bin', 0, 4], 't2m/1': [`file://${folder}/outside.bin`, 4, 4] };
    expect((await read(refs, {}, { virtualChunks: [folder] })).values).toEqual([5, 6]);
  });

  it.each([
    [/has a wrong reference/, { 't2m/0': ['whole.bin', -4, 4] }, {}],
    [/has a wrong reference/, { 't2m/0': ['whole.bin', 0, -1] }, {}],
    [/has a wrong reference/, { 't2m/0': ['whole.bin', 0.5, 4] }, {}],
    [/has a wrong reference/, { 't2m/0': ['whole.bin', 1e300, 4] }, {}],
    [/has a wrong reference/, { 't2m/0': ['whole.bin', 0] }, {}],
    [/has a wrong reference/, { 't2m/0': [7] }, {}],
    [/has a wrong reference/, { 't2m/0': null }, {}],
    [/is shorter than references say/, { 't2m/0': ['whole.bin', 2, 4] }, {}],
    [/a chunk has more bytes than one of this array can have/, { 't2m/0': ['whole.bin', 0, 1e12] }, {}],
    [/inline bytes that cannot be decoded/, { 't2m/0': 'base64:***' }, {}],
    [/a chunk is cut, or is not of this array/, { 't2m/0': 'base64:AAA=' }, {}],
    [/names a template that is not read/, { 't2m/0': ['{{v}}', 0, 4] }, { templates: { u: 'a' } }],
    [/names a template that is not read/, { 't2m/0': ['{{u}}', 0, 4] }, { templates: { u: '{{u}}' } }],
    [/names a template that is not read/, { 't2m/0': ['{{constructor}}', 0, 4] }, {}],
    [
      /refers to no path of an object/,
      {
        't2m/0': ['below%2f..%2f..%2foutside.bin', 0, 4].map((each) =>
          typeof each === 'string' ? `file://${inside}/${each}` : each,
        ),
      },
      {},
    ],
    [/generated by formulas/, {}, { gen: [{ key: 'a' }] }],
    [/of a version that is not read/, {}, { version: 2 }],
    [/wrong templates/, {}, { templates: 7 }],
    [/invalid path/, { '../t2m/.zarray': zarray }, {}],
  ] as const)('that are wrong are an error (%s, %j, %j)', async (message, refs, others) => {
    await expect(read(refs, others)).rejects.toThrow(message);
    await expect(read(refs, others)).rejects.toMatchObject({ name: expect.stringMatching(/^(Format|File)Error$/) });
  });
});

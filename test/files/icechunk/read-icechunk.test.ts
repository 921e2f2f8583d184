import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NumberType } from '../../../src/core/number-arrays.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import type { ZarrFile } from '../../../src/files/zarr/index.js';
import { serveFolder } from '../zarr/http-server.js';
import { arrayOf } from '../zarr/zarr-fixture.js';
import { icechunkFormats, runScript } from './icechunk-pythons.js';

const WRITER = fileURLToPath(new URL('write-repository.py', import.meta.url));

/** What zarr-python reads of each version of a repository. */
type Contents = Record<string, { readonly snapshot: string; readonly arrays: Record<string, readonly number[]> }>;

/** All values of all arrays, as float64; NaN where they are absent. */
async function valuesOf(file: ZarrFile): Promise<Record<string, readonly number[]>> {
  const all: Record<string, readonly number[]> = {};
  for (const array of file.arrays.values()) {
    const into = arrayOf(
      array.type as NumberType,
      array.shape.reduce((count, length) => count * length, 1),
    );
    await array.read({ start: array.shape.map(() => 0), count: [...array.shape] }, into);
    all[array.name] = Array.from(into, Number);
  }
  return all;
}

const cases = icechunkFormats();

if (cases.length === 0) it.skip('repositories of Icechunk: there is no Python with icechunk', () => {});

describe.each(cases)('a repository of format $format by icechunk $version', ({ program, format }) => {
  let folder: string;
  let repository: string;
  let contents: Contents;
  const open = (version: string, options = {}) =>
    openArrays(repository, { version, missingChunks: 'fill', ...options }) as Promise<ZarrFile>;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'plumecast-icechunk-')));
    repository = join(folder, 'repository');
    runScript(program, WRITER, [folder, String(format)]);
    contents = JSON.parse(readFileSync(join(folder, 'contents.json'), 'utf8'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is read with the values of zarr-python: a tag, a branch, and snapshots by their ids', async () => {
    for (const version of ['v1', 'tag.v1', 'side', 'branch.side', contents.v1.snapshot, contents.main.snapshot]) {
      const name = Object.keys(contents).find((each) => version.endsWith(each) || contents[each].snapshot === version);
      expect(await valuesOf(await open(version)), version).toEqual(contents[name as string].arrays);
    }
  });

  it('is read on its branch main by default, from a path and by the address icechunk:', async () => {
    const beside = { virtualChunks: [join(folder, 'beside')], missingChunks: 'fill' } as const;
    const file = (await openArrays(repository, beside)) as ZarrFile;
    expect(file.format).toBe('Zarr v3 in Icechunk');
    expect(file.attributes.get('title')).toBe('chunks of every kind');
    expect(file.groups).toEqual(['', 'run', 'run/deep'].slice(1));
    expect(await valuesOf(file)).toEqual(contents.virtual.arrays);
    expect([...(await openArrays(repository)).arrays.keys()]).toEqual(Object.keys(contents.virtual.arrays).sort());
    const named = await openArrays(`icechunk:${repository}@v1`, { missingChunks: 'fill' });
    expect(await valuesOf(named as ZarrFile)).toEqual(contents.v1.arrays);
    const main = await openArrays(`icechunk:${repository}`);
    expect([...main.arrays.keys()]).toEqual([...file.arrays.keys()]);
  });

  it('has chunks that were never written as absent boxes, and another revision for each snapshot', async () => {
    const [file, other] = [await open('v1', { missingChunks: 'absent' }), await open('main')];
    const half = file.arrays.get('half');
    expect(await half?.read({ start: [0, 0], count: [4, 4] }, new Float32Array(16))).toEqual([
      { start: [2, 0], count: [2, 2] },
      { start: [2, 2], count: [2, 2] },
    ]);
    expect(other.revision).not.toBe(file.revision);
    expect((await open(contents.v1.snapshot)).revision).toBe(file.revision);
  });

  it('gives the same over HTTP, of a sharded array only the index and the chunks that are needed', async () => {
    await using server = await serveFolder(repository);
    const file = (await openArrays(`icechunk:${server.url}@v1`, { missingChunks: 'fill' })) as ZarrFile;
    expect(await valuesOf(file)).toEqual(contents.v1.arrays);
    expect(
      await valuesOf((await openArrays(server.url, { version: 'side', missingChunks: 'fill' })) as ZarrFile),
    ).toEqual(contents.side.arrays);
    const again = await openArrays(`icechunk:${server.url}@v1`);
    server.requests.length = 0;
    const sharded = again.arrays.get('sharded');
    await sharded?.read({ start: [0, 0, 0], count: [1, 1, 1] }, new Float32Array(1));
    await sharded?.read({ start: [4, 1, 1], count: [1, 1, 1] }, new Float32Array(1));
    const ranges = server.requests.filter((request) => request.includes('chunks/'));
    expect(ranges.map((request) => request.replace(/[0-9A-Z]{20}/, 'NAME'))).toEqual([
      expect.stringMatching(/^GET chunks\/NAME bytes=\d+-\d+$/),
      expect.stringMatching(/^GET chunks\/NAME bytes=\d+-\d+$/),
      expect.stringMatching(/^GET chunks\/NAME bytes=\d+-\d+$/),
    ]);
  });

  it('reads chunks in other files only where they may be, and as long as these are what they were', async () => {
    const read = async (options = {}) => {
      const file = await open('main', options);
      const values = new Float32Array(2);
      await file.arrays.get('virtual')?.read({ start: [1], count: [2] }, values);
      return [...values];
    };
    const beside = join(folder, 'beside');
    expect(await read({ virtualChunks: [`${beside}/`] })).toEqual([1, 2]);
    expect(await read({ virtualChunks: [`file://${beside}`] })).toEqual([1, 2]);
    await expect(read()).rejects.toThrow(
      `lies in an object outside of what may be read; received "${beside}/values.bin"; allowed: objects below ${repository}/`,
    );
    await expect(read({ virtualChunks: [`${beside}x`, `${beside}/values.bin/`] })).rejects.toMatchObject({
      tag: 'file',
    });
    await expect(read({ virtualChunks: ['beside'] })).rejects.toMatchObject({ tag: 'option' });
  });

  it('without the version that is named is an error that lists what there is', async () => {
    await expect(open('v2')).rejects.toThrow(/has no such branch, tag or snapshot.*"v2".*branch\.main.*tag\.v1/);
    await expect(open('gone')).rejects.toThrow(/has no such branch, tag or snapshot/);
    await expect(open('tag.main')).rejects.toThrow(/has no such branch, tag or snapshot/);
    await expect(open('branch.v1')).rejects.toMatchObject({ tag: 'file' });
    await expect(open('twice')).rejects.toThrow(/a branch and a tag of this name.*branch\.twice or tag\.twice/);
    await expect(open('branch.twice')).resolves.toBeDefined();
    await expect(open('00000000000000000000')).rejects.toMatchObject({ tag: 'file' });
    await expect(open('../v1')).rejects.toMatchObject({ tag: 'file' });
  });

  it('is not read from a file that has changed since chunks were referred to', async () => {
    const values = join(folder, 'beside/values.bin');
    const { mtimeMs } = statSync(values);
    const file = await open('main', { virtualChunks: [join(folder, 'beside')] });
    const read = () => file.arrays.get('virtual')?.read({ start: [0], count: [1] }, new Float32Array(1));
    await expect(read()).resolves.toEqual([]);
    utimesSync(values, mtimeMs / 1000 + 100, mtimeMs / 1000 + 100);
    await expect(read()).rejects.toThrow(/values.bin: was changed since it was referred to/);
    utimesSync(values, mtimeMs / 1000, mtimeMs / 1000);
  });
});

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type StoredArray, UnreadAttribute } from '../../../src/files/array/array-file.js';
import { selectArrays } from '../../../src/files/cf/select-arrays.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { openStore } from '../../../src/files/zarr/open-zarr.js';
import { temporaryFolder } from '../../service/source/temporary-folder.js';
import { Fixture, type FixtureArray, type FixtureArrays, zarrFixture } from './zarr-fixture.js';

const rain: FixtureArray = {
  ...{ type: 'float32', dimensions: ['y', 'x'], shape: [2, 3], chunk: [1, 3] },
  values: [1, 2, 3, 4, 5, 6],
};
const arrays = { rain, 'run/rain': rain, 'run/deep/rain': rain };
const groups = ['run', 'run/deep'];

/** A store without consolidated metadata. */
async function scattered(version: 2 | 3, contents: FixtureArrays = arrays): Promise<Fixture> {
  const fixture = await zarrFixture(version, contents, groups);
  fixture.values.delete('.zmetadata');
  if (version === 3) {
    const { consolidated_metadata: _, ...root } = fixture.json('zarr.json');
    fixture.putJson('zarr.json', root);
  }
  return fixture;
}

async function read(array: StoredArray | undefined): Promise<number[]> {
  const into = new Float32Array(6);
  await array?.read({ start: [0, 0], count: [2, 3] }, into);
  return [...into];
}

describe.each([2, 3] as const)('a store of version %i', (version) => {
  it('has its arrays by their paths, their dimensions by those of their groups, and its groups by themselves', async () => {
    const file = await openArrays(await zarrFixture(version, arrays, groups));
    expect(file.format).toBe(`Zarr v${version}`);
    expect([...file.arrays.keys()]).toEqual(['rain', 'run/rain', 'run/deep/rain']);
    expect(file.arrays.get('run/deep/rain')).toMatchObject({
      ...{ name: 'run/deep/rain', type: 'float32', shape: [2, 3], chunk: [1, 3] },
      dimensions: ['run/deep/y', 'run/deep/x'],
    });
    expect(file.groups).toEqual(groups);
    const run = file.group('run');
    expect([...(run?.arrays.keys() ?? [])]).toEqual(['rain', 'deep/rain']);
    expect(run?.groups).toEqual(['deep']);
    expect(run?.arrays.get('rain')?.dimensions).toEqual(['y', 'x']);
    expect(await read(run?.arrays.get('rain'))).toEqual([1, 2, 3, 4, 5, 6]);
    expect(file.group('runs')).toBeUndefined();
  });

  it('is looked through in a folder where its metadata are not consolidated', async () => {
    const folder = temporaryFolder();
    await (await scattered(version)).writeTo(folder);
    const file = await openArrays(folder);
    expect([...file.arrays.keys()]).toEqual(['rain', 'run/deep/rain', 'run/rain']);
    expect(file.attributes.get('title')).toBe('a fixture');
    expect(await read(file.arrays.get('run/deep/rain'))).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await openArrays(folder)).format).toBe(`Zarr v${version}`);
  });

  it('without a list of its arrays has those with usual names of variables, and the coordinates that they name', async () => {
    const along = (name: string, values: number[], attributes = {}): FixtureArray => ({
      ...{ type: 'float64', dimensions: [name], shape: [values.length], chunk: [values.length], values, attributes },
    });
    const series: FixtureArray = { ...rain, attributes: { coordinates: 'height nowhere ../y', bounds: 'none' } };
    const fixture = await scattered(version, {
      ...{ tp: series, t2m: { ...rain, dimensions: ['y', 'z'] }, soil: rain },
      ...{ y: along('y', [1, 2], { bounds: 'y_bnds' }), x: along('x', [3, 4, 5]), height: along('height', [10]) },
      y_bnds: { ...rain, dimensions: ['y', 'x'] },
    });
    const file = await openArrays(fixture);
    expect([...file.arrays.keys()]).toEqual(['height', 't2m', 'tp', 'x', 'y', 'y_bnds']);
    expect(file.notes).toEqual([expect.stringMatching(/no consolidated metadata.*: 2 found by usual names/)]);
    expect(await read(file.arrays.get('tp'))).toEqual([1, 2, 3, 4, 5, 6]);
    const needed = await openStore(fixture, {}, undefined, selectArrays([{ variable: 'precipitation' }]));
    expect([...needed.arrays.keys()]).toEqual(['height', 'tp', 'x', 'y', 'y_bnds']);
    const named = await openStore(fixture, {}, undefined, selectArrays([{ array: 'soil' }]));
    expect([...named.arrays.keys()]).toEqual(['soil', 'x', 'y', 'y_bnds']);
    expect(fixture.requested.filter((key) => key.includes('..'))).toEqual([]);
  });

  it('is rejected with the remedy where its arrays can be found in no way, and opened where they are named', async () => {
    const fixture = await scattered(version, { 'run/rain': rain });
    await expect(openArrays(fixture)).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringMatching(/zarr\.consolidate_metadata.*option arrays/),
    });
    const file = await openArrays(fixture, { arrays: ['run/rain'] });
    expect([...file.arrays.keys()]).toEqual(['run/rain']);
    expect(await read(file.arrays.get('run/rain'))).toEqual([1, 2, 3, 4, 5, 6]);
    await expect(openArrays(fixture, { arrays: ['wind'] })).rejects.toMatchObject({
      tag: 'file',
      subject: 'Zarr store/wind',
    });
  });

  it('has another revision when its metadata are others', async () => {
    const revisionOf = async (array: FixtureArray) =>
      (await openArrays(await zarrFixture(version, { array }))).revision;
    expect(await revisionOf(rain)).toBe(await revisionOf(rain));
    expect(await revisionOf({ ...rain, attributes: { units: 'mm' } })).not.toBe(await revisionOf(rain));
  });
});

describe('an array', () => {
  const only = async (version: 2 | 3, changes: Partial<FixtureArray>, metadata: object = {}) => {
    const fixture = await zarrFixture(version, { rain: { ...rain, ...changes } });
    const root = version === 2 ? '.zmetadata' : 'zarr.json';
    const document = fixture.json(root) as { metadata?: object; consolidated_metadata?: { metadata: object } };
    const nodes = (document.consolidated_metadata?.metadata ?? document.metadata) as Record<string, object>;
    Object.assign(nodes[version === 2 ? 'rain/.zarray' : 'rain'], metadata);
    fixture.putJson(root, document);
    return openArrays(fixture);
  };
  const attributes = async (version: 2 | 3, changes: Partial<FixtureArray>) =>
    Object.fromEntries((await only(version, changes)).arrays.get('rain')?.attributes ?? []);

  it('has the fill value of v2 as _FillValue, and in v3 only an attribute of that name', async () => {
    expect(await attributes(2, { fill: -9999 })).toEqual({ _FillValue: -9999 });
    expect(await attributes(2, { fill: 'NaN' })).toEqual({ _FillValue: Number.NaN });
    expect(await attributes(2, { fill: null })).toEqual({});
    expect(await attributes(3, { fill: -9999 })).toEqual({});
    expect(await attributes(3, { attributes: { _FillValue: -1 } })).toEqual({ _FillValue: -1 });
    // As xarray writes it: NaN, and -9999, as float64 in base64.
    expect(await attributes(3, { attributes: { _FillValue: 'AAAAAAAA+H8=' } })).toEqual({ _FillValue: Number.NaN });
    expect(await attributes(3, { attributes: { _FillValue: 'AAAAAICHw8A=' } })).toEqual({ _FillValue: -9999 });
  });

  it('has attributes of texts, numbers or lists of one of them; others are unread', async () => {
    const given = {
      units: 'mm',
      valid_range: [0, 2],
      names: ['a'],
      flag: true,
      nothing: null,
      object: { a: 1 },
      mixed: ['a', 1],
    };
    const kept = { units: 'mm', valid_range: [0, 2], names: ['a'], flag: 'true', nothing: [] };
    for (const version of [2, 3] as const) {
      const { object, mixed, ...others } = await attributes(version, { attributes: given });
      expect(others).toEqual(kept);
      expect([object, mixed].map((value) => value instanceof UnreadAttribute)).toEqual([true, true]);
      expect([object, mixed].map(String)).toEqual(['{"a":1}', '["a",1]']);
    }
    expect(await attributes(3, { attributes: { _FillValue: null, missing_value: null } })).toEqual({});
  });

  it('may have numbers in its attributes that JSON has not, as Python writes them', async () => {
    const fixture = await zarrFixture(2, { rain });
    fixture.values.delete('.zmetadata');
    const text =
      '{"_ARRAY_DIMENSIONS": ["y", "x"], "a": NaN, "b": [-Infinity, Infinity], "c": "is NaN, \\"Infinity\\""}';
    fixture.values.set('rain/.zattrs', new TextEncoder().encode(text));
    const file = await openArrays(fixture, { arrays: ['rain'] });
    expect(Object.fromEntries(file.arrays.get('rain')?.attributes ?? [])).toEqual({
      ...{ a: Number.NaN, b: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], c: 'is NaN, "Infinity"' },
    });
  });

  it('has dimensions of its own where they have no names', async () => {
    const unnamed = await only(3, {}, { dimension_names: ['y', null] });
    expect(unnamed.arrays.get('rain')?.dimensions).toEqual(['rain_dimension_0', 'rain_dimension_1']);
  });

  it.each([
    [2, { dtype: '<c8' }],
    [2, { dtype: '<M8[M]' }],
    [2, { dtype: '|O' }],
    [2, { dtype: [['a', '<f4']] }],
    [3, { data_type: 'complex64' }],
    [3, { data_type: { name: 'numpy.datetime64', configuration: { unit: 'generic', scale_factor: 1 } } }],
  ] as const)('of a type that is not read is left out (v%i, %j)', async (version, metadata) => {
    expect((await only(version, {}, metadata)).arrays.size).toBe(0);
  });

  it.each([
    [2, { shape: [2, -3] }, 'shape'],
    [2, { chunks: [1] }, 'chunks'],
    [2, { chunks: [0, 3] }, 'chunks'],
    [2, { order: 'K' }, 'order'],
    [2, { dimension_separator: '-' }, 'dimension_separator'],
    [2, { compressor: { level: 1 } }, 'codec'],
    [3, { chunk_grid: { name: 'rectilinear', configuration: {} } }, 'chunk_grid'],
    [3, { chunk_key_encoding: { name: 'other' } }, 'chunk_key_encoding'],
    [3, { codecs: [] }, 'codecs'],
    [3, { storage_transformers: [{ name: 'x' }] }, 'storage_transformers'],
    [3, { encryption: { must_understand: true } }, 'extension'],
  ] as const)('whose metadata are wrong is rejected by the field (v%i, %j)', async (version, metadata, field) => {
    await expect(only(version, {}, metadata)).rejects.toMatchObject({
      tag: 'format',
      message: expect.stringContaining(field),
    });
  });

  it('of texts gives them all, and no numbers; and one of numbers no texts', async () => {
    const fixture = await zarrFixture(3, { rain });
    const names = {
      ...{ zarr_format: 3, node_type: 'array', shape: [3], data_type: 'string', fill_value: '-', attributes: {} },
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [2] } },
      chunk_key_encoding: { name: 'default' },
      ...{ codecs: [{ name: 'vlen-utf8' }], dimension_names: ['name'] },
    };
    const document = fixture.json('zarr.json') as { consolidated_metadata: { metadata: Record<string, object> } };
    document.consolidated_metadata.metadata.names = names;
    fixture.putJson('zarr.json', document);
    fixture.values.set('names/c/0', Uint8Array.of(2, 0, 0, 0, 2, 0, 0, 0, 0xc3, 0xa9, 1, 0, 0, 0, 98));
    const file = await openArrays(fixture, { source: 'store' });
    const array = file.arrays.get('names') as StoredArray;
    expect(await array.readTexts()).toEqual(['é', 'b', '-']);
    await expect(array.read({ start: [0], count: [1] }, new Uint8Array(1))).rejects.toMatchObject({ tag: 'option' });
    await expect(file.arrays.get('rain')?.readTexts()).rejects.toMatchObject({ tag: 'option' });
    fixture.values.set('names/c/0', Uint8Array.of(2, 0, 0, 0, 200, 0, 0, 0, 98));
    await expect(array.readTexts()).rejects.toMatchObject({ tag: 'format', subject: 'store/names/c/0' });
  });

  it('is not read beyond its ends, nor into values of another type', async () => {
    const array = (await openArrays(await zarrFixture(2, { rain }))).arrays.get('rain') as StoredArray;
    const rejected = (start: number[], count: number[], into: Float32Array | Float64Array) =>
      expect(array.read({ start, count }, into)).rejects.toMatchObject({ tag: 'option', subject: 'rain' });
    await rejected([0, 2], [1, 2], new Float32Array(2));
    await rejected([0], [1], new Float32Array(1));
    await rejected([0, 0], [1, 1], new Float64Array(1));
    await rejected([0, 0], [1, 3], new Float32Array(2));
  });
});

describe('what is no store', () => {
  it('is a FileError that names it', async () => {
    const folder = temporaryFolder();
    const there = { tag: 'file', subject: folder, problem: 'there is no Zarr store' };
    await expect(openArrays(folder)).rejects.toMatchObject(there);
    await expect(openArrays(join(folder, 'none'))).rejects.toMatchObject({ tag: 'file' });
    await expect(openArrays(new Fixture())).rejects.toMatchObject({ tag: 'file', subject: 'Zarr store' });
  });

  it('is a FileError too where a store throws, with its cause', async () => {
    const cause = new Error('out of order');
    const failing = { get: () => Promise.reject(cause) };
    await expect(openArrays(failing)).rejects.toMatchObject({ tag: 'file', subject: 'Zarr store/zarr.json', cause });
  });

  it('is a FormatError where metadata are no JSON, or name paths outside', async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, '.zmetadata'), '{"metadata": {');
    await expect(openArrays(folder)).rejects.toMatchObject({ tag: 'format', subject: `${folder}/.zmetadata` });
    await writeFile(join(folder, '.zmetadata'), '{"metadata": {"../secret/.zarray": {}}}');
    await expect(openArrays(folder)).rejects.toMatchObject({ tag: 'format', received: '../secret/.zarray' });
  });
});

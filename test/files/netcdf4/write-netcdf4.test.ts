import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Dataset, File, ready } from 'h5wasm/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NetcdfArray, NetcdfContent } from '../../../src/files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../../../src/files/netcdf4/write-netcdf4.node.js';
import { boxesOf, splits } from './boxes.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-netcdf-'));
const path = join(folder, 'a.nc');

beforeAll(async () => {
  await ready;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A grid of 2 days, 3 latitudes and 4 longitudes, with an array of every type. */
function content(values: NetcdfArray['values'] = Float32Array.from({ length: 24 }, (_, i) => i / 3)): NetcdfContent {
  const array = (name: string, dimensions: string[], values: NetcdfArray['values'], type: NetcdfArray['type']) => ({
    name,
    type,
    dimensions,
    attributes: new Map([['units', '1']]),
    values,
  });
  return {
    dimensions: new Map([
      ['time', 2],
      ['nv', 2],
      ['y', 3],
      ['x', 4],
    ]),
    attributes: new Map<string, string | number | string[] | number[]>([
      ['Conventions', 'CF-1.8'],
      ['institution', 'Bureau météo'],
      ['empty', ''],
      ['count', 7],
      ['numbers', [1.5, -2]],
      ['names', ['a', 'béc']],
      ...Array.from({ length: 20 }, (_, i) => [`z${i}`, 'x'.repeat(i)] as [string, string]),
    ]),
    arrays: [
      array('time', ['time'], Int32Array.of(20_000, 20_001), 'int32'),
      array('y', ['y'], Float64Array.of(50, 49.75, 49.5), 'float64'),
      array('bounds', ['time', 'nv'], Int32Array.of(0, 1, 1, 2), 'int32'),
      array('place', ['y'], ['Zürich', '', 'Genève'], 'text'),
      array('i8', ['nv'], Int8Array.of(-1, 2), 'int8'),
      array('u16', ['nv'], Uint16Array.of(1, 65_535), 'uint16'),
      array('i64', ['nv'], BigInt64Array.of(-1n, 2n ** 40n), 'int64'),
      array('scalar', [], Float64Array.of(1.25), 'float64'),
      { ...array('rain', ['time', 'y', 'x'], values, 'float32'), fillValue: Number.NaN },
    ],
  };
}

function read(name: string) {
  const file = new File(path, 'r');
  try {
    const dataset = file.get(name);
    if (!(dataset instanceof Dataset)) throw new Error(`no array ${name}`);
    const scales = (dataset.shape ?? []).map((_, d) => dataset.get_attached_scales(d));
    return {
      value: dataset.value,
      scales,
      filters: dataset.filters.map(({ id }) => id),
      attributes: Object.fromEntries(Object.entries(dataset.attrs).map(([key, { value }]) => [key, value])),
    };
  } finally {
    file.close();
  }
}

describe('writeNetcdf4', () => {
  test('writes arrays of every type, their dimensions as scales, and all attributes', async () => {
    await writeNetcdf4(path, content());
    const file = new File(path, 'r');
    const names = file.keys();
    const attributes = Object.fromEntries(Object.entries(file.attrs).map(([key, { value }]) => [key, value]));
    file.close();
    expect(names.sort()).toEqual([...content().arrays.map(({ name }) => name), 'nv', 'x'].sort());
    expect(Object.keys(attributes).sort()).toEqual([...content().attributes.keys()].sort());
    expect(attributes).toMatchObject({
      institution: 'Bureau météo',
      count: 7,
      numbers: Float64Array.of(1.5, -2),
      names: ['a', 'béc'],
    });
    expect(read('rain').value).toEqual(content().arrays.at(-1)?.values);
    expect(read('rain').scales).toEqual([['/time'], ['/y'], ['/x']]);
    expect(read('rain').attributes).toMatchObject({ units: '1', _FillValue: Float32Array.of(Number.NaN) });
    expect(read('place').value).toEqual(['Zürich', '', 'Genève']);
    expect(read('i8').value).toEqual(Int8Array.of(-1, 2));
    expect(read('u16').value).toEqual(Uint16Array.of(1, 65_535));
    expect(read('i64').value).toEqual(BigInt64Array.of(-1n, 2n ** 40n));
    expect(read('scalar').value).toBe(1.25);
    expect(read('time').attributes).toMatchObject({ CLASS: 'DIMENSION_SCALE', NAME: 'time' });
  });

  test('reads back as it was, whatever the shape, the chunks, and the boxes that the values came in', async () => {
    await fc.assert(
      fc.asyncProperty(splits, fc.constantFrom(0, 1, 6), async ({ shape, chunk, cuts, order }, deflate) => {
        const dimensions = shape.map((length, d) => [`d${d}`, length] as const);
        const names = dimensions.map(([name]) => name);
        const values = boxesOf(shape, cuts, order);
        const array: NetcdfArray = {
          name: 'a',
          type: 'int32',
          dimensions: names,
          attributes: new Map(),
          chunk,
          values,
        };
        await writeNetcdf4(
          path,
          { dimensions: new Map(dimensions), attributes: new Map(), arrays: [array] },
          { deflate },
        );
        const { value, filters } = read('a');
        expect(value).toEqual(Int32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i));
        expect(filters).toEqual(deflate === 0 ? [] : [2, 1]);
      }),
      { numRuns: 40 },
    );
  });

  test('indexes thousands of chunks', async () => {
    const values = Int32Array.from({ length: 15_000 }, (_, i) => i * i);
    const array: NetcdfArray = {
      name: 'a',
      type: 'int32',
      dimensions: ['time'],
      attributes: new Map(),
      chunk: [3],
      values,
    };
    await writeNetcdf4(path, { dimensions: new Map([['time', 15_000]]), attributes: new Map(), arrays: [array] });
    expect(read('a').value).toEqual(values);
  });

  test('gives what no box has the fill value', async () => {
    await writeNetcdf4(path, content([{ start: [1, 0, 0], count: [1, 1, 2], values: Float32Array.of(5, 6) }]));
    const { value } = read('rain');
    expect([...(value as Float32Array)].map((v) => (Number.isNaN(v) ? null : v))).toEqual([
      ...Array(12).fill(null),
      5,
      6,
      ...Array(10).fill(null),
    ]);
    await writeNetcdf4(path, content([]));
    expect((read('rain').value as Float32Array).every(Number.isNaN)).toBe(true);
  });

  test('writes the same bytes for the same content', async () => {
    await writeNetcdf4(path, content());
    const first = await readFile(path);
    // Times of files have seconds.
    await new Promise((done) => setTimeout(done, 1100));
    await writeNetcdf4(path, content());
    expect(Buffer.compare(await readFile(path), first)).toBe(0);
  });

  test('passes on what the values throw, and leaves nothing that could be taken for HDF5', async () => {
    const failure = new Error('the disk is gone');
    async function* failing() {
      yield { start: [0, 0, 0], count: [1, 3, 4], values: new Float32Array(12) };
      throw failure;
    }
    await expect(writeNetcdf4(path, content(failing()))).rejects.toBe(failure);
    expect((await readFile(path)).subarray(0, 8)).toEqual(Buffer.alloc(8));
  });

  test.runIf(existsSync('/dev/full'))('says that the disk is full', async () => {
    await expect(writeNetcdf4('/dev/full', content())).rejects.toMatchObject({
      tag: 'file',
      message: expect.stringContaining('/dev/full: cannot be written: the disk is full'),
    });
  });

  test('says that the folder is not there', async () => {
    const lost = `${folder}/nowhere/a.nc`;
    await expect(writeNetcdf4(lost, content())).rejects.toMatchObject({ tag: 'file', subject: lost });
  });

  test.each<[string, Partial<NetcdfContent>, string]>([
    ['a dimension without length', { dimensions: new Map([['time', 0]]) }, 'NetCDF time: the dimension has no length'],
    [
      'an array along no dimension',
      { dimensions: new Map() },
      'NetCDF time: has a dimension that is not defined; received "time"',
    ],
    [
      'too few values',
      { arrays: [{ ...content().arrays[0], values: Int32Array.of(1) }] },
      'NetCDF time: has another number of values than its shape; received 1',
    ],
    [
      'two arrays of a name',
      { arrays: [content().arrays[0], content().arrays[0]] },
      'there are two arrays of this name',
    ],
    [
      'a name with a slash',
      { arrays: [{ ...content().arrays[0], name: 'a/b' }] },
      'NetCDF a/b: is not a name that NetCDF programs accept',
    ],
    [
      'an attribute of more than 64 KiB',
      { attributes: new Map([['history', 'x'.repeat(70_000)]]) },
      'attribute history: is too long for NetCDF4',
    ],
  ])('rejects %s', async (_, part, message) => {
    await expect(writeNetcdf4(path, { ...content(), ...part })).rejects.toThrow(message);
  });

  test.each([
    [Promise.resolve(content()), 'a Promise'],
    [{ table: content(), pairing: {} }, 'an object { table, pairing }'],
  ])('names what is no content, and what is', async (wrong, received) => {
    await expect(writeNetcdf4(path, wrong as never)).rejects.toThrow(
      `content: cannot be used; received ${received}; allowed: an Arrow table, or an object with dimensions, attributes, arrays`,
    );
  });
});

import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { NUMBER_ARRAYS, type NumberType } from '../../../src/core/number-arrays.js';
import type { ArrayFile } from '../../../src/files/array/array-file.js';
import { elements } from '../../../src/files/array/copy-box.js';
import { statisticsNetcdf } from '../../../src/files/cf/content/statistics-netcdf.js';
import { resultCube } from '../../../src/files/cf/content/table-results.js';
import type { NetcdfArray, NetcdfContent } from '../../../src/files/netcdf4/netcdf-content.js';
import { openArrays } from '../../../src/files/open-arrays.node.js';
import { writeNetcdf } from '../../../src/files/write-netcdf.node.js';
import { writeZarr } from '../../../src/files/write-zarr.node.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { hasPython, python } from '../../reference/foreign-programs.js';
import { ensembleTable } from '../cf/ensemble-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-zarr-'));
const at = (name: string) => join(folder, name);
const KINDS = ['statistics-grid', 'statistics-places', 'statistics-curvilinear', 'members-grid', 'members-places'];
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const core = await loadCore();
  const write = async (name: string, what: () => Table | NetcdfContent) => {
    await writeZarr(at(`${name}.zarr`), what());
    await writeNetcdf(at(`${name}.nc`), what());
  };
  for (const kind of ['grid', 'places'] as const) {
    const table = ensembleTable(kind);
    const result = statistics(core, table, { granularity: 'weekly', spread: true, thresholds: ['>60'] });
    await write(`statistics-${kind}`, () => result);
    await write(`members-${kind}`, () => table);
    if (kind === 'grid') continue;
    const found = resultCube(result);
    const grid = { ...found.grid, kind: 'places', shape: [3, 4] } as never;
    await write('statistics-curvilinear', () => statisticsNetcdf({ ...found, grid }));
  }
});

/** Arrays of all types, in chunks that do not divide the shape. */
const SHAPE = [3, 5];
const TYPES = Object.keys(NUMBER_ARRAYS) as NumberType[];
const valuesOf = (type: NumberType) => {
  const values = new NUMBER_ARRAYS[type](15);
  for (let i = 0; i < values.length; i++)
    values[i] = values instanceof BigInt64Array || values instanceof BigUint64Array ? BigInt(i) : i;
  return values;
};
const numbersContent = (): NetcdfContent => ({
  dimensions: new Map([
    ['y', 3],
    ['x', 5],
  ]),
  attributes: new Map<string, string | readonly number[]>([
    ['title', 'Ürbild'],
    ['range', [0.5, 2]],
  ]),
  arrays: [
    ...TYPES.map((type): NetcdfArray => {
      return {
        name: `of_${type}`,
        type,
        dimensions: ['y', 'x'],
        attributes: new Map(),
        chunk: [2, 2],
        values: valuesOf(type),
      };
    }),
    { name: 'names', type: 'text', dimensions: ['y'], attributes: new Map(), values: ['a', 'två', ''] },
    {
      name: 'crs',
      type: 'int32',
      dimensions: [],
      attributes: new Map([['grid_mapping_name', 'x']]),
      values: Int32Array.of(7),
    },
    {
      ...{ name: 'holes', type: 'float32', dimensions: ['y', 'x'], attributes: new Map(), chunk: [1, 5] },
      fillValue: Number.NaN,
      values: [{ start: [1, 1], count: [1, 2], values: Float32Array.of(1.5, -0) }],
    },
    {
      ...{ name: 'counts', type: 'int16', dimensions: ['y', 'x'], attributes: new Map(), fillValue: -9 },
      values: [{ start: [0, 0], count: [1, 5], values: Int16Array.of(1, 2, 3, 4, 5) }],
    },
  ],
});

async function contentOf(file: ArrayFile): Promise<Record<string, unknown>> {
  const content: Record<string, unknown> = { attributes: Object.fromEntries(file.attributes) };
  for (const [name, array] of file.arrays) {
    const { type, dimensions, shape, attributes } = array;
    const box = { start: shape.map(() => 0), count: shape };
    const values = type === 'text' ? undefined : new NUMBER_ARRAYS[type](elements(shape));
    const absent = values === undefined ? [] : await array.read(box, values);
    // Chunks that never got a value are not there.
    expect(absent.length, name).toBe({ holes: 2, counts: 0 }[name] ?? 0);
    const stored = values ?? (await array.readTexts());
    content[name] = { type, dimensions, shape, attributes: Object.fromEntries(attributes), stored };
  }
  return content;
}

const read = async (name: string) => {
  const file = await openArrays(at(name));
  try {
    return await contentOf(file);
  } finally {
    await file.close();
  }
};

test.each(KINDS)('a store has the arrays, attributes and values of the NetCDF file: %s', async (kind) => {
  const [store, file] = [await read(`${kind}.zarr`), await read(`${kind}.nc`)];
  expect(store).toEqual(file);
});

test('the same content gives the same bytes, and maps are chunks', async () => {
  const content: NetcdfContent = {
    dimensions: new Map([
      ['time', 3],
      ['y', 600],
      ['x', 700],
    ]),
    attributes: new Map(),
    arrays: [
      {
        ...{ name: 'rain', type: 'float32', dimensions: ['time', 'y', 'x'], attributes: new Map() },
        fillValue: Number.NaN,
        values: Float32Array.from({ length: 3 * 600 * 700 }, (_, i) => (i * 7919) % 1013),
      },
    ],
  };
  for (const name of ['once.zarr', 'twice.zarr']) await writeZarr(at(name), content);
  const filesOf = (name: string) => readdirSync(at(name), { recursive: true }).map(String).sort();
  expect(filesOf('once.zarr')).toEqual(filesOf('twice.zarr'));
  for (const name of filesOf('once.zarr').filter((path) => /\d$|json$/.test(path) && !/c\/\d(\/\d)?$/.test(path))) {
    expect(readFileSync(at(`once.zarr/${name}`)).equals(readFileSync(at(`twice.zarr/${name}`))), name).toBe(true);
  }
  const { chunk_grid } = JSON.parse(readFileSync(at('once.zarr/rain/zarr.json'), 'utf8'));
  expect(chunk_grid.configuration.chunk_shape).toEqual([1, 300, 700]);
  expect(filesOf('once.zarr').filter((name) => /^rain.c.\d.\d.\d$/.test(name))).toHaveLength(6);
});

test('a store is replaced as a whole, and nothing is left beside it', async () => {
  await writeZarr(at('replaced.zarr'), ensembleTable('grid'));
  await writeZarr(`${at('replaced.zarr')}/`, numbersContent(), { compression: 'none' });
  expect(existsSync(at('replaced.zarr/precipitation'))).toBe(false);
  expect(Object.keys(await read('replaced.zarr'))).toContain('of_int8');
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a store is left as it was where the new one cannot be written', async () => {
  await writeZarr(at('kept.zarr'), numbersContent());
  const before = await read('kept.zarr');
  const { arrays, ...rest } = numbersContent();
  const failing = {
    ...arrays[0],
    values: (async function* () {
      yield { start: [0, 0], count: [1, 5], values: Int8Array.of(1, 2, 3, 4, 5) };
      throw new Error('no more');
    })(),
  };
  await expect(writeZarr(at('kept.zarr'), { ...rest, arrays: [failing] })).rejects.toThrow('no more');
  const stop = new AbortController();
  const aborting = {
    ...arrays[0],
    values: (async function* () {
      yield { start: [0, 0], count: [1, 5], values: Int8Array.of(1, 2, 3, 4, 5) };
      stop.abort(new Error('stopped'));
      yield { start: [1, 0], count: [1, 5], values: Int8Array.of(1, 2, 3, 4, 5) };
    })(),
  };
  const aborted = writeZarr(at('kept.zarr'), { ...rest, arrays: [aborting] }, { signal: stop.signal });
  await expect(aborted).rejects.toThrow('stopped');
  expect(await read('kept.zarr')).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a file, or a folder that is no store, is not replaced', async () => {
  mkdirSync(at('photos'));
  writeFileSync(at('photos/a.jpg'), 'a');
  writeFileSync(at('file.zarr'), 'a');
  await expect(writeZarr(at('photos'), numbersContent())).rejects.toThrow('photos: is a folder that is no Zarr store');
  await expect(writeZarr(at('file.zarr'), numbersContent())).rejects.toThrow('file.zarr: is not a folder');
  await expect(writeZarr(at('none/a.zarr'), numbersContent())).rejects.toThrow(/cannot be written: there is no such/);
  expect(readdirSync(at('photos'))).toEqual(['a.jpg']);
});

test('what Zarr cannot store is an error before anything is written', async () => {
  const one = (array: Partial<NetcdfArray>): NetcdfContent => {
    const { arrays, ...rest } = numbersContent();
    return { ...rest, arrays: [{ ...arrays[0], ...array } as NetcdfArray] };
  };
  const write = (content: NetcdfContent, options = {}) => writeZarr(at('never.zarr'), content, options);
  await expect(write(one({ attributes: new Map([['valid_max', Number.POSITIVE_INFINITY]]) }))).rejects.toThrow(
    'Zarr of_int8, valid_max: cannot be stored; received Infinity',
  );
  await expect(write(one({ name: 'zarr.json' }))).rejects.toThrow('is a name that Zarr reserves');
  await expect(write(one({ name: '__x' }))).rejects.toThrow('is a name that Zarr reserves');
  await expect(write(one({ fillValue: Number.NaN }))).rejects.toThrow('Zarr of_int8, fillValue');
  await expect(write(one({ chunk: [9, 9] }))).rejects.toThrow('Zarr of_int8: its chunks do not fit its shape');
  await expect(write(one({}), { compression: 'gzip' })).rejects.toThrow('allowed: zstd, none');
  await expect(write(one({}), { deflate: 1 })).rejects.toThrow('deflate');
  expect(existsSync(at('never.zarr'))).toBe(false);
});

describe('zarr-python and xarray, with warnings as errors', () => {
  const there = hasPython('xarray', 'zarr', 'numpy', 'netCDF4', 'dask');
  const READ = `
import sys, json, numpy as np, xarray as xr, zarr
root = sys.argv[1]
for kind in sys.argv[2:]:
    store = xr.open_zarr(f'{root}/{kind}.zarr', consolidated=True).load()
    other = xr.open_dataset(f'{root}/{kind}.nc', engine='netcdf4').load()
    xr.testing.assert_identical(store, other)
    assert list(store.variables) == list(other.variables), (list(store.variables), list(other.variables))
    for name, values in store.variables.items():
        assert values.dtype == other[name].dtype, (name, values.dtype, other[name].dtype)
        assert values.values.tobytes() == other[name].values.tobytes(), name
        for key in 'units', 'calendar', '_FillValue', 'bounds', 'coordinates':
            a, b = values.encoding.get(key), other[name].encoding.get(key)
            assert a == b or (a != a and b != b), (name, key, a, b)
    scattered = xr.open_zarr(f'{root}/{kind}.zarr', consolidated=False).load()
    xr.testing.assert_identical(store, scattered)
print('ok')
`;

  test.runIf(there)('xarray reads what it reads of the NetCDF file, bit for bit', () => {
    expect(python(READ, { args: [folder, ...KINDS] }).trim()).toBe('ok');
  });

  const TYPED = `
import sys, json, numpy as np, zarr
group = zarr.open_consolidated(sys.argv[1], zarr_format=3)
found = {}
for name, array in group.arrays():
    values = array[...]
    found[name] = [str(array.dtype), list(array.chunks), list(array.metadata.dimension_names), [str(x) for x in np.asarray(values).ravel().tolist()]]
print(json.dumps([dict(group.attrs), found, str(group['holes'].fill_value), int(group['counts'].fill_value), [str(c) for c in group['holes'].compressors]]))
`;

  test.runIf(there).each(['zstd', 'none'] as const)(
    'zarr-python reads every type, compressed with %s',
    async (compression) => {
      await writeZarr(at('typed.zarr'), numbersContent(), { compression });
      const [attributes, found, fill, ofCounts, codecs] = JSON.parse(python(TYPED, { args: [at('typed.zarr')] }));
      expect(attributes).toEqual({ title: 'Ürbild', range: [0.5, 2] });
      for (const type of TYPES) {
        const [dtype, chunk, names, values] = found[`of_${type}`];
        expect([dtype, chunk, names]).toEqual([type, [2, 2], ['y', 'x']]);
        expect(values.map(Number), type).toEqual(Array.from({ length: elements(SHAPE) }, (_, i) => i));
      }
      expect(found.names[3]).toEqual(['a', 'två', '']);
      expect(found.crs).toEqual(['int32', [], [], ['7']]);
      const nans = (count: number) => Array(count).fill('nan');
      expect(found.holes[3]).toEqual([...nans(6), '1.5', '-0.0', ...nans(7)]);
      expect(found.counts[3]).toEqual(['1', '2', '3', '4', '5', ...Array(10).fill('-9')]);
      expect([fill, ofCounts]).toEqual(['nan', -9]);
      expect(codecs).toEqual(compression === 'none' ? [] : ['ZstdCodec(level=3, checksum=False)']);
    },
  );
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../../../src/core/load.js';
import { tableOverRegions } from '../../../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../../../src/files/node.js';
import { hasPython, python } from '../../../reference/foreign-programs.js';

const core = await loadCore();
const folder = mkdtempSync(join(tmpdir(), 'plumecast-masks-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const LATITUDES = [50, 49, 48, 47];
const LONGITUDES = [10, 11, 12, 13, 14];
const cells = LATITUDES.length * LONGITUDES.length;
const DAYS = 2;
const value = (day: number, cell: number) => Math.fround(((cell * 37) % 29) + day / 8);

interface Array {
  readonly name: string;
  readonly type?: 'float64' | 'float32' | 'int16' | 'int8' | 'text';
  readonly dimensions: readonly string[];
  readonly values: ArrayLike<unknown>;
  readonly attributes?: Record<string, unknown>;
}

function axes(latitudes: readonly number[], longitudes: readonly number[]): Array[] {
  return [
    { name: 'latitude', dimensions: ['latitude'], values: latitudes, attributes: { units: 'degrees_north' } },
    { name: 'longitude', dimensions: ['longitude'], values: longitudes, attributes: { units: 'degrees_east' } },
  ];
}

const TYPES = { float64: Float64Array, float32: Float32Array, int16: Int16Array, int8: Int8Array };

async function write(name: string, arrays: readonly Array[]): Promise<void> {
  const dimensions = new Map<string, number>();
  const whole = arrays.map(({ type = 'float64', values, attributes = {}, ...array }) => {
    if (array.dimensions.length === 1) dimensions.set(array.dimensions[0], values.length);
    const typed = type === 'text' ? values : TYPES[type].from(values as ArrayLike<number>);
    return { ...array, type, values: typed, attributes: new Map(Object.entries(attributes)) };
  });
  await writeNetcdf(at(name), { attributes: new Map(), dimensions, arrays: whole } as never);
}

const ON_GRID = axes(LATITUDES, LONGITUDES);
const PLANE = ['latitude', 'longitude'];
const REGION = { name: 'region', dimensions: ['region'], values: [3, 7] };
const NAMES: Array = { name: 'names', type: 'text', dimensions: ['region'], values: ['Upper Inn', 'Lower Inn'] };
const all = <T>(of: (cell: number) => T) => Array.from({ length: cells }, (_, cell) => of(cell));
/** Shares of cells: the region in the north, and one across the middle that overlaps with it. */
const UPPER = all((cell) => (cell < 5 ? 1 : cell < 10 ? 0.25 * (cell % 5) : 0));
const LOWER = all((cell) => (cell >= 5 && cell % 5 > 1 ? (cell % 7) / 8 : 0));
const NUMBERS = all((cell) => (cell % 5 === 0 ? 0 : cell < 10 ? 7 : 3));
const FLAGS = { flag_values: Int16Array.from([3, 7]), flag_meanings: 'Three Seven' };

beforeAll(() =>
  write('run.nc', [
    ...ON_GRID,
    { name: 'time', dimensions: ['time'], values: [0, 1], attributes: { units: 'days since 2026-03-02' } },
    {
      ...{ name: 't2m', type: 'float32', dimensions: ['time', ...PLANE] },
      values: Array.from({ length: DAYS * cells }, (_, i) => value(Math.floor(i / cells), i % cells)),
      attributes: { units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' },
    },
  ]),
);

/** The means by area of cells with shares, by hand, on both days. */
function meansOf(shares: readonly number[]): number[] {
  const half = Math.PI / 360;
  const weights = shares.map((share, cell) => {
    const latitude = (LATITUDES[Math.floor(cell / LONGITUDES.length)] * Math.PI) / 180;
    return share * (Math.sin(latitude + half) - Math.sin(latitude - half));
  });
  const whole = weights.reduce((sum, weight) => sum + weight);
  return [0, 1].map((day) => weights.reduce((sum, weight, cell) => sum + weight * value(day, cell), 0) / whole);
}

interface Found {
  readonly means: Readonly<Record<string, readonly number[]>>;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

async function over(mask: string): Promise<Found> {
  const [file, regions] = [await openArrays(at('run.nc')), await openArrays(at(mask))];
  try {
    const { table, ...said } = await tableOverRegions(core, file, regions, { variable: 'temp_mean' });
    const means: Record<string, number[]> = {};
    for (const { region, member_00 } of table) means[region] = [...(means[region] ?? []), member_00];
    return { means, ...said };
  } finally {
    await file.close();
    await regions.close();
  }
}

async function expectMeans(mask: string, expected: Readonly<Record<string, readonly number[]>>): Promise<void> {
  const { means } = await over(mask);
  expect(Object.keys(means)).toEqual(Object.keys(expected));
  for (const [name, shares] of Object.entries(expected)) {
    for (const [day, mean] of meansOf(shares).entries()) expect(means[name][day], name).toBeCloseTo(mean, 5);
  }
}

describe('a mask', () => {
  it('of shares has a dimension of regions, first or last, with names beside it, and may have rows in another order', async () => {
    const both = { 'Upper Inn': UPPER, 'Lower Inn': LOWER };
    await write('shares.nc', [
      ...ON_GRID,
      ...[REGION, NAMES],
      { name: 'mask', dimensions: ['region', ...PLANE], values: [...UPPER, ...LOWER] },
    ]);
    await expectMeans('shares.nc', both);
    const southFirst = all((cell) => (LATITUDES.length - 1 - Math.floor(cell / 5)) * 5 + (cell % 5));
    await write('last.nc', [
      ...axes([...LATITUDES].reverse(), LONGITUDES),
      ...[REGION, NAMES],
      {
        name: 'mask',
        dimensions: [...PLANE, 'region'],
        values: southFirst.flatMap((cell) => [UPPER[cell], LOWER[cell]]),
      },
    ]);
    await expectMeans('last.nc', both);
  });

  it('may have longitudes before latitudes', async () => {
    const columns = LONGITUDES.flatMap((_, x) => LATITUDES.map((__, y) => y * LONGITUDES.length + x));
    const dimensions = ['longitude', 'latitude'];
    const numbers = columns.map((cell) => NUMBERS[cell]);
    const mask = { name: 'mask', type: 'int16' as const, dimensions, values: numbers, attributes: FLAGS };
    await write('columns.nc', [...ON_GRID, mask]);
    await expectMeans('columns.nc', {
      Three: NUMBERS.map((number) => Number(number === 3)),
      Seven: NUMBERS.map((number) => Number(number === 7)),
    });
    const shares = columns.flatMap((cell) => [UPPER[cell], LOWER[cell]]);
    const layers = { name: 'mask', dimensions: [...dimensions, 'region'], values: shares };
    await write('columns-of-shares.nc', [...ON_GRID, REGION, NAMES, layers]);
    await expectMeans('columns-of-shares.nc', { 'Upper Inn': UPPER, 'Lower Inn': LOWER });
  });

  it('may have percents, and regions that only their coordinate names', async () => {
    const values = [...UPPER, ...LOWER].map((share) => 100 * share);
    const attributes = { units: '%' };
    await write('percent.nc', [
      ...ON_GRID,
      REGION,
      { name: 'mask', dimensions: ['region', ...PLANE], values, attributes },
    ]);
    await expectMeans('percent.nc', { 3: UPPER, 7: LOWER });
  });

  it('of shares without a dimension of regions is one region with the name of the array', async () => {
    await write('one.nc', [...ON_GRID, { name: 'catchment', dimensions: PLANE, values: UPPER }]);
    await expectMeans('one.nc', { catchment: UPPER });
    const values = all((cell) => Number(cell % 3 === 0));
    await write('whole.nc', [...ON_GRID, { name: 'catchment', dimensions: PLANE, values }]);
    await expectMeans('whole.nc', { catchment: values });
  });

  it('of whole numbers has the names of its flags, also beside other arrays', async () => {
    const numbers = { name: 'basin', type: 'int16' as const, dimensions: PLANE, values: NUMBERS };
    const expected = { Three: NUMBERS.map((one) => Number(one === 3)), Seven: NUMBERS.map((one) => Number(one === 7)) };
    await write('flags.nc', [...ON_GRID, { ...numbers, attributes: FLAGS }]);
    await expectMeans('flags.nc', expected);
    const area = { name: 'area', dimensions: PLANE, values: all(() => 1) };
    await write('beside.nc', [...ON_GRID, { ...numbers, attributes: FLAGS }, area]);
    await expectMeans('beside.nc', expected);
    await write('numbers.nc', [...ON_GRID, numbers]);
    await expectMeans('numbers.nc', { 3: expected.Three, 7: expected.Seven });
  });

  it('has a region 0 where other cells have no number', async () => {
    const values = NUMBERS.map((one) => (one === 7 ? Number.NaN : one));
    await write('zero.nc', [...ON_GRID, { name: 'basin', type: 'float32', dimensions: PLANE, values }]);
    const of = (number: number) => NUMBERS.map((one) => Number(one === number));
    await expectMeans('zero.nc', { 0: of(0), 3: of(3) });
  });

  it('may go on beyond the grid, with longitudes from -180 to 180 or to 360', async () => {
    const rows = [51, ...LATITUDES];
    for (const west of [0, -180]) {
      const longitudes = Array.from({ length: 360 }, (_, x) => west + x);
      const values = rows.flatMap(() => longitudes.map((longitude) => Number(longitude === 13 || longitude === 14)));
      await write('larger.nc', [...axes(rows, longitudes), { name: 'east', type: 'int8', dimensions: PLANE, values }]);
      const { means, warnings } = await over('larger.nc');
      expect(means.east[0]).toBeCloseTo(meansOf(all((cell) => Number(cell % 5 > 2)))[0], 5);
      expect(warnings).toEqual([]);
    }
  });

  it('leaves regions without any cell out, with a note', async () => {
    const values = [...UPPER, ...all(() => 0)];
    await write('empty.nc', [...ON_GRID, REGION, NAMES, { name: 'mask', dimensions: ['region', ...PLANE], values }]);
    const { means, notes } = await over('empty.nc');
    expect(Object.keys(means)).toEqual(['Upper Inn']);
    expect(notes).toContain('left out of the mask, without any cell: Lower Inn');
  });

  const plane = (latitudes: readonly number[], longitudes: readonly number[]): Array[] => [
    ...axes(latitudes, longitudes),
    {
      name: 'basin',
      type: 'int8',
      dimensions: PLANE,
      values: latitudes.flatMap(() => longitudes.map((_, x) => x % 3)),
    },
  ];
  const steps = (first: number, step: number, length: number) => Array.from({ length }, (_, i) => first + i * step);
  it.each<[string, Array[], string]>([
    [
      'of finer cells, of which each cell of the grid is one',
      plane(steps(50, -0.5, 7), steps(10, 0.5, 9)),
      'column basin: is on another grid than RUN, with cells between the ones of the grid; ' +
        'received "7 x 9 cells, latitudes 50 to 47, longitudes 10 to 14"; allowed: 4 x 5 cells, latitudes 50 to 47, longitudes 10 to 14',
    ],
    ['between the cells of the grid', plane(steps(50.5, -1, 5), LONGITUDES), 'without a cell at 50, 10'],
    ['of fewer cells', plane(LATITUDES, LONGITUDES.slice(1)), 'without a cell at 50, 10'],
    ['of stations', [{ name: 'number', dimensions: ['place'], values: [1, 2] }], 'number'],
    [
      'of numbers that are no shares',
      [...ON_GRID, REGION, { name: 'mask', dimensions: ['region', ...PLANE], values: [...UPPER, ...all(() => 1.5)] }],
      'column mask: is no mask of regions; received 1.5; allowed: shares of cells from 0 to 1',
    ],
    [
      'of numbers that are not whole',
      [...ON_GRID, { name: 'basin', dimensions: PLANE, values: all((cell) => cell / 2) }],
      'received 0.5; allowed: whole numbers, one for each region, or shares of one region from 0 to 1',
    ],
    [
      'of numbers that no flag names',
      [...ON_GRID, { name: 'basin', type: 'int8', dimensions: PLANE, values: all(() => 4), attributes: FLAGS }],
      'received 4; allowed: the flag_values 3, 7',
    ],
    [
      'of regions without cells',
      [
        ...ON_GRID,
        REGION,
        { name: 'mask', dimensions: ['region', ...PLANE], values: [...all(() => 0), ...all(() => 0)] },
      ],
      'received "no cells"; allowed: at least one cell of a region',
    ],
    [
      'of two arrays',
      [...ON_GRID, ...['one', 'two'].map((name) => ({ name, dimensions: PLANE, values: UPPER }))],
      'has several arrays that may be the mask; received "one, two"',
    ],
  ])('%s is an error', async (_, arrays, text) => {
    await write('wrong.nc', arrays);
    await expect(over('wrong.nc')).rejects.toThrow(text.replace('RUN', at('run.nc')));
  });
});

describe.skipIf(!hasPython('xarray', 'netCDF4', 'zarr'))('masks as regionmask writes them', () => {
  it('give the means of groupby and weighted of xarray, by their names', async () => {
    const lines = python(
      `
import sys, warnings
import numpy as np, xarray as xr
run = xr.open_dataset(sys.argv[1])
names = {'names': ('region', ['Upper Inn', 'Lower Inn']), 'abbrevs': ('region', ['UI', 'LI']), 'region': [3, 7]}
plane = {'latitude': run.latitude, 'longitude': run.longitude}
numbers = xr.DataArray(np.where(run.t2m[0] > 20, 3., np.where(run.t2m[0] > 12, 7., np.nan)), plane, name='mask',
    attrs={'standard_name': 'region', 'flag_values': np.array([3, 7]), 'flag_meanings': 'UI LI'})
layers = xr.concat([numbers == 3, numbers == 7], 'region').assign_coords(names).rename('mask')
layers.attrs = {'standard_name': 'region'}
numbers.to_netcdf(sys.argv[2] + '/2d.nc')
layers.to_netcdf(sys.argv[2] + '/3d.nc')
warnings.simplefilter('ignore')
layers.to_zarr(sys.argv[2] + '/3d.zarr')
half = np.radians(0.5)
area = np.sin(np.radians(run.latitude) + half) - np.sin(np.radians(run.latitude) - half)
weights = (area * xr.ones_like(run.longitude)).rename('area')
sums = (run.t2m * weights).groupby(numbers.rename('number')).sum() / weights.groupby(numbers.rename('number')).sum()
print(*sums.transpose('number', 'time').values.ravel())
print(*run.t2m.weighted(weights * layers).mean(('latitude', 'longitude')).transpose('region', 'time').values.ravel())
`,
      { args: [at('run.nc'), folder] },
    );
    const [grouped, weighted] = lines
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    for (const [mask, names, expected] of [
      ['2d.nc', ['UI', 'LI'], grouped],
      ['3d.nc', ['Upper Inn', 'Lower Inn'], weighted],
      ['3d.zarr', ['Upper Inn', 'Lower Inn'], weighted],
    ] as const) {
      const { means } = await over(mask);
      expect(Object.keys(means)).toEqual(names);
      for (const [i, mean] of Object.values(means).flat().entries()) expect(mean, mask).toBeCloseTo(expected[i], 4);
    }
  });
});

import { type RecordBatch, Table } from 'apache-arrow';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import type { ResultCube } from '../../../src/files/cf/content/result-cube.js';
import { statisticsNetcdf } from '../../../src/files/cf/content/statistics-netcdf.js';
import { isStatisticsTable, resultCube } from '../../../src/files/cf/content/table-results.js';
import type { NetcdfArray, ValueBox } from '../../../src/files/netcdf4/netcdf-content.js';
import { windowTable } from '../../../src/period/period.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { columnsOf } from '../table-rows.js';
import { ensembleTable } from './ensemble-tables.js';
import { valuesOf } from './read-content.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const [ny, nx, weeks] = [2, 3, 4];
const names = ['n_members', 'mean', 'q05', 'q100', 'spread', 'p_gt_20', 'p_below', 'p_gt_clim_q90', 'anomaly'];

/** Results whose values show column, window and cell; parts are read into one buffer, as from a file. */
function results(grid: ResultCube['grid']): ResultCube {
  const buffer = new Float32Array(ny * nx * weeks);
  return {
    variable: findVariable('precipitation'),
    units: 'mm',
    window: 'sum',
    metadata: new Map([
      ['granularity', 'weekly'],
      ['history', 'made by hand'],
      ['bad name', 'x'],
    ]),
    grid,
    windows: windowTable('weekly', 20_003, 20_003 + 7 * weeks - 1),
    columns: names.map((name) => ({ name, type: name === 'n_members' ? 'int32' : 'float32' })),
    read(column, first, count) {
      const values = buffer.subarray(0, count * ny * nx);
      return values.map((_, i) => column * 1000 + first * ny * nx + i);
    },
  };
}

const rectilinear = {
  kind: 'rectilinear',
  latitude: Float64Array.of(50, 49),
  longitude: Float64Array.of(0, 1, 2),
} as const;
const codes = (column: number) => Array.from({ length: weeks * ny * nx }, (_, i) => column * 1000 + i);

describe('statisticsNetcdf', () => {
  test('has an array for each column, and one for all quantiles', async () => {
    const content = statisticsNetcdf(results(rectilinear));
    expect([...content.dimensions]).toEqual([
      ['time', 4],
      ['bnds', 2],
      ['quantile', 2],
      ['latitude', 2],
      ['longitude', 3],
    ]);
    for (const [column, name] of names.entries()) {
      if (/^q\d/.test(name)) continue;
      expect(await valuesOf(content, `precipitation_${name}`), name).toEqual(codes(column));
    }
    expect(await valuesOf(content, 'precipitation_quantile')).toEqual([...codes(2), ...codes(3)]);
    expect(await valuesOf(content, 'quantile')).toEqual([0.05, 1]);
  });

  test('reads large grids some windows at a time', async () => {
    const [latitude, longitude] = [
      Float64Array.from({ length: 300 }, (_, y) => y),
      new Float64Array(500).map((_, x) => x),
    ];
    const content = statisticsNetcdf({
      ...results({ kind: 'rectilinear', latitude, longitude }),
      columns: ['mean', 'q05', 'q95'].map((name) => ({ name, type: 'float32' })),
      read: (column, first, count) => new Float32Array(count * 150_000).fill(10 * column + first),
    });
    const boxes = async (name: string) => {
      const found: unknown[] = [];
      const array = content.arrays.find((candidate) => candidate.name === name);
      for await (const { start, count, values } of (array as NetcdfArray).values as AsyncIterable<ValueBox>) {
        found.push([start, count, values[0], values.length]);
      }
      return found;
    };
    expect(await boxes('precipitation_mean')).toEqual([0, 1, 2, 3].map((w) => [[w, 0, 0], [1, 300, 500], w, 150_000]));
    expect(await boxes('precipitation_quantile')).toEqual(
      [0, 1].flatMap((q) => [0, 1, 2, 3].map((w) => [[q, w, 0, 0], [1, 1, 300, 500], 10 * (q + 1) + w, 150_000])),
    );
  });

  test('states windows by their first day, bounds, completeness and days', async () => {
    const content = statisticsNetcdf(results(rectilinear));
    expect(await valuesOf(content, 'time')).toEqual([20_003, 20_010, 20_017, 20_024]);
    expect(await valuesOf(content, 'time_bnds')).toEqual([
      20_003, 20_010, 20_010, 20_017, 20_017, 20_024, 20_024, 20_031,
    ]);
    expect(await valuesOf(content, 'complete')).toEqual([1, 1, 1, 1]);
    expect(await valuesOf(content, 'n_days')).toEqual([7, 7, 7, 7]);
  });

  test('describes values by CF, and keeps the texts of the input', () => {
    const content = statisticsNetcdf(results(rectilinear));
    expect(
      content.arrays.map(({ name, dimensions, attributes }) => [
        `${name}(${dimensions.join(', ')})`,
        Object.fromEntries(attributes),
      ]),
    ).toMatchSnapshot();
    expect(Object.fromEntries(content.attributes)).toEqual({
      Conventions: 'CF-1.8',
      title: 'weekly statistics of precipitation over the members of an ensemble',
      history: 'made by hand\nplumecast: weekly statistics of precipitation over the members of an ensemble',
      granularity: 'weekly',
    });
  });

  test('writes coordinates for each cell where cells have no axes', () => {
    const [latitude, longitude] = [new Float64Array(6).map((_, i) => i), new Float64Array(6).map((_, i) => 2 * i)];
    const dimensionsOf = (shape: number[]) => {
      const content = statisticsNetcdf(results({ kind: 'places', latitude, longitude, shape }));
      const array = (name: string) => content.arrays.find((candidate) => candidate.name === name);
      expect(array('precipitation_mean')?.attributes.get('coordinates')).toBe('latitude longitude');
      return [array('latitude')?.dimensions, array('precipitation_mean')?.dimensions];
    };
    expect(dimensionsOf([6])).toEqual([['location'], ['time', 'location']]);
    expect(dimensionsOf([2, 3])).toEqual([
      ['y', 'x'],
      ['time', 'y', 'x'],
    ]);
  });
});

describe('resultCube', () => {
  const options = { granularity: 'weekly', thresholds: ['>20'], spread: true } as const;

  test.each(['by place', 'by day'] as const)('arranges statistics of a table %s on their grid', async (order) => {
    const table = statistics(core, ensembleTable('grid', order), options);
    const found = resultCube(table);
    expect(isStatisticsTable(table)).toBe(true);
    expect(found.grid).toMatchObject({ kind: 'rectilinear', latitude: Float64Array.of(50, 49.75, 49.5) });
    expect(found.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'n_members int32',
      ...['mean', 'q05', 'q25', 'q50', 'q75', 'q95', 'spread', 'p_gt_20'].map((name) => `${name} float32`),
    ]);
    const byPlace = columnsOf(statistics(core, ensembleTable('grid'), options));
    for (const [index, { name }] of found.columns.entries()) {
      const values = await found.read(index, 0, 3);
      const expected = Array.from({ length: 36 }, (_, i) => byPlace[name][(i % 12) * 3 + Math.floor(i / 12)]);
      expect([...values].map((value) => (Number.isNaN(value) ? null : value))).toEqual(expected);
      expect([...(await found.read(index, 1, 1))]).toEqual([...values].slice(12, 24));
    }
  });

  test('has missing values where there is no row', async () => {
    const table = statistics(core, ensembleTable('grid'), options);
    const found = resultCube(table.slice(1));
    expect([...(await found.read(1, 0, 1))].slice(0, 2)).toEqual([Number.NaN, table.getChild('mean')?.get(3)]);
    expect((await found.read(0, 0, 1))[0]).toBe(0);
  });

  test('rejects two rows of one place and window, and rows of one window that contradict each other', () => {
    const table = statistics(core, ensembleTable('grid'), options);
    const twice = new Table([...table.batches, ...table.slice(0, 1).batches] as RecordBatch[]);
    expect(() => resultCube(twice, { source: 'a.csv' })).toThrow(
      'a.csv, row 37: has the same place and window as a row before',
    );
    const partial = statistics(core, ensembleTable('places').slice(1), { ...options, partial: true });
    expect(() => resultCube(partial)).toThrow('has a window that contradicts rows before');
  });
});

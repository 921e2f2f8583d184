import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { statisticsNetcdf } from '../../../src/files/cf/content/statistics-netcdf.js';
import { resultCube } from '../../../src/files/cf/content/table-results.js';
import { tableNetcdf } from '../../../src/files/cf/table-ensemble.js';
import { writeNetcdf4 } from '../../../src/files/netcdf4/write-netcdf4.node.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { hasProgram, hasPython, python, said } from '../../reference/foreign-programs.js';
import { columnsOf } from '../table-rows.js';
import { ensembleTable, valueAt } from './ensemble-tables.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-netcdf-'));
const file = (name: string) => join(folder, `${name}.nc`);
const KINDS = ['grid', 'places', 'curvilinear'] as const;
const weekly: Partial<Record<(typeof KINDS)[number], Table>> = {};

beforeAll(async () => {
  const core = await loadCore();
  for (const kind of KINDS) {
    const table = ensembleTable(kind === 'curvilinear' ? 'places' : kind);
    const result = statistics(core, table, { granularity: 'weekly', spread: true, thresholds: ['>60'] });
    weekly[kind] = result;
    const found = resultCube(result);
    const { grid } = found;
    const content =
      grid.kind === 'places' && kind === 'curvilinear' ? { ...found, grid: { ...grid, shape: [3, 4] } } : found;
    await writeNetcdf4(file(`statistics-${kind}`), statisticsNetcdf(content), { deflate: kind === 'grid' ? 1 : 0 });
    if (kind !== 'curvilinear') await writeNetcdf4(file(`members-${kind}`), tableNetcdf(table));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DUMP = `
import json, sys, numpy, xarray
found = {}
for path in sys.argv[2:]:
    with xarray.open_dataset(path, engine=sys.argv[1]) as d:
        d.load()
        found[path] = {
            'sizes': dict(d.sizes), 'attributes': d.attrs, 'coordinates': sorted(d.coords),
            'time': [str(t)[:10] for t in d.time.values],
            'units': {name: v.attrs.get('units') for name, v in d.data_vars.items() if 'units' in v.attrs},
            'values': {name: [None if x != x else float(x) for x in numpy.ravel(v.values)]
                       for name, v in d.data_vars.items() if v.dtype.kind in 'fi'}}
print(json.dumps(found))
`;

interface Dump {
  sizes: Record<string, number>;
  attributes: Record<string, string>;
  coordinates: string[];
  time: string[];
  units: Record<string, string>;
  values: Record<string, (number | null)[]>;
}

describe.each(['netcdf4', 'h5netcdf'])('xarray by %s, with warnings as errors', (engine) => {
  const there = hasPython('xarray', 'numpy', ...(engine === 'netcdf4' ? ['netCDF4'] : ['h5netcdf', 'h5py']));
  let dumps: Record<string, Dump>;
  const dump = (name: string) => dumps[file(name)];

  beforeAll(() => {
    const files = [...KINDS.map((kind) => `statistics-${kind}`), 'members-grid', 'members-places'].map(file);
    if (there) dumps = JSON.parse(python(DUMP, { args: [engine, ...files] }));
  });

  test.runIf(there).each(KINDS)('reads the values and metadata of statistics, %s', (kind) => {
    const { sizes, attributes, coordinates, time, units, values } = dump(`statistics-${kind}`);
    const cells = { grid: { latitude: 3, longitude: 4 }, places: { location: 12 }, curvilinear: { y: 3, x: 4 } }[kind];
    expect(sizes).toEqual({ time: 3, bnds: 2, quantile: 5, ...cells });
    expect(coordinates).toEqual(['latitude', 'longitude', 'quantile', 'time']);
    expect(time).toEqual(['2024-10-07', '2024-10-14', '2024-10-21']);
    expect(attributes).toMatchObject({ Conventions: 'CF-1.8', institution: 'Bureau météo', granularity: 'weekly' });
    expect(units).toMatchObject({ precipitation_mean: 'mm', precipitation_quantile: 'mm', precipitation_p_gt_60: '1' });
    const columns = columnsOf(weekly[kind] as Table);
    const byWindow = (name: string, window: number) =>
      Array.from({ length: 12 }, (_, place) => columns[name][place * 3 + window] as number | null);
    const windows = [0, 1, 2];
    for (const name of ['mean', 'spread', 'p_gt_60', 'n_members']) {
      expect(values[`precipitation_${name}`], name).toEqual(windows.flatMap((window) => byWindow(name, window)));
    }
    expect(values.precipitation_quantile).toEqual(
      ['q05', 'q25', 'q50', 'q75', 'q95'].flatMap((name) => windows.flatMap((window) => byWindow(name, window))),
    );
  });

  test.runIf(there).each(['grid', 'places'])('reads the values of members, %s', (kind) => {
    const { sizes, coordinates, values } = dump(`members-${kind}`);
    expect(sizes).toMatchObject({ time: 21, realization: 3 });
    expect(coordinates).toEqual(['latitude', 'longitude', 'realization', 'time']);
    const expected = Array.from({ length: 21 * 3 * 12 }, (_, i) => {
      const value = valueAt(Math.floor(i / 12) % 3, i % 12, Math.floor(i / 36));
      return Number.isNaN(value) ? null : value;
    });
    expect(values.precipitation).toEqual(expected);
  });
});

describe('CDO', () => {
  /** CDO warns that it skips quantiles, whose dimension is left of time. */
  const cdo = (...args: string[]) => spawnSync('cdo', ['-s', ...args], { encoding: 'utf8', timeout: 110_000 }).stdout;

  const there = hasProgram('cdo', '--version');

  test.runIf(there).each(KINDS)('reads the grid and the times of statistics, %s', (kind) => {
    const grid = cdo('griddes', '-selname,precipitation_mean', file(`statistics-${kind}`));
    expect(/gridtype {2}= (\w+)/.exec(grid)?.[1]).toBe(
      { grid: 'lonlat', places: 'unstructured', curvilinear: 'curvilinear' }[kind],
    );
    expect(cdo('showdate', '-selname,precipitation_mean', file(`statistics-${kind}`)).trim()).toBe(
      '2024-10-07  2024-10-14  2024-10-21',
    );
  });

  test.runIf(there).each(['grid', 'places'])('reads the values of members, %s', (kind) => {
    const path = file(`members-${kind}`);
    const text = said('cdo', ['-s', 'outputf,%.9g,1', '-seltimestep,10', '-sellevidx,2', path]);
    const values = text.trim().split(/\s+/).map(Number);
    const expected = Array.from({ length: 12 }, (_, place) => valueAt(1, place, 9));
    expect(values.filter((_, place) => place !== 2).map(Math.fround)).toEqual(
      expected.filter((_, place) => place !== 2),
    );
  });
});

describe('ncdump', () => {
  test.runIf(hasProgram('ncdump'))('takes the file for NetCDF-4, with dimensions and attributes in their order', () => {
    const header = said('ncdump', ['-hs', file('statistics-grid')]);
    expect(header).toContain(':_Format = "netCDF-4"');
    const order = [
      ...header.matchAll(/^\t(?:float|int|double) (\w+)\(|^\t(\w+) = (?:\d+|UNLIMITED) ;|^\t\t:(\w+) =/gm),
    ];
    expect(order.map(([, array, dimension, attribute]) => array ?? dimension ?? attribute)).toEqual([
      ...['time', 'bnds', 'quantile', 'latitude', 'longitude'],
      ...['time', 'time_bnds', 'quantile', 'latitude', 'longitude', 'complete', 'n_days'],
      ...['n_members', 'mean', 'quantile', 'spread', 'p_gt_60'].map((name) => `precipitation_${name}`),
      ...['Conventions', 'title', 'history', 'institution', 'granularity', 'window'],
      ...['_SuperblockVersion', '_IsNetcdf4', '_Format'],
    ]);
  });
});

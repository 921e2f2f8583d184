import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeNetcdf } from '../../src/files/node.js';
import { hasProgram, hasPython, python, said } from '../reference/foreign-programs.js';
import { type Position, sharedArea } from '../reference/region-areas.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const LATITUDES = [50, 49, 48, 47, 46];
const LONGITUDES = [10, 11, 12, 13, 14, 15];
const [rows, columns] = [LATITUDES.length, LONGITUDES.length];
const cells = rows * columns;
const DAYS = 7;
const MEMBERS = 3;
/** A value that tells the cell, the day and the member. */
const value = (member: number, day: number, cell: number) => Math.fround(((cell * 37) % 29) + day / 8 + member / 16);
const boxOf = (cell: number): Position[] => {
  const [y, x] = [LATITUDES[Math.floor(cell / columns)], LONGITUDES[cell % columns]];
  return [
    [x - 0.5, y - 0.5],
    [x + 0.5, y - 0.5],
    [x + 0.5, y + 0.5],
    [x - 0.5, y + 0.5],
  ];
};
const closed = (ring: readonly Position[]): Position[] => [...ring, ring[0]];

const CATCHMENT: Position[] = [
  [11.2, 46.3],
  [13.4, 46.9],
  [14.1, 48.8],
  [12.2, 49.3],
  [10.9, 47.7],
];
const LAKE: Position[] = [
  [12, 47.4],
  [12.6, 47.5],
  [12.5, 48.1],
];
const ONE_CELL = boxOf(8);
const feature = (properties: object, ...coordinates: (readonly Position[])[]) => ({
  ...{ type: 'Feature', properties, geometry: { type: 'Polygon', coordinates } },
});
const geoJson = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });
const { folder, remove } = folderWith({
  'regions.geojson': geoJson(
    feature({ name: 'Catchment', river: 'Inn' }, closed(CATCHMENT), closed(LAKE)),
    feature({ name: 'Cell' }, closed(ONE_CELL)),
  ),
  'regions.topojson': JSON.stringify({
    type: 'Topology',
    objects: {
      regions: {
        type: 'GeometryCollection',
        geometries: [{ type: 'Polygon', arcs: [[0]], properties: { name: 'Cell' } }],
      },
    },
    arcs: [closed(ONE_CELL)],
  }),
  'other-name.geojson': geoJson(
    feature({ HYBAS_ID: 2060 }, closed(CATCHMENT)),
    feature({ HYBAS_ID: 2061 }, closed(ONE_CELL)),
  ),
  'no-name.geojson': geoJson(feature({ name: 'A' }, closed(CATCHMENT)), feature({ river: 'Inn' }, closed(ONE_CELL))),
  'twice.geojson': geoJson(feature({ name: 'A' }, closed(CATCHMENT)), feature({ name: 'A' }, closed(ONE_CELL))),
  'bare.geojson': JSON.stringify({ type: 'Polygon', coordinates: [closed(ONE_CELL)] }),
  'far.geojson': geoJson(feature({ name: 'Far' }, closed(CATCHMENT.map(([x, y]): Position => [x + 60, y])))),
  'some-far.geojson': geoJson(
    feature({ name: 'Far' }, closed(CATCHMENT.map(([x, y]): Position => [x + 60, y]))),
    feature({ name: 'Cell' }, closed(ONE_CELL)),
  ),
  'swapped.geojson': geoJson(feature({ name: 'A' }, closed(CATCHMENT.map(([x, y]): Position => [y, x])))),
  'swapped-far.geojson': geoJson(
    feature(
      { name: 'A' },
      closed([
        [36, -120],
        [37, -119],
        [38, -121],
      ]),
    ),
  ),
  'bow.geojson': geoJson(
    feature(
      { name: 'Bow' },
      closed([
        [11, 47],
        [13, 49],
        [13, 47],
        [11, 48.5],
      ]),
    ),
  ),
  'line.geojson': geoJson({
    type: 'Feature',
    properties: { name: 'A' },
    geometry: { type: 'LineString', coordinates: CATCHMENT },
  }),
  'overlap.geojson': geoJson({
    ...{ type: 'Feature', properties: { name: 'Twice' } },
    geometry: {
      type: 'MultiPolygon',
      coordinates: [
        [closed(CATCHMENT)],
        [
          closed([
            [11.8, 47.6],
            [12.3, 47.6],
            [12.3, 48],
          ]),
        ],
      ],
    },
  }),
  'edge.geojson': geoJson(
    feature(
      { name: 'Edge' },
      closed([
        [14.6, 46.5],
        [16.4, 46.5],
        [16.4, 49.5],
        [14.6, 49.5],
      ]),
    ),
  ),
});
afterAll(remove);
const at = (name: string) => join(folder, name);

const numbers = (own: string, dimensions: string[], values: readonly number[], attributes: Record<string, string>) => ({
  ...{ name: own, type: 'float64' as const, dimensions, values: Float64Array.from(values) },
  attributes: new Map(Object.entries(attributes)),
});
const AXES = [
  numbers('latitude', ['latitude'], LATITUDES, { units: 'degrees_north' }),
  numbers('longitude', ['longitude'], LONGITUDES, { units: 'degrees_east' }),
];

/** Writes the forecast; cells for which `isMissing` have no value. */
async function writeForecast(name: string, isMissing: (cell: number) => boolean = () => false): Promise<void> {
  const temperatures = Float32Array.from({ length: MEMBERS * DAYS * cells }, (_, i) =>
    isMissing(i % cells) ? Number.NaN : value(Math.floor(i / (DAYS * cells)), Math.floor(i / cells) % DAYS, i % cells),
  );
  const days = Array.from({ length: DAYS }, (_, day) => day);
  await writeNetcdf(at(name), {
    attributes: new Map(),
    dimensions: new Map(Object.entries({ number: MEMBERS, time: DAYS, latitude: rows, longitude: columns })),
    arrays: [
      ...AXES,
      numbers('number', ['number'], [0, 1, 2], { units: '1' }),
      numbers('time', ['time'], days, { units: 'days since 2026-03-02' }),
      {
        ...{ name: 't2m', type: 'float32' as const, values: temperatures },
        dimensions: ['number', 'time', 'latitude', 'longitude'],
        attributes: new Map(
          Object.entries({ units: 'degC', standard_name: 'air_temperature', cell_methods: 'time: mean' }),
        ),
      },
    ],
  } as never);
}

beforeAll(async () => {
  await writeForecast('run.nc');
  await writeForecast('sea.nc', (cell) => cell % columns >= 3);
  const mask = { latitude: rows, longitude: columns };
  await writeNetcdf(at('mask.nc'), {
    ...{ attributes: new Map(), dimensions: new Map(Object.entries(mask)) },
    arrays: [
      ...AXES,
      {
        ...{ name: 'basin', type: 'int16' as const, dimensions: ['latitude', 'longitude'] },
        values: Int16Array.from({ length: cells }, (_, cell) => (cell === 8 ? 2 : cell < 3 ? 7 : 0)),
        attributes: new Map<string, unknown>([
          ['flag_values', Int16Array.from([2, 7])],
          ['flag_meanings', 'Cell North'],
        ]),
      },
    ],
  } as never);
});

async function csv(...args: string[]): Promise<{ rows: Record<string, string>[]; err: string; all: string }> {
  const { code, out, err } = await plumecastHere(...args);
  expect(err).not.toContain('error');
  expect(code).toBe(0);
  const [head, ...lines] = out.trim().split('\n');
  const names = head.split(',');
  const found = lines.map((line) => {
    const texts = line.match(/("[^"]*"|[^,]*)(,|$)/g)?.map((text) => text.replace(/,$/, '').replaceAll('"', '')) ?? [];
    return Object.fromEntries(names.map((name, i) => [name, texts[i]]));
  });
  return { rows: found, err, all: `${out}\n${err}` };
}
const weekly = (file: string, ...args: string[]) =>
  csv('stats', at(file), '--variable', 'temp_mean', '--granularity', 'weekly', '--format', 'csv', ...args);
async function failure(...args: string[]): Promise<string> {
  const { code, out, err } = await plumecastHere('stats', ...args);
  expect(code).not.toBe(0);
  expect(out).toBe('');
  return err;
}
const failed = (regions: string, ...args: string[]) => failure(at('run.nc'), '--regions', at(regions), ...args);

/** The weight of each cell of polygons, by the slow twin. */
const weightsOf = (polygons: readonly (readonly (readonly Position[])[])[]) =>
  Array.from({ length: cells }, (_, cell) => sharedArea(polygons, boxOf(cell)));
const dailyMeans = (weights: readonly number[], member: number, day: number) =>
  weights.reduce((sum, weight, cell) => sum + weight * value(member, day, cell), 0) / weights.reduce((a, b) => a + b);
const over = <T>(count: number, of: (i: number) => T) => Array.from({ length: count }, (_, i) => of(i));
const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

describe('means over regions', () => {
  it('are weighted by the area that each cell shares with the region, holes left out, for each member and day', async () => {
    const { rows: found, all } = await weekly('run.nc', '--regions', at('regions.geojson'), '--quantiles', '0.5');
    expect(found.map(({ region, area_share }) => [region, area_share])).toEqual([
      ['Catchment', '1'],
      ['Cell', '1'],
    ]);
    const weights = weightsOf([[CATCHMENT, LAKE]]);
    const members = over(MEMBERS, (m) => mean(over(DAYS, (day) => dailyMeans(weights, m, day))));
    expect(Number(found[0].mean)).toBeCloseTo(mean(members), 5);
    expect(Number(found[0].q50)).toBeCloseTo(members[1], 5);
    expect(all).toContain('2 regions: mean weighted by area, where at least 0.5 of it has data');
  });

  it('of a region that is one cell are the values of the cell', async () => {
    const { rows: found } = await csv('convert', at('run.nc'), '-', '--regions', at('regions.geojson'), '--to', 'csv');
    const own = found.filter(({ region }) => region === 'Cell');
    expect(own).toHaveLength(DAYS);
    for (const [day, row] of own.entries()) {
      const members = Object.entries(row).filter(([name]) => name.startsWith('member'));
      expect(members.map(([, text]) => Number(text))).toEqual([0, 1, 2].map((m) => value(m, day, 8)));
    }
  });

  it('are the same from GeoJSON, TopoJSON, a bare polygon and a mask', async () => {
    const means: string[] = [];
    for (const name of ['regions.geojson', 'regions.topojson', 'bare.geojson', 'mask.nc']) {
      const { rows: found } = await weekly('run.nc', '--regions', at(name));
      means.push(found.find(({ region }) => region === 'Cell' || region === 'region')?.mean ?? name);
    }
    expect(new Set(means).size).toBe(1);
    const { rows: masked } = await weekly('run.nc', '--regions', at('mask.nc'));
    expect(masked.map(({ region }) => region)).toEqual(['Cell', 'North']);
    expect(Number(masked[1].mean)).toBeCloseTo(mean([0, 1, 2].map((cell) => value(1, 3, cell))), 5);
  });

  it('of a box have exact shares of the cells at its edges', async () => {
    const { rows: found } = await weekly('run.nc', '--bbox', '46.2,10.9,48.75,13.3', '--mean');
    const box: Position[] = [
      [10.9, 46.2],
      [13.3, 46.2],
      [13.3, 48.75],
      [10.9, 48.75],
    ];
    const members = over(MEMBERS, (m) => mean(over(DAYS, (day) => dailyMeans(weightsOf([[box]]), m, day))));
    expect(found).toHaveLength(1);
    expect(Number(found[0].mean)).toBeCloseTo(mean(members), 5);
  });

  it('become smallest and largest values, and shares of the area that fulfil a condition', async () => {
    const box = ['--bbox', '47.5,10.5,49.5,12.5'];
    // Cells 7, 8, 13 and 14.
    const inside = (m: number, day: number) => [7, 8, 13, 14].map((cell) => value(m, day, cell));
    const of = (pick: (values: number[]) => number) =>
      mean(over(MEMBERS, (m) => mean(over(DAYS, (day) => pick(inside(m, day))))));
    for (const [statistic, pick] of [
      ['min', (values: number[]) => Math.min(...values)],
      ['max', (values: number[]) => Math.max(...values)],
    ] as const) {
      const { rows: found } = await weekly('run.nc', ...box, '--region-statistic', statistic);
      expect(Number(found[0].mean)).toBeCloseTo(of(pick), 5);
    }
    const { rows: shares } = await weekly('run.nc', ...box, '--area-condition', '>15');
    const weights = weightsOf([
      [
        [
          [10.5, 47.5],
          [12.5, 47.5],
          [12.5, 49.5],
          [10.5, 49.5],
        ],
      ],
    ]);
    const total = weights.reduce((a, b) => a + b);
    const expected = mean(
      over(MEMBERS, (m) =>
        mean(
          over(DAYS, (day) => weights.reduce((sum, w, cell) => sum + (value(m, day, cell) > 15 ? w : 0), 0) / total),
        ),
      ),
    );
    expect(shares[0].variable).toBe('temp_mean_area_share');
    expect(Number(shares[0].mean)).toBeCloseTo(expected, 5);
  });

  it('have the share of the region that has data, and none below the least share', async () => {
    const edge = await weekly('run.nc', '--regions', at('edge.geojson'));
    expect(Number(edge.rows[0].area_share)).toBeCloseTo(0.9 / 1.8, 5);
    const most = await weekly('sea.nc', '--regions', at('regions.geojson'), '--min-area-share', '0.4');
    const weights = weightsOf([[CATCHMENT, LAKE]]);
    const dry = weights.map((weight, cell) => (cell % columns >= 3 ? 0 : weight));
    const share = dry.reduce((a, b) => a + b) / weights.reduce((a, b) => a + b);
    expect(Number(most.rows[0].area_share)).toBeCloseTo(share, 5);
    const members = over(MEMBERS, (m) => mean(over(DAYS, (day) => dailyMeans(dry, m, day))));
    expect(Number(most.rows[0].mean)).toBeCloseTo(mean(members), 5);
    const few = await weekly('sea.nc', '--regions', at('regions.geojson'), '--min-area-share', '0.95');
    expect(few.rows.find(({ region }) => region === 'Catchment')?.mean ?? '').toBe('');
    expect(few.err).toContain('no values, with data on less than 0.95 of the area: Catchment');
  });

  it('go to NetCDF, batches and climatologies with their names', async () => {
    await plumecastHere('convert', at('run.nc'), at('means.nc'), '--regions', at('regions.geojson'), '--quiet');
    const direct = await weekly('run.nc', '--regions', at('regions.geojson'));
    const again = await weekly('means.nc');
    expect(again.rows.map(({ region, mean: own }) => [region, own])).toEqual(
      direct.rows.map(({ region, mean: own }) => [region, own]),
    );
    const batch = plumecast([
      ...['batch', at('run.nc'), '-v', 'temp_mean', '--granularity', 'weekly', '--format', 'csv', '--out', at('out')],
      ...['--regions', at('regions.geojson'), '--quiet'],
    ]);
    expect([batch.code, batch.err]).toEqual([0, '']);
    const [written] = readdirSync(at('out'), { recursive: true }).filter((name) => String(name).endsWith('.csv'));
    expect(readFileSync(join(at('out'), String(written)), 'utf8')).toContain(`,${direct.rows[0].mean},`);
    const blended = await csv(
      ...['blend', at('run.nc'), at('run.nc'), '-v', 'temp_mean', '--names', 'a,b', '--last-leads', '4,all'],
      ...['--overlaps', '2', '--regions', at('regions.geojson'), '--format', 'csv'],
    );
    expect(new Set(blended.rows.map(({ region }) => region))).toEqual(new Set(['Catchment', 'Cell']));
  });

  it('name their regions by another property on request', async () => {
    const { rows: found } = await weekly('run.nc', '--regions', at('other-name.geojson'), '--region-name', 'HYBAS_ID');
    expect(found.map(({ region }) => region)).toEqual(['2060', '2061']);
  });
});

describe('regions that cannot be used', () => {
  it.each([
    ['no-name.geojson', 'region 2: has no name'],
    ['other-name.geojson', 'another by --region-name'],
    ['twice.geojson', 'region 2: has the name of region 1'],
    ['far.geojson', 'none of its regions meets the grid'],
    ['swapped.geojson', 'none of its regions meets the grid of'],
    ['swapped-far.geojson', 'latitudes and longitudes seem to be swapped'],
    ['bow.geojson', 'crosses itself'],
    ['line.geojson', 'has no outline'],
    ['overlap.geojson', 'has polygons that overlap'],
  ])('%s: %s', async (name, text) => {
    expect(await failed(name)).toContain(text);
  });

  it('says that latitudes and longitudes seem to be swapped where all meet the grid so', async () => {
    expect(await failed('swapped.geojson')).toContain('as latitudes and longitudes seem to be swapped');
  });

  it('keeps regions beside the grid without values, with a warning', async () => {
    const { rows: found, err } = await weekly('run.nc', '--regions', at('some-far.geojson'));
    expect(err).toContain('1 region meets no cell and has no values: Far');
    expect(found.find(({ region }) => region === 'Cell')?.area_share).toBe('1');
  });

  it('rejects options that contradict each other, or have no effect', async () => {
    const run = at('run.nc');
    expect(await failure(run, '--mean')).toContain('--bbox with it');
    expect(await failure(run, '--region-statistic', 'max')).toContain('--regions with it');
    expect(await failed('regions.geojson', '--bbox', '46,10,48,12')).toContain(
      'cannot be given together with --regions',
    );
    expect(await failed('regions.geojson', '--area-condition', '>q90')).toContain('quantile of a climatology');
    expect(await failed('regions.geojson', '--min-area-share', '1.5')).toContain('a share from 0 to 1');
    const both = ['--region-statistic', 'min', '--area-condition', '>1'];
    expect(await failed('regions.geojson', ...both)).toContain('cannot be given together');
  });
});

describe.skipIf(!hasProgram('cdo', '--version'))('beside CDO', () => {
  it('the mean of whole cells of a box is fldmean', async () => {
    // Members are levels of the grid there, and times come first.
    await plumecastHere('convert', at('run.nc'), at('cdo.nc'), '--quiet');
    const box = '-sellonlatbox,10.9,13.1,46.9,49.1';
    const means = said('cdo', ['-s', 'outputf,%.9g', '-fldmean', '-timmean', box, at('cdo.nc')]);
    const { rows: found } = await weekly('run.nc', '--bbox', '46.5,10.5,49.5,13.5', '--mean');
    expect(Number(found[0].mean)).toBeCloseTo(mean(means.trim().split(/\s+/).map(Number)), 4);
  });
});

describe.skipIf(!hasPython('xarray', 'netCDF4'))('beside xarray', () => {
  it('masks with a dimension of regions are read by their names, and weigh as there', async () => {
    const lines = python(
      `
import sys
import numpy as np, xarray as xr
run = xr.open_dataset(sys.argv[1])
share = np.random.default_rng(3).uniform(-0.5, 1, (2, ${rows}, ${columns})).clip(0)
mask = xr.DataArray(share, dims=('region', 'latitude', 'longitude'), name='mask',
    coords={'latitude': run.latitude, 'longitude': run.longitude, 'names': ('region', ['Upper Inn', 'Lower Inn'])})
mask.to_netcdf(sys.argv[2])
halves = np.radians(0.5)
area = np.sin(np.radians(run.latitude) + halves) - np.sin(np.radians(run.latitude) - halves)
print(*run.t2m.weighted(mask * area).mean(('latitude', 'longitude')).mean(('number', 'time')).values)
`,
      { args: [at('run.nc'), at('shares.nc')] },
    );
    const { rows: found } = await weekly('run.nc', '--regions', at('shares.nc'));
    expect(found.map(({ region }) => region)).toEqual(['Upper Inn', 'Lower Inn']);
    for (const [i, text] of lines.trim().split(' ').entries())
      expect(Number(found[i].mean)).toBeCloseTo(Number(text), 4);
  });
});

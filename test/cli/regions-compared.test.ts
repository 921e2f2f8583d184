import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const LATITUDES = [50, 49, 48, 47];
const LONGITUDES = [10, 11, 12];
const YEARS = [2001, 2002, 2003, 2004];
const dayText = (year: number, day: number) => new Date(Date.UTC(year, 2, 1 + day)).toISOString().slice(0, 10);
/** An anomaly of each cell, so that the middle of a region is no region. */
const truth = (latitude: number, longitude: number, year: number, day: number) =>
  latitude / 2 + longitude + 5 * Math.sin(year * 3 + day) + (((latitude * 7 + longitude * 13 + year) % 5) - 2) * 3;

function gridTable(years: readonly number[], days: number, members: number): string {
  const rows = ['latitude,longitude,date,member,temp_mean (degC)'];
  for (const latitude of LATITUDES)
    for (const longitude of LONGITUDES)
      for (const year of years)
        for (let day = 0; day < days; day++)
          for (let m = 0; m < members; m++) {
            const value = truth(latitude, longitude, year, day) + (members > 1 ? m - 1 : 0);
            rows.push([latitude, longitude, dayText(year, day), m, value].join(','));
          }
  return `${rows.join('\n')}\n`;
}

const box = (name: string, south: number, north: number) => ({
  type: 'Feature',
  properties: { name },
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [9.5, south],
        [9.5, north],
        [12.5, north],
        [12.5, south],
        [9.5, south],
      ],
    ],
  },
});
const regions = { type: 'FeatureCollection', features: [box('north', 48.5, 50.5), box('south', 46.5, 48.5)] };

const { folder, remove } = folderWith({
  'history.csv': gridTable(YEARS, 20, 1),
  'run2003.csv': gridTable([2003], 14, 3),
  'run2004.csv': gridTable([2004], 14, 3),
  'regions.json': JSON.stringify(regions),
  'gauges.csv':
    'date,latitude,longitude,temp_mean (degC)\n2003-03-01,49,11,3\n2003-03-02,49,11,4\n2003-03-03,49,11,4\n',
});
afterAll(remove);
const path = (name: string) => join(folder, name);
for (const name of ['history', 'run2003', 'run2004'])
  expect(await plumecastHere('convert', path(`${name}.csv`), path(`${name}.nc`), '--quiet')).toMatchObject({ code: 0 });
const runs = [path('run2003.nc'), path('run2004.nc')];
const over = ['--regions', path('regions.json')];

/** The biases of an ensemble whose mean is the truth, by place. */
async function biases(...args: string[]): Promise<readonly (readonly string[])[]> {
  const { code, out, err } = await plumecastHere('verify', ...args, '--by', 'place', '--against', 'none');
  expect([code, err]).toEqual([0, expect.any(String)]);
  const [head, ...rows] = out.trim().split('\n');
  const names = head.split(',');
  const at = (row: string, name: string) => row.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/)[names.indexOf(name)];
  return rows
    .filter((row) => at(row, 'score') === 'bias')
    .map((row) => [at(row, 'id'), at(row, 'cases'), at(row, 'value')]);
}

describe('verify of regions', () => {
  it.each([
    ['gridded observations', 'history.nc'],
    ['a table of the regions, as convert writes it', 'regions.csv'],
  ])('compares them with the same regions of %s', async (_, name) => {
    if (name === 'regions.csv') await plumecastHere('convert', path('history.nc'), path(name), ...over, '--quiet');
    const found = await biases(...runs, '--observed', path(name), ...over);
    expect(found.map(([id, cases]) => [id, cases])).toEqual([
      ['north', '28'],
      ['south', '28'],
    ]);
    for (const [, , value] of found) expect(Math.abs(Number(value))).toBeLessThan(1e-5);
  });

  it('compares the mean over a box with the one of observations over it', async () => {
    const found = await biases(...runs, '--observed', path('history.nc'), '--bbox', '46.5,9.5,48.5,12.5', '--mean');
    expect(found).toHaveLength(1);
    expect(Math.abs(Number(found[0][2]))).toBeLessThan(1e-5);
  });

  it('does not compare regions with places, or places with regions', async () => {
    await plumecastHere('convert', path('history.nc'), path('of-regions.csv'), ...over, '--quiet');
    const gauges = await plumecastHere(
      'verify',
      ...runs,
      '--observed',
      path('gauges.csv'),
      ...over,
      '--against',
      'none',
    );
    expect([gauges.code, gauges.err]).toEqual([
      1,
      expect.stringMatching(
        /error: \S*gauges.csv: has places, and \S*run2003.nc has regions; received "no ids"; allowed: a grid, or a column id with names of regions, such as north/,
      ),
    ]);
    const cells = await plumecastHere('verify', ...runs, '--observed', path('of-regions.csv'), '--against', 'none');
    expect([cells.code, cells.err]).toEqual([1, expect.stringContaining('has places, and')]);
  });
});

/** The lines of a table of scores with one score, as objects. */
function rowsOf(out: string, score: string): readonly Record<string, string>[] {
  const [head, ...rows] = out
    .trim()
    .split('\n')
    .map((row) => row.split(','));
  const all = rows.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i]])));
  return all.filter((row) => row.score === score);
}

describe('verify --by region', () => {
  it('scores the cells whose middle lies in each region one by one, weighted by area', async () => {
    // A forecast that is wrong by what depends on the latitude.
    const shifted = ['latitude,longitude,date,member,temp_mean (degC)'];
    for (const latitude of LATITUDES)
      for (const longitude of LONGITUDES)
        for (let day = 0; day < 14; day++)
          for (const m of [-1, 0, 1]) {
            const value = truth(latitude, longitude, 2003, day) + (latitude - 46) ** 2 + m;
            shifted.push([latitude, longitude, dayText(2003, day), m, value].join(','));
          }
    writeFileSync(path('shifted.csv'), `${shifted.join('\n')}\n`);
    await plumecastHere('convert', path('shifted.csv'), path('shifted.nc'), '--quiet');
    const inside = { type: 'FeatureCollection', features: [box('north', 48.5, 50.5), box('middle', 47.5, 48.5)] };
    writeFileSync(path('inside.json'), JSON.stringify(inside));
    const args = [path('shifted.nc'), '--observed', path('history.nc'), '--by', 'region', '--against', 'none'];
    const found = await plumecastHere('verify', ...args, '--regions', path('inside.json'));
    expect([found.code, found.err]).toEqual([
      0,
      expect.stringContaining('3 places outside of all regions are left out'),
    ]);
    const weighted = (latitudes: readonly number[]) => {
      const weight = (latitude: number) => Math.cos((latitude * Math.PI) / 180);
      const sum = latitudes.reduce((total, latitude) => total + weight(latitude) * (latitude - 46) ** 2, 0);
      return sum / latitudes.reduce((total, latitude) => total + weight(latitude), 0);
    };
    const rows = rowsOf(found.out, 'bias');
    expect(rows.map(({ region, cases }) => [region, cases])).toEqual([
      ['middle', '42'],
      ['north', '84'],
    ]);
    expect(Number(rows[0].value)).toBeCloseTo(weighted([48]), 4);
    expect(Number(rows[1].value)).toBeCloseTo(weighted([50, 49]), 4);

    const lone = await plumecastHere('verify', ...args, '--regions', path('inside.json'), '--min-area-share', '0.3');
    expect([lone.code, lone.err]).toEqual([1, expect.stringContaining('has no effect on results by region')]);
    const none = await plumecastHere('verify', ...args);
    expect([none.code, none.err]).toEqual([
      1,
      expect.stringContaining('needs regions; received "region"; allowed: --regions'),
    ]);
    writeFileSync(path('far.json'), JSON.stringify({ ...inside, features: [box('far', -10, -5)] }));
    const far = await plumecastHere('verify', ...args, '--regions', path('far.json'));
    expect([far.code, far.err]).toEqual([1, expect.stringContaining('has no place in a region; received "12 places"')]);
  });

  it('takes a column of stations', async () => {
    const rows = ['station,region,latitude,longitude,date,temp_mean (degC)'];
    for (const [station, region, latitude] of [
      ['a', 'Alps', 47],
      ['b', 'Alps', 48],
      ['c', 'plain', 50],
    ] as const)
      for (let day = 0; day < 14; day++)
        rows.push([station, region, latitude, 11, dayText(2003, day), truth(latitude, 11, 2003, day)].join(','));
    writeFileSync(path('stations.csv'), `${rows.join('\n')}\n`);
    const args = ['--observed', path('stations.csv'), '--by', 'region', '--against', 'none'];
    const { code, out, err } = await plumecastHere('verify', path('run2003.nc'), ...args);
    expect([code, err]).toEqual([0, expect.any(String)]);
    expect(rowsOf(out, 'bias').map(({ region, cases }) => [region, cases])).toEqual([
      ['Alps', '28'],
      ['plain', '14'],
    ]);
  });
});

describe('climatologies of regions', () => {
  const years = ['--reference', '2001-2004', '--granularity', 'weekly'];

  it('are compared by their names; with one of cells, regions are an error, and cells with one of regions', async () => {
    const made = [
      await plumecastHere(
        'climatology',
        path('history.nc'),
        ...years,
        ...over,
        '--out',
        path('regions.arrow'),
        '--quiet',
      ),
      await plumecastHere('climatology', path('history.nc'), ...years, '--out', path('cells.arrow'), '--quiet'),
    ];
    expect(made.map(({ code }) => code)).toEqual([0, 0]);
    const stats = (...args: string[]) => plumecastHere('stats', path('run2003.nc'), '--granularity', 'weekly', ...args);
    const found = await stats(...over, '--climatology', path('regions.arrow'));
    expect([found.code, found.out.split('\n')[0]]).toEqual([0, expect.stringContaining('p_below,p_normal,p_above')]);
    const ofCells = await stats(...over, '--climatology', path('cells.arrow'));
    expect([ofCells.code, ofCells.err]).toEqual([
      1,
      expect.stringMatching(
        /run2003.nc: has regions, and the climatology has places without their names; allowed: a climatology of the same regions, made with --regions/,
      ),
    ]);
    const ofRegions = await stats('--climatology', path('regions.arrow'));
    expect([ofRegions.code, ofRegions.err]).toEqual([
      1,
      expect.stringContaining('run2003.nc: has places, and the climatology has regions; allowed:'),
    ]);
  });
});

it('what results say of regions and points is no member: a history over regions is read back as one series', async () => {
  await plumecastHere('convert', path('history.nc'), path('back.csv'), ...over, '--quiet');
  const { code, out, err } = await plumecastHere('stats', path('back.csv'), '--granularity', 'weekly', '--partial');
  expect([code, err]).toEqual([0, expect.not.stringContaining('taken for members')]);
  const [head, first] = out.split('\n').map((line) => line.split(','));
  expect(first[head.indexOf('n_members')]).toBe('1');
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import type { NetcdfArray } from '../../src/files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { legendOf } from '../plot/map-pixels.js';
import { elementsOf } from '../plot/read-svg.js';
import { plumecastHere } from './run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-map-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const locations = [50, 51, 52].flatMap((latitude) => [5, 6, 7, 8].map((longitude) => ({ latitude, longitude })));
const rain = demoTable('precipitation', { days: 28, members: 5, locations });

beforeAll(async () => {
  const history = demoTable('precipitation', { initDate: 8401, days: 1100, members: 1, locations });
  for (const [name, table] of Object.entries({ rain, history })) {
    writeFileSync(path(`${name}.arrow`), await encodeTable(table, 'arrow'));
  }
  const { code, err } = await plumecastHere('convert', path('rain.arrow'), path('rain.nc'));
  expect([code, err]).toEqual([0, expect.anything()]);
});

/** Runs `plot --map` and returns the SVG. */
async function mapOf(...args: string[]): Promise<string> {
  const { code, err } = await plumecastHere('plot', '--map', ...args, '--quiet', '--out', path('out.svg'));
  expect([code, err]).toEqual([0, '']);
  return readFileSync(path('out.svg'), 'utf8');
}

const textsOf = (svg: string) => elementsOf(svg, 'text').map(({ text }) => text);

it('draws the same map of members and of results, from tables and from grids', async () => {
  for (const name of ['results.arrow', 'results.csv', 'results.nc']) {
    await plumecastHere('stats', path('rain.arrow'), '--granularity', 'weekly', '--out', path(name));
  }
  const which = ['--granularity', 'weekly', '--statistic', 'q75', '--period', '2026-W11'];
  const svg = await mapOf(path('rain.arrow'), ...which);
  for (const name of ['rain.nc', 'results.arrow', 'results.nc']) {
    expect((await mapOf(path(name), ...which)) === svg, name).toBe(true);
  }
  const texts = textsOf(await mapOf(path('results.csv'), '--statistic', 'q75', '--period', '2026-W11'));
  expect(texts).toEqual(textsOf(svg).map((text) => (/run 2|lead /.test(text) ? expect.any(String) : text)));
});

it('rejects several thresholds unless a statistic selects one', async () => {
  const two = [path('rain.nc'), '--period', '2026-W11', '--threshold', '>10', '--threshold', '>20'];
  const { code, err } = await plumecastHere('plot', '--map', ...two, '--out', path('two.svg'));
  expect(code).not.toBe(0);
  expect(err).toContain(
    '--threshold: a map shows one of them; received 2; allowed: one threshold, or one of --statistic p_gt_10, --statistic p_gt_20',
  );
  const texts = textsOf(await mapOf(...two, '--statistic', 'p_gt_20'));
  expect(texts).toContain('precipitation, weekly sums: share of members with more than 20 mm');
});

it('shows the first window, the share of a threshold, and shares against a climatology', async () => {
  const plain = await mapOf(path('rain.nc'), '--granularity', 'weekly');
  expect(textsOf(plain)).toContain('2026-W10, 2026-03-02 to 2026-03-08 · lead 0 to 6 days');
  expect(textsOf(plain)).toContain('precipitation, weekly sums: mean of members');
  const share = await mapOf(path('rain.nc'), '--period', '2026-W11', '--threshold', '>10');
  expect(textsOf(share)).toContain('precipitation, weekly sums: share of members with more than 10 mm');
  expect(legendOf(share).labels[10]).toBe('100');
  const named = ['--period', '2026-W11', '--threshold', 'precipitation>10'];
  expect((await mapOf(path('rain.nc'), ...named)) === share).toBe(true);
  expect((await mapOf(path('rain.nc'), '--variable', 'tp', ...named)) === share).toBe(true);
  const args = ['--granularity', 'weekly', '--reference', '1993-1995', '--out', path('weeks.arrow'), '--quiet'];
  expect((await plumecastHere('climatology', path('history.arrow'), ...args)).code).toBe(0);
  const above = await mapOf(path('rain.nc'), '--climatology', path('weeks.arrow'), '--statistic', 'p_above');
  expect(textsOf(above)).toContain('precipitation, weekly sums: share of members above normal');
  expect(textsOf(above).join()).toContain('climatology 1993-1995');
  const against = ['--climatology', path('weeks.arrow'), '--period', '2026-W11'];
  const tercile = await mapOf(path('rain.nc'), ...against, '--statistic', 'tercile');
  expect(textsOf(tercile)).toContain('precipitation, weekly sums: most likely tercile of the climatology');
  expect(tercile).toMatch(/12 cells, \d+ most likely below normal/);
  // The same of members in rows, and of results.
  expect((await mapOf(path('rain.arrow'), ...against, '--statistic', 'tercile')) === tercile).toBe(true);
  const results = ['--granularity', 'weekly', '--climatology', path('weeks.arrow'), '--quiet'];
  for (const name of ['terciles.arrow', 'terciles.nc']) {
    expect((await plumecastHere('stats', path('rain.nc'), ...results, '--out', path(name))).code).toBe(0);
    const own = await mapOf(path(name), '--statistic', 'tercile', '--period', '2026-W11');
    expect(own === tercile, name).toBe(true);
  }
});

it.each([
  [['--statistic', 'q1x'], '--statistic: there is no such statistic; received "q1x"; allowed: mean, q10'],
  [['--statistic', 'tercile'], '--statistic: needs a climatology; received "tercile"'],
  [['--statistic', 'anomaly'], '--statistic: needs a climatology; received "anomaly"'],
  [['--period', '2027'], '--period: has an unknown form; received "2027"'],
  [['--period', '2027-W01'], '--period: there is no such window; received "2027-W01"; allowed: 2026-W10, 2026-W11'],
  [['--variable', 'wind_speed'], 'does not hold wind_speed'],
  [['--bbox', '0,0,1,1'], '--bbox: no cell has its centre within the box'],
  [
    ['--variable', 'precipitation', '--threshold', 'temp_mean>3'],
    '--threshold: the map is of another variable; received "temp_mean>3"; allowed: a condition on precipitation',
  ],
  [['--threshold', 'temp_mean>3'], 'does not hold temp_mean'],
  [['--point', '50,5'], 'option --point is not for a map'],
])('rejects %j with what is allowed', async (args, message) => {
  const { code, err } = await plumecastHere('plot', '--map', path('rain.nc'), ...args, '--out', path('x.svg'));
  expect([code, err]).toEqual([expect.any(Number), expect.stringContaining(message)]);
  expect(code).not.toBe(0);
});

it('rejects a map as text, of several files, and of one place, and its flags without it', async () => {
  const errorOf = async (...args: string[]) => (await plumecastHere('plot', ...args)).err;
  const [rainPath, out] = [path('rain.nc'), path('x.svg')];
  expect(await errorOf(rainPath, '--map')).toContain('a map is not drawn as text: --out PATH.svg or PATH.png');
  expect(await errorOf(rainPath, rainPath, '--map', '--out', out)).toContain('a map is of one file and one variable');
  expect(await errorOf(rainPath, '--statistic', 'mean', '--out', out)).toContain('option --statistic needs --map');
  writeFileSync(path('one.arrow'), await encodeTable(demoTable('precipitation', { days: 14, members: 3 }), 'arrow'));
  expect(await errorOf(path('one.arrow'), '--map', '--out', out)).toBe(
    `error: ${path('one.arrow')}: has a single place, and a map is of several; allowed: a grid, or several places\n`,
  );
  expect(await errorOf(path('results.arrow'), '--map', '--statistic', 'q11', '--out', out)).toContain(
    'results.arrow, --statistic: the results do not have it; received "q11"; allowed: n_members, mean, q05',
  );
  expect(await errorOf(path('results.arrow'), '--map', '--statistic', 'tercile', '--out', out)).toContain(
    'results.arrow, --statistic: needs the shares of members below, near and above normal; received "tercile"; ' +
      'allowed: results with a climatology of terciles',
  );
});

it('draws a grid that has only a projection, and computes and inspects it', async () => {
  const [y, x] = [14, 20].map((length) => Float64Array.from({ length }, (_, i) => 100_000 * (i - length / 2 + 0.5)));
  const value = (row: number, column: number) => 10 + row - column / 2;
  const days = Int32Array.of(0, 1, 2, 3, 4, 5, 6);
  const values = Float32Array.from({ length: 7 * 14 * 20 }, (_, i) => value(Math.floor(i / 20) % 14, i % 20));
  const array = (
    name: string,
    dimensions: string[],
    values: NetcdfArray['values'],
    attributes: object,
  ): NetcdfArray => ({
    ...{ name, dimensions, values, attributes: new Map(Object.entries(attributes)) },
    type: values instanceof Int32Array ? 'int32' : values instanceof Float32Array ? 'float32' : 'float64',
  });
  const lambert = {
    grid_mapping_name: 'lambert_conformal_conic',
    ...{ standard_parallel: [63.3, 63.3], longitude_of_central_meridian: 15 },
    ...{ latitude_of_projection_origin: 63.3, earth_radius: 6_371_229 },
  };
  const field = { standard_name: 'air_temperature', units: 'degC', cell_methods: 'time: mean', grid_mapping: 'crs' };
  await writeNetcdf4(path('lambert.nc'), {
    attributes: new Map(),
    dimensions: new Map(Object.entries({ time: 7, y: 14, x: 20 })),
    arrays: [
      array('time', ['time'], days, { units: 'days since 2026-01-05' }),
      array('y', ['y'], y, { standard_name: 'projection_y_coordinate', units: 'm' }),
      array('x', ['x'], x, { standard_name: 'projection_x_coordinate', units: 'm' }),
      array('crs', [], Int32Array.of(0), lambert),
      array('t2m', ['time', 'y', 'x'], values, field),
    ],
  });
  const svg = await mapOf(path('lambert.nc'), '--granularity', 'weekly');
  expect(svg).toContain('280 cells, values from 0.5 to 23');
  const point = ['--point', '62.86,15.97', '--granularity', 'weekly', '--quiet'];
  const { out } = await plumecastHere('stats', path('lambert.nc'), ...point);
  const [, latitude, longitude, mean] = out.split('\n')[1].match(/degC,([\d.]+),([\d.]+),.*,1,7,1,([\d.]+),/) ?? [];
  // By pyproj 3.7.2: 50 km south and 50 km east of the origin.
  expect([Number(latitude).toFixed(6), Number(longitude).toFixed(6)]).toEqual(['62.846906', '15.985272']);
  expect(Number(mean)).toBe(value(6, 10));
  const inspected = (await plumecastHere('inspect', path('lambert.nc'))).out;
  for (const used of [
    /crs .*grid mapping/,
    /x .*projection_x_coordinate in metres/,
    /y .*projection_y_coordinate in metres/,
  ])
    expect(inspected).toMatch(used);
});

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { NetcdfArray } from '../../src/files/netcdf4/netcdf-content.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { openArrays } from '../../src/files/node.js';
import { legendOf } from '../plot/map-pixels.js';
import { elementsOf } from '../plot/read-svg.js';
import { plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-places-'));
afterAll(() => rmSync(folder, { recursive: true }));
const path = (name: string) => join(folder, name);

const [ROWS, COLUMNS] = [6, 8];
const cells = Array.from({ length: ROWS * COLUMNS }, (_, i) => ({ row: Math.floor(i / COLUMNS), column: i % COLUMNS }));
/** A corner of the grid has no places, and values far from those of the others. */
const isPlaced = ({ row, column }: (typeof cells)[number]) => row + column > 2;
const left = cells.filter(isPlaced).length;
const note = (name: string) =>
  `note: ${path(name)}: ${cells.length - left} of ${cells.length} cells have no latitude and longitude, and are left out\n`;

/** Writes a curvilinear grid with two members; their values do not change with time. */
async function write(name: string, days: number, since: string): Promise<void> {
  const array = (
    name: string,
    dimensions: string[],
    values: NetcdfArray['values'],
    attributes: object,
  ): NetcdfArray => ({
    ...{ name, dimensions, values, attributes: new Map(Object.entries(attributes)) },
    type: values instanceof Int32Array ? 'int32' : 'float64',
  });
  const degrees = (of: (cell: (typeof cells)[number]) => number) =>
    Float64Array.from(cells, (cell) => (isPlaced(cell) ? of(cell) : -999));
  const values = Array.from({ length: days }, () =>
    [0, 1].map((member) => cells.map((cell) => (isPlaced(cell) ? cell.row + cell.column + member : -50))),
  );
  await writeNetcdf4(path(name), {
    attributes: new Map(),
    dimensions: new Map(Object.entries({ time: days, member: 2, y: ROWS, x: COLUMNS })),
    arrays: [
      array(
        'time',
        ['time'],
        Int32Array.from({ length: days }, (_, day) => day),
        { units: `days since ${since}` },
      ),
      array('member', ['member'], Int32Array.of(0, 1), { standard_name: 'realization' }),
      array(
        'lat',
        ['y', 'x'],
        degrees(({ row, column }) => 40 + 0.3 * row + 0.02 * column),
        {
          ...{ units: 'degrees_north', missing_value: -999 },
        },
      ),
      array(
        'lon',
        ['y', 'x'],
        degrees(({ row, column }) => 5 + 0.4 * column - 0.05 * row),
        {
          ...{ units: 'degrees_east', missing_value: -999 },
        },
      ),
      array('t2m', ['time', 'member', 'y', 'x'], Float64Array.from(values.flat(3)), {
        ...{ standard_name: 'air_temperature', units: 'degC', cell_methods: 'time: mean', coordinates: 'lat lon' },
      }),
    ],
  });
}

beforeAll(async () => {
  await write('days.nc', 14, '2026-03-02');
  await write('later.nc', 24, '2026-03-02');
  await write('history.nc', 3 * 365, '1993-01-01');
});

const linesOf = (text: string) => text.trim().split('\n').slice(1);

it('tables have no rows of cells of a curvilinear grid that have no place, and a note has their number', async () => {
  const weekly = ['--granularity', 'weekly', '--quantiles', '0.5'];
  const { out, err } = await plumecastHere('stats', path('days.nc'), ...weekly);
  expect(err).toBe(note('days.nc'));
  const lines = linesOf(out);
  expect(lines).toHaveLength(2 * left);
  expect(lines[0]).toContain('temp_mean,degC,40.06,6.2,2026-W10,2026-03-02,2026-03-08,1,7,2,3.5,');
  expect(lines.every((line) => !line.includes(',,'))).toBe(true);
  const converted = await plumecastHere('convert', path('days.nc'), path('days.csv'));
  expect(converted.err).toContain(note('days.nc'));
  expect(linesOf(readFileSync(path('days.csv'), 'utf8'))).toHaveLength(14 * left);
  const again = await plumecastHere('stats', path('days.csv'), '--variable', 'temp_mean', ...weekly);
  expect(again).toMatchObject({ code: 0, out });
  const inBatch = plumecast(['batch', path('days.nc'), '--out', path('batch'), '--format', 'csv', ...weekly]);
  expect(inBatch.err).toContain(note('days.nc'));
  expect(readFileSync(path('batch/days.csv'), 'utf8')).toBe(out);
});

it('NetCDF keeps the grid with these cells, and tables of its results leave them out', async () => {
  const args = ['--granularity', 'weekly', '--quantiles', '0.5'];
  const { out } = await plumecastHere('stats', path('days.nc'), ...args);
  const made = await plumecastHere('stats', path('days.nc'), ...args, '--out', path('weeks.nc'));
  expect(made).toMatchObject({ code: 0, err: '' });
  const batch = ['--out', path('grids'), '--format', 'netcdf', ...args];
  expect(plumecast(['batch', path('days.nc'), ...batch]).code).toBe(0);
  await plumecastHere('convert', path('days.nc'), path('copy.nc'));
  for (const [name, array, shape] of [
    ['weeks.nc', 'temp_mean_mean', [2, ROWS, COLUMNS]],
    ['grids/days.nc', 'temp_mean_mean', [2, ROWS, COLUMNS]],
    ['copy.nc', 'temp_mean', [14, 2, ROWS, COLUMNS]],
  ] as const) {
    const file = await openArrays(path(name));
    expect(file.arrays.get(array)?.shape, name).toEqual(shape);
    await file.close();
  }
  const converted = await plumecastHere('convert', path('weeks.nc'), path('weeks.csv'));
  expect(converted.err).toContain(note('weeks.nc'));
  expect(linesOf(readFileSync(path('weeks.csv'), 'utf8'))).toEqual(linesOf(out));
});

it('such grids are climatologies, horizons and forecasts of a store without these cells', async () => {
  const reference = ['--reference', '1993-1995', '--granularity', 'weekly', '--out', path('normal.nc')];
  expect(await plumecastHere('climatology', path('history.nc'), ...reference)).toMatchObject({ code: 0 });
  const against = await plumecastHere('stats', path('days.nc'), '--climatology', path('normal.nc'), '--anomaly');
  expect(against.code).toBe(0);
  expect(linesOf(against.out)).toHaveLength(2 * left);
  const horizons = [path('days.nc'), path('later.nc'), '--names', 'a,b', '--overlaps', '3', '--last-leads', 'all,all'];
  expect((await plumecastHere('blend', ...horizons, '--out', path('blended.csv'))).code).toBe(0);
  expect(linesOf(readFileSync(path('blended.csv'), 'utf8'))).toHaveLength(24 * left);
  const store = ['--store', path('store'), '--seasonal', path('later.nc'), '--init-time', '2026-03-02'];
  expect((await plumecastHere('ingest', ...store)).out).toMatch(new RegExp(`^seasonal +1 +${left} +2 `, 'm'));
});

it('maps show the other cells as areas of the grid, also within a box, and no class for those without a place', async () => {
  const mapOf = async (...args: string[]) => {
    const { code } = await plumecastHere('plot', path('days.nc'), '--map', ...args, '--out', path('map.svg'));
    expect(code).toBe(0);
    return readFileSync(path('map.svg'), 'utf8');
  };
  const all = await mapOf();
  expect(all).toContain(`: ${left} cells, values from 3.5 to 12.5 °C`);
  expect(legendOf(all).labels[0]).toBe('3');
  expect(all).not.toContain('>missing</text>');
  expect(elementsOf(all, 'circle')).toEqual([]);
  const part = await mapOf('--bbox', '40.5,5.5,41.2,7');
  const within = cells.filter(({ row, column }) => {
    const [latitude, longitude] = [40 + 0.3 * row + 0.02 * column, 5 + 0.4 * column - 0.05 * row];
    return latitude >= 40.5 && latitude <= 41.2 && longitude >= 5.5 && longitude <= 7;
  });
  expect(part).toContain(`: ${within.length} cells, values from`);
  expect(elementsOf(part, 'circle')).toEqual([]);
  expect(elementsOf(part, 'path').some(({ attributes }) => attributes.class?.startsWith('cells '))).toBe(true);
  const compared = await mapOf('--climatology', path('normal.nc'), '--statistic', 'mean');
  expect(compared).toContain(`: ${left} cells, values from 3.5 to 12.5 °C`);
  expect(compared).not.toContain('>missing</text>');
  expect(elementsOf(compared, 'circle')).toEqual([]);
});

import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { tableOverRegions } from '../../src/files/index.js';
import { openArrays } from '../../src/files/node.js';
import { ensemble } from '../../src/statistics/open-ensemble.js';
import { statistics } from '../../src/statistics/statistics.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const NAMES = ['North', 'South', 'East', 'West', 'North'];
const ids = NAMES.map((_, p) => `S${p + 1}`);
const hours = Array.from({ length: 12 }, (_, step) => new Date(Date.UTC(2026, 2, 1, 6 * step)).toISOString());
const stations = [
  'id,name,time,member_00,member_01',
  ...NAMES.flatMap((name, p) => hours.map((time, step) => `${ids[p]},${name},${time},${step % 5},${step % 3}`)),
].join('\n');
const dates = Array.from({ length: 7 }, (_, day) => `2026-03-0${day + 2}`);
const grid = [
  'latitude,longitude,date,member_00,member_01',
  ...[47, 48, 49].flatMap((latitude) =>
    [8, 9, 10].flatMap((longitude) =>
      dates.map((date, day) => `${latitude},${longitude},${date},${latitude - 40 + day},${longitude + day}`),
    ),
  ),
].join('\n');
const { folder, remove } = folderWith({
  'stations.csv': stations,
  'daily.csv': 'id,date,member_00\nA,2026-03-02,1\nA,2026-03-03,2\n',
  'zones.csv': `id,time_zone\n${ids.map((id, p) => `${id},${p === 1 ? 'Asia/Kolkata' : 'Europe/Berlin'}`).join('\n')}\n`,
  'grid.csv': grid,
});
afterAll(remove);
const at = (name: string) => join(folder, name);
const given = ['--units', 'mm', '--stamps', 'start'];

describe('inspect', () => {
  it('shows the ids, names and zones of places of tables and of files of arrays', async () => {
    const table = await plumecastHere('inspect', at('stations.csv'), '--units', 'degC', '--stamps', 'start');
    expect([table.code, table.err]).toEqual([0, '']);
    for (const ending of ['parquet', 'nc']) {
      const path = at(`days.${ending}`);
      const zones = ['--time-zones', at('zones.csv')];
      const run = ['convert', at('stations.csv'), path, '-v', 'precipitation', ...given, ...zones, '--quiet'];
      expect(await plumecastHere(...run)).toEqual({ code: 0, out: '', err: '' });
      const { out } = await plumecastHere('inspect', path);
      expect(out).toMatch(
        /labels +id: S1, S2, S3 and 2 more; name: North, South, East and 1 more;\s+time_zone: Europe\/Berlin,\s+Asia\/Kolkata/,
      );
      expect(out).toMatch(/time_zone +2 zones by place \([0-9a-f]{16}\)/);
      const { places } = JSON.parse((await plumecastHere('inspect', path, '--json')).out)[0].variables[0];
      expect(places.labels).toEqual([
        { name: 'id', count: 5, first: ['S1', 'S2', 'S3'] },
        { name: 'name', count: 4, first: ['North', 'South', 'East'] },
        { name: 'time_zone', count: 2, first: ['Europe/Berlin', 'Asia/Kolkata'] },
      ]);
    }
  });

  it('shows none where places have none', async () => {
    const { out } = await plumecastHere('inspect', at('grid.csv'));
    expect(out).toContain('places');
    expect(out).not.toContain('labels');
  });
});

it('area_share goes through statistics of a table of regions', async () => {
  const run = ['convert', at('grid.csv'), at('grid.nc'), '-v', 'precipitation', '--units', 'mm', '--quiet'];
  expect((await plumecastHere(...run)).code).toBe(0);
  const [core, file] = [await loadCore(), await openArrays(at('grid.nc'))];
  const box = { south: 46, west: 8, north: 48, east: 9.5 };
  const { table } = await tableOverRegions(core, file, box, { variable: 'precipitation' });
  const share = table.getChild('area_share')?.get(0);
  expect(share).toBeGreaterThan(0.5);
  expect(share).toBeLessThan(1);
  const weekly = statistics(core, ensemble(table), { granularity: 'weekly' });
  expect(weekly.numRows).toBe(1);
  expect(weekly.getChild('area_share')?.get(0)).toBe(share);
  expect(weekly.getChild('region')?.get(0)).toBe(table.getChild('region')?.get(0));
  await file.close();
});

describe('offsets with daily input', () => {
  it.each([
    [['--time-zone', '+05:30', '--day-start', '06'], /--day-start: values are daily: days that begin at another hour/],
    [['--time-zone', '+05:30', '--hours', '06-18'], /--hours: values are daily: parts of days cannot be made of them/],
    [['--time-zone', '+25:00'], /--time-zone: is not an offset from UTC that clocks have; received "\+25:00"/],
    [['--time-zones', 'id'], /--time-zones: are for time steps, and values are daily/],
  ])('%j is an error', async (options, message) => {
    const { code, err } = await plumecastHere('stats', at('daily.csv'), '-v', 'precipitation', ...options);
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
  });

  it('dates alone are kept as days of the offset', async () => {
    const run = ['stats', at('daily.csv'), '-v', 'precipitation', '--time-zone', '+05:30', '--format', 'csv'];
    const { code, err, out } = await plumecastHere(...run);
    expect(err).toContain('daily values are kept as days of +05:30');
    expect([code, out.split('\n').length]).toEqual([0, 4]);
  });
});

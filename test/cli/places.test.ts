import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { casePath } from '../reference/data-folder.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';

const DAYS = ['2024-01-01', '2024-01-02', '2024-01-03'];
/** Two farms in one cell of a grid: ids that only differ in text, a height, a crop that changes, a district. */
const FARMS = [
  { id: 'F001', lat: 47.5, lon: 14.5, metres: 610, district: 'Liezen', first: 1 },
  { id: 'F002', lat: 47.5, lon: 14.5, metres: 720, district: 'Liezen', first: 11 },
  { id: '007', lat: 48.25, lon: 14.5, metres: 250, district: 'Perg', first: 21 },
];

const HEADER = 'farm_id,lat,lon,elevation,district,crop,date,member,precip_mm';
const longRows = FARMS.flatMap(({ id, lat, lon, metres, district, first }) =>
  DAYS.flatMap((day, d) =>
    [0, 1].map((m) => `${id},${lat},${lon},${metres},${district},crop ${d},${day},${m},${first + d + 100 * m}`),
  ),
);
const byDay = DAYS.flatMap((day, d) =>
  FARMS.map(({ id, lat, lon, first }) => `${id},${lat},${lon},${day},${first + d},${first + d + 100}`),
);
const hours = FARMS.flatMap(({ id, lat, lon, metres, first }) =>
  Array.from({ length: 8 }, (_, step) => {
    const time = `2024-01-0${1 + Math.floor(step / 4)}T${String(6 * (step % 4)).padStart(2, '0')}:00:00Z`;
    return `${id},${lat},${lon},${metres},${time},${first + step},${first + step + 2}`;
  }),
);
const { folder, remove } = folderWith({
  'long.csv': `${HEADER}\n${longRows.join('\n')}\n`,
  'shuffled.csv': `${HEADER}\n${[...longRows].reverse().join('\n')}\n`,
  'by-day.csv': `farm_id,latitude,longitude,date,m1_mm,m2_mm\n${byDay.join('\n')}\n`,
  'steps.csv': `farm_id,latitude,longitude,elevation,time,m1,m2\n${hours.join('\n')}\n`,
  'unplaced.csv': `station,date,mm\n${FARMS.flatMap(({ id, first }) => DAYS.map((day, d) => `${id},${day},${first + d}`)).join('\n')}\n`,
  'later.csv': `farm_id,latitude,longitude,date,m1_mm,m2_mm\n${[...FARMS]
    .reverse()
    .flatMap(({ id, lat, lon, first }) =>
      ['2024-01-03', '2024-01-04', '2024-01-05'].map(
        (day, d) => `${id},${lat},${lon},${day},${first + d},${first + d}`,
      ),
    )
    .join('\n')}\n`,
});
afterAll(remove);

const at = (name: string) => join(folder, name);
const RAIN = ['-v', 'precipitation', '--units', 'mm'];

async function rows(...args: string[]): Promise<Record<string, string>[]> {
  const { code, out, err } = await plumecastHere(...args);
  expect({ code, err: code === 0 ? '' : err }).toEqual({ code: 0, err: '' });
  return records(out);
}

function records(csv: string): Record<string, string>[] {
  const [header, ...lines] = csv.trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
}

const stats = (file: string, ...options: string[]) =>
  rows('stats', at(file), ...RAIN, '--granularity', 'monthly', '--partial', ...options);
const summary = (found: Record<string, string>[], id = 'farm_id') =>
  found.map((row) => [row[id], row.latitude, row.longitude, Number(row.mean)]);
const EXPECTED = [
  ['F001', '47.5', '14.5', 156],
  ['F002', '47.5', '14.5', 186],
  ['007', '48.25', '14.5', 216],
];

describe('ids of places', () => {
  it('tell apart two farms in one cell, and go through statistics with columns that are constant for a place', async () => {
    const found = await stats('long.csv');
    expect(summary(found)).toEqual(EXPECTED);
    expect(found.map(({ elevation, district }) => [elevation, district])).toEqual([
      ['610', 'Liezen'],
      ['720', 'Liezen'],
      ['250', 'Perg'],
    ]);
    expect(Object.keys(found[0])).not.toContain('crop');
    expect(Object.keys(found[0]).slice(0, 6)).toEqual([
      'variable',
      'units',
      'latitude',
      'longitude',
      'farm_id',
      'elevation',
    ]);
  });

  it('are found in rows by day, and in rows of any order that are sorted', async () => {
    expect(summary(await stats('by-day.csv'))).toEqual(EXPECTED);
    expect(summary(await stats('shuffled.csv', '--sort'))).toEqual([...EXPECTED].reverse());
  });

  it('are enough without coordinates', async () => {
    expect(summary(await stats('unplaced.csv'), 'station')).toEqual([
      ['F001', '', '', 6],
      ['F002', '', '', 36],
      ['007', '', '', 66],
    ]);
  });

  it('that are written as numbers stay as they are, unless digits would be lost', async () => {
    const table = (ids: readonly string[]) =>
      `station_id,date,mm\n${ids.flatMap((id, i) => DAYS.map((day) => `${id},${day},${i}`)).join('\n')}\n`;
    for (const ids of [
      ['0061', '0072'],
      ['61', '72'],
      ['9007199254740993', '9007199254740995'],
    ]) {
      const { folder: own, remove: removeOwn } = folderWith({ 'ids.csv': table(ids) });
      const found = await rows('stats', join(own, 'ids.csv'), ...RAIN, '--granularity', 'monthly', '--partial');
      removeOwn();
      expect(found.map(({ station_id }) => station_id)).toEqual(ids);
    }
  });

  it('go through time steps', async () => {
    const found = await rows('stats', at('steps.csv'), '-v', 'temp_mean', '--units', 'degC', '--granularity', 'daily');
    expect(found.map(({ farm_id, elevation, start, mean }) => [farm_id, elevation, start, Number(mean)])).toEqual(
      FARMS.flatMap(({ id, metres, first }) => [
        [id, String(metres), '2024-01-01', first + 2.5],
        [id, String(metres), '2024-01-02', first + 6.5],
      ]),
    );
  });

  it.each(['csv', 'parquet', 'arrow', 'json', 'nc', 'zarr'])(
    'go through daily values and statistics as %s',
    async (format) => {
      const [daily, result, again] = [at(`daily.${format}`), at(`result.${format}`), at(`again-${format}.csv`)];
      expect((await plumecastHere('convert', at('long.csv'), daily, ...RAIN)).code).toBe(0);
      const { code, err } = await plumecastHere(
        'stats',
        at('long.csv'),
        ...RAIN,
        '--granularity',
        'daily',
        '--out',
        result,
      );
      expect([code, err]).toEqual([0, '']);
      if (format === 'json') {
        const read = JSON.parse(readFileSync(result, 'utf8')) as Record<string, unknown>[];
        expect(read.map(({ farm_id, elevation }) => [farm_id, elevation]).slice(2, 4)).toEqual([
          ['F001', 610],
          ['F002', 720],
        ]);
        return;
      }
      const found = await rows('stats', daily, ...RAIN, '--granularity', 'monthly', '--partial');
      expect(summary(found)).toEqual(EXPECTED);
      expect(found.map(({ elevation, district }) => [elevation, district])[2]).toEqual(['250', 'Perg']);
      await plumecastHere('convert', result, again);
      const results = records(readFileSync(again, 'utf8'));
      expect(summary(results).filter(([id]) => id === 'F002')).toEqual(
        [61, 62, 63].map((mean) => ['F002', '47.5', '14.5', mean]),
      );
    },
  );

  it('choose the places of a climatology, and of the horizons of a timeline in another order', async () => {
    const normals = at('normals.arrow');
    const options = [
      '--granularity',
      'daily',
      '--reference',
      '2024-2024',
      '--half-width',
      '0',
      '--min-sample-share',
      '0',
    ];
    expect(
      (await plumecastHere('climatology', at('by-day.csv'), ...RAIN, ...options, '--fewer-years', '--out', normals))
        .err,
    ).not.toMatch(/error/);
    const compared = await rows(
      'stats',
      at('by-day.csv'),
      ...RAIN,
      '--granularity',
      'daily',
      '--climatology',
      normals,
      '--anomaly',
    );
    expect(compared.map(({ anomaly }) => Number(anomaly))).toEqual(compared.map(() => 0));
    expect(new Set(compared.map(({ farm_id }) => farm_id)).size).toBe(3);
    const timeline = await rows('blend', at('by-day.csv'), at('later.csv'), ...RAIN, '--method', 'splice');
    const last = timeline.filter(({ date }) => date === '2024-01-05');
    expect(last.map(({ farm_id, member_00 }) => [farm_id, Number(member_00)])).toEqual([
      ['F001', 3],
      ['F002', 13],
      ['007', 23],
    ]);
  });
});

describe('ids of places as a choice', () => {
  const run = (file: string, ...options: string[]) =>
    plumecastHere('stats', at(file), ...RAIN, '--granularity', 'monthly', '--partial', ...options);

  it('the option ids chooses places of tables and of arrays, and rejects an id that is not there', async () => {
    await plumecastHere('convert', at('long.csv'), at('chosen.nc'), ...RAIN);
    for (const [file, id] of [
      ['long.csv', 'farm_id'],
      ['chosen.nc', 'farm_id'],
      ['unplaced.csv', 'station'],
    ]) {
      const { code, out, err } = await run(file, '--ids', '007,F002');
      expect([code, records(out).map((row) => row[id])]).toEqual([0, ['F002', '007']]);
      expect(err).toMatch(/2 of 3 places have the ids 007, F002/);
      const wrong = await run(file, '--ids', 'F009');
      expect([wrong.code !== 0, wrong.out]).toEqual([true, '']);
      expect(wrong.err).toMatch(/no place has this id; received "F009"; allowed: ids of the input: F001, F002, 007/);
    }
  });

  it('a point at which several places are is an error that names them', async () => {
    for (const file of ['long.csv', 'chosen.nc']) {
      const { code, err } = await run(file, '--point', '47.5,14.5');
      expect(code).toBeGreaterThan(0);
      expect(err).toMatch(/several places are nearest: F001, F002; .*allowed: one of them, by --ids/);
      expect(records((await run(file, '--point', '48.25,14.5')).out).map(({ farm_id }) => farm_id)).toEqual(['007']);
    }
  });

  it('a meteogram is of one of them', async () => {
    const out = at('farm.svg');
    const { code, err } = await plumecastHere(
      'plot',
      at('long.csv'),
      ...RAIN,
      '--ids',
      'F002',
      '--granularity',
      'daily',
      '--out',
      out,
    );
    expect([code, err.includes('error')]).toEqual([0, false]);
    expect((await plumecastHere('plot', at('long.csv'), ...RAIN, '--out', out)).err).toMatch(/several places.*--ids/s);
  });
});

describe('files as people have them', () => {
  it.each([
    ['farms.csv', 'farm_id', ['F001', 'F002', 'F003'], ['--granularity', 'weekly']],
    ['two-ids-at-one-place.csv', 'farm_id', ['F001', 'F002', 'F003'], ['--granularity', 'weekly']],
    ['ids-without-coordinates.csv', 'farm_id', ['F001', 'F002', 'F003'], ['--granularity', 'weekly']],
    ['open-meteo-two-farms-one-cell.json', 'location_id', ['0', '1', '2'], ['--granularity', 'daily']],
  ])('places of %s keep their ids', async (name, column, ids, options) => {
    const path = casePath(`places/${name}`);
    if (path === undefined) return;
    const found = await rows('stats', path, '-v', 'precipitation', ...options);
    expect([...new Set(found.map((row) => row[column]))]).toEqual(ids);
    const perPlace = ids.map((id) => found.filter((row) => row[column] === id).length);
    expect(new Set(perPlace).size).toBe(1);
  });
});

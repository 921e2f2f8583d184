import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { tableAtPoints, tableOverRegions } from '../../src/files/index.js';
import { openArrays, writeNetcdf } from '../../src/files/node.js';
import { folderWith, plumecast } from './run-command.js';
import { plumecastHere } from './run-here.js';

const STEPS = 64;
const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'Europe/Berlin', 'America/New_York'];
const IDS = ['F001', 'F002', 'F003', 'F004'];
const LATITUDES = [50, 49, 48];
const LONGITUDES = [10, 11, 12, 13];
const hour = (step: number) => new Date(Date.UTC(2026, 2, 26, 3 * (step + 1))).toISOString().slice(0, 16);
/** Millimetres of a step of three hours. */
const amount = (step: number, place: number, member: number) => ((step * 7 + place * 5 + member * 3) % 11) / 8;

const stations = (some: readonly number[]) =>
  [
    'id,tz,time,member_00,member_01',
    ...some.flatMap((place) =>
      Array.from({ length: STEPS }, (_, step) =>
        [IDS[place], ZONES[place], `${hour(step)}Z`, amount(step, place, 0), amount(step, place, 1)].join(','),
      ),
    ),
  ].join('\n');
const farms = (some: readonly number[]) =>
  `id,latitude,longitude,tz\n${some.map((p) => `${IDS[p]},${49.9 - p * 0.6},${10.2 + p * 0.8},${ZONES[p]}`).join('\n')}\n`;
const zones = `id,time_zone\n${IDS.map((id, p) => `${id},${ZONES[p]}`).join('\n')}\n`;
const ALL = [0, 1, 2, 3];
const { folder, remove } = folderWith({
  'stations.csv': stations(ALL),
  'farms.csv': farms(ALL),
  'zones.csv': zones,
  'two.csv': zones.split('\n').slice(0, 3).join('\n'),
  'wrong.csv': zones.replace('Asia/Kolkata', 'Europe/Berlinn'),
  'missing.csv': zones.replace('Asia/Kolkata', ''),
  'unnamed.csv': 'place,clock\nF001,UTC\n',
  'wrong-farms.csv': farms(ALL).replace('Asia/Kolkata', 'Europe/Berlinn'),
  ...Object.fromEntries(
    ALL.flatMap((p) => [
      [`station-${p}.csv`, stations([p])],
      [`farm-${p}.csv`, farms([p])],
    ]),
  ),
});
afterAll(remove);
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  const cells = LATITUDES.length * LONGITUDES.length;
  const axis = (name: string, values: readonly number[], units: string) => ({
    ...{ name, type: 'float64' as const, dimensions: [name], values: Float64Array.from(values) },
    attributes: new Map([['units', units]]),
  });
  await writeNetcdf(at('grid.nc'), {
    attributes: new Map(),
    dimensions: new Map([
      ['number', 2],
      ['time', STEPS],
      ['latitude', LATITUDES.length],
      ['longitude', LONGITUDES.length],
    ]),
    arrays: [
      axis('latitude', LATITUDES, 'degrees_north'),
      axis('longitude', LONGITUDES, 'degrees_east'),
      axis('number', [0, 1], '1'),
      axis(
        'time',
        Array.from({ length: STEPS }, (_, step) => 3 * (step + 1)),
        'hours since 2026-03-26',
      ),
      {
        ...{ name: 'tp', type: 'float32' as const, dimensions: ['number', 'time', 'latitude', 'longitude'] },
        values: Float32Array.from({ length: 2 * STEPS * cells }, (_, i) =>
          amount(Math.floor(i / cells) % STEPS, i % cells, Math.floor(i / cells / STEPS)),
        ),
        attributes: new Map([
          ['units', 'mm'],
          ['standard_name', 'precipitation_amount'],
          ['cell_methods', 'time: sum'],
        ]),
      },
    ],
  } as never);
});

type Row = Record<string, string>;
function records(csv: string): Row[] {
  const [header, ...lines] = csv.trim().split('\n');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [header.split(',')[i], cell])));
}
const RAIN = ['-v', 'precipitation', '--units', 'mm', '--format', 'csv', '--stamps', 'end'];
async function daily(file: string, ...options: string[]) {
  const { code, out, err } = await plumecastHere('stats', at(file), ...RAIN, ...options);
  return { code, err, rows: records(out) };
}
/** The rows of each place by itself with its own zone, without its zone's column. */
async function twin(fileOf: (place: number) => [string, ...string[]], ...options: string[]): Promise<Row[]> {
  const all: Row[] = [];
  for (const place of ALL) {
    const { rows, err } = await daily(...fileOf(place), '--time-zone', ZONES[place], ...options);
    if (rows.length === 0) throw new Error(err);
    all.push(...rows);
  }
  return all;
}
const valuesOf = (table: Table) =>
  table.toArray().map(({ date, member_00, member_01 }) => [Number(date), member_00, member_01]);
const without = (rows: readonly Row[]) => rows.map(({ time_zone: _, ...row }) => row);
const withValues = (rows: readonly Row[]) => rows.filter(({ mean }) => mean !== '');

describe('--time-zones', () => {
  it('gives stations of a table the days of their own zones, by a column and by a table of zones', async () => {
    for (const part of [[], ['--day-start', '06'], ['--hours', '06-18']]) {
      const alone = await twin((place) => [`station-${place}.csv`], ...part);
      const byColumn = await daily('stations.csv', '--time-zones', 'tz', ...part);
      expect(byColumn.rows).toEqual(alone);
      const byTable = await daily('stations.csv', '--time-zones', at('zones.csv'), ...part);
      expect(without(byTable.rows)).toEqual(alone);
      expect(byTable.rows.every(({ time_zone, tz }) => time_zone === tz)).toBe(true);
      expect(byTable.err).toMatch(/days of Europe\/Berlin.*days of Asia\/Kolkata/s);
    }
  });

  it('gives points of a grid the days of their own zones', async () => {
    for (const part of [[], ['--day-start', '06'], ['--hours', '06-18']]) {
      const alone = await twin((place) => ['grid.nc', '--points', at(`farm-${place}.csv`)], ...part);
      for (const given of ['tz', at('zones.csv')]) {
        const { rows, err } = await daily('grid.nc', '--points', at('farms.csv'), '--time-zones', given, ...part);
        expect(rows.length, err).toBeGreaterThan(0);
        expect(without(withValues(rows))).toEqual(withValues(alone));
        expect(rows.map((row) => row[given === 'tz' ? 'tz' : 'time_zone'])).toEqual(rows.map(({ tz }) => tz));
        if (given !== 'tz') expect(rows[0].time_zone).toBe(ZONES[0]);
      }
    }
  });

  it('reads points once for all zones, so that they may be standard input', async () => {
    const { rows } = await daily('grid.nc', '--points', at('farms.csv'), '--time-zones', 'tz');
    const input = readFileSync(at('farms.csv'));
    const { out, err } = plumecast(['stats', at('grid.nc'), ...RAIN, '--points', '-', '--time-zones', 'tz'], { input });
    expect(records(out), err).toEqual(rows);
  });

  it('is the same in the library, for points and regions', async () => {
    const core = await loadCore();
    const file = await openArrays(at('grid.nc'));
    const points = ALL.map((p) => ({ id: IDS[p], latitude: 49.9 - p * 0.6, longitude: 10.2 + p * 0.8, tz: ZONES[p] }));
    const given = { variable: 'precipitation', stamps: 'end' } as const;
    const byColumn = await tableAtPoints(core, file, points, { ...given, timeZones: 'tz' });
    const ids = Object.fromEntries(points.map(({ id, tz }) => [id, tz]));
    const byId = await tableAtPoints(core, file, points, { ...given, timeZones: ids });
    expect(valuesOf(byId.table)).toEqual(valuesOf(byColumn.table));
    expect(byId.table.getChild('time_zone')?.toArray()).toEqual(byColumn.table.getChild('tz')?.toArray());
    expect(byId.table.schema.metadata.get('time_zone')).toMatch(/^3 zones by place \(/);
    expect(byId.notes.filter((note) => note.includes('points by the nearest cell'))).toHaveLength(1);
    const box = { south: 48.5, west: 10.5, north: 49.5, east: 11.5 };
    const alone = await tableOverRegions(core, file, box, { ...given, timeZone: 'Asia/Kolkata' });
    const { region } = alone.table.get(0) as unknown as { region: string };
    const own = await tableOverRegions(core, file, box, { ...given, timeZones: { [region]: 'Asia/Kolkata' } });
    expect(valuesOf(own.table)).toEqual(valuesOf(alone.table));
    await file.close();
  });

  it('is kept in batches, whose plans have the zones, and in files that state them', async () => {
    const plan = at('plan.json');
    const options = {
      variables: ['precipitation'],
      granularities: ['daily'],
      stamps: 'end',
      units: 'mm',
      timeZones: at('zones.csv'),
    };
    writeFileSync(plan, JSON.stringify({ inputs: [at('stations.csv')], out: at('out'), format: 'csv', ...options }));
    const { err, code } = plumecast(['batch', '--plan', plan, '--quiet']);
    expect([code, err]).toEqual([0, '']);
    const written = readdirSync(at('out'), { recursive: true, encoding: 'utf8' });
    const file = written.filter((name) => name.endsWith('.csv')).map((name) => join(at('out'), name))[0];
    const found = records(readFileSync(file, 'utf8'));
    const { rows } = await daily('stations.csv', '--time-zones', at('zones.csv'));
    expect(found).toEqual(rows);
  });

  it('rejects days of other zones in one timeline', async () => {
    for (const [name, given] of [
      ['one.nc', 'zones.csv'],
      ['other.nc', 'same.csv'],
    ] as const) {
      if (given === 'same.csv') writeFileSync(at(given), zones.replace('Asia/Kolkata', 'Asia/Tokyo'));
      const { code, err } = await plumecastHere(
        ...['convert', at('grid.nc'), at(name), '-v', 'precipitation', '--stamps', 'end', '--quiet'],
        ...['--points', at('farms.csv'), '--time-zones', at(given)],
      );
      expect([code, err]).toEqual([0, '']);
    }
    const run = (second: string) =>
      plumecastHere('blend', at('one.nc'), at(second), '--out', at('blended.csv'), '--quiet');
    const mixed = await run('other.nc');
    expect(mixed.err).toMatch(/3 zones by place \(/);
    expect(mixed.code).not.toBe(0);
    const inspected = await plumecastHere('inspect', at('one.nc'));
    expect(inspected.out).toMatch(/3 zones by place/);
  });

  it.each([
    [
      'stations.csv',
      ['--time-zones', 'tz', '--time-zone', 'UTC'],
      /--time-zones: cannot be given together with --time-zone/,
    ],
    [
      'stations.csv',
      ['--time-zones', 'zone'],
      /stations.csv, --time-zones: the table has no such column; received "zone"/,
    ],
    ['stations.csv', ['--time-zones', 'two.csv'], /row 129: no zone for this place; received "id F003"/],
    [
      'stations.csv',
      ['--time-zones', 'wrong.csv'],
      /wrong.csv, row 2, column time_zone: F002: no such time zone, the nearest is Europe\/Berlin/,
    ],
    ['stations.csv', ['--time-zones', 'missing.csv'], /missing.csv, row 2, column time_zone: no zone for F002/],
    ['stations.csv', ['--time-zones', 'unnamed.csv'], /unnamed.csv: has no column of zones; received "place, clock"/],
    ['grid.nc', ['--time-zones', 'zones.csv'], /--time-zones: are for places, and the cells of a grid have no names/],
    [
      'grid.nc',
      ['--points', 'wrong-farms.csv', '--time-zones', 'tz'],
      /wrong-farms.csv, row 2, column tz: F002: no such time zone/,
    ],
    ['grid.nc', ['--points', 'farms.csv', '--time-zones', 'two.csv'], /farms.csv, row 3: no zone for F003/],
    [
      'grid.nc',
      ['--points', 'farms.csv', '--time-zones', 'zone'],
      /farms.csv, --time-zones: places have no such column; received "zone"/,
    ],
  ])('%s %j is an error', async (file, options, message) => {
    const { code, err } = await daily(file, ...options.map((text) => (text.includes('.csv') ? at(text) : text)));
    expect(err).toMatch(message);
    expect(code).not.toBe(0);
  });
});

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Table } from 'apache-arrow';
import { afterAll, describe, expect, it } from 'vitest';
import { demoTables } from '../../src/demo/index.js';
import { contentOfTable } from '../../src/files/cf/content/content-of-table.js';
import { encodeTable } from '../../src/files/index.js';
import { writeNetcdf4 } from '../../src/files/netcdf4/write-netcdf4.node.js';
import { dayNumber } from '../../src/period/day.js';
import { folderWith } from './run-command.js';
import { plumecastHere } from './run-here.js';
import { snapshotOf } from './small-store.js';

const { folder, remove } = folderWith({});
afterAll(remove);

const at = (name: string) => join(folder, name);
const locations = [37, 37.25].flatMap((latitude) => [-80, -79.75].map((longitude) => ({ latitude, longitude })));
const initDate = dayNumber(2026, 3, 3);
const grid = { locations, initDate, members: 3 };
const SLUGS = ['temp_mean', 'precipitation'] as const;
const TABLES = {
  short: demoTables({ ...grid, days: 18, horizon: 'short-term' }),
  seasonal: demoTables({ ...grid, days: 60, horizon: 'seasonal', seed: 3 }),
  old: demoTables({ ...grid, members: 1, initDate: initDate - 400, days: 395, seed: 4 }),
};

/** Writes tables of one grid, the variables of one horizon, as one NetCDF file. */
async function gridFile(name: string, tables: readonly Table[]): Promise<void> {
  const [first, ...others] = tables.map((table) => contentOfTable(table));
  const arrays = [...first.arrays, ...others.map((content) => content.arrays[content.arrays.length - 1])];
  await writeNetcdf4(at(name), { ...first, arrays });
}

for (const [name, tables] of Object.entries(TABLES)) {
  await gridFile(
    `${name}.nc`,
    SLUGS.map((slug) => tables[slug]),
  );
  for (const slug of SLUGS) writeFileSync(at(`${name}-${slug}.arrow`), await encodeTable(tables[slug], 'arrow'));
}

const ingest = (store: string, ...args: string[]) => plumecastHere('ingest', '--store', at(store), ...args);

/** All values of a store: forecasts and the history, by variable. */
async function valuesOf(store: string): Promise<Record<string, number[]>> {
  return snapshotOf(at(store), async ({ forecast, history }) => {
    const found: Record<string, number[]> = {};
    const parts = { timeline: forecast?.timeline, history: history?.data };
    for (const [name, dataset] of Object.entries(parts)) {
      for (const [slug, { days, members }] of dataset?.variables ?? []) {
        for (let cell = 0; cell < 4; cell++) {
          const values = new Float32Array(days * members);
          await dataset?.read(slug, cell, values);
          found[`${name} ${slug} ${cell}`] = [...values];
        }
      }
    }
    return found;
  });
}

const BEYOND = 'note: short-term: 3 days after 2026-03-17 (lead 15 on) are beyond the short-term span and not used\n';

describe('plumecast ingest of other formats', () => {
  it('reads all known variables of gridded files, with the values of their tables, and says so', async () => {
    const files = ['--short-term', at('short.nc'), '--seasonal', at('seasonal.nc'), '--history', at('old.nc')];
    const { code, err } = await ingest('grids', ...files);
    expect(code).toBe(0);
    const taken = (name: string) => `note: ${at(name)}: holds several variables; reading precipitation, temp_mean\n`;
    expect(err).toBe(`${taken('short.nc')}${taken('seasonal.nc')}${BEYOND}${taken('old.nc')}`);
    const tables = (name: string) => SLUGS.map((slug) => at(`${name}-${slug}.arrow`));
    const options = ['--short-term', ...tables('short'), '--seasonal', ...tables('seasonal')];
    expect(await ingest('tables', ...options, '--history', ...tables('old'))).toMatchObject({ code: 0 });
    const [ofGrids, ofTables] = [await valuesOf('grids'), await valuesOf('tables')];
    expect(Object.keys(ofGrids)).toHaveLength(16);
    expect(ofGrids).toEqual(ofTables);
  });

  it('reads the requested variables', async () => {
    const { code, err } = await ingest('one', '--short-term', at('short.nc'), '--variable', 'precipitation');
    expect([code, err]).toEqual([0, BEYOND]);
    expect(Object.keys(await valuesOf('one'))).toHaveLength(4);
    expect(await ingest('none', '--short-term', at('short.nc'), '--variable', 'wind_gust_max')).toMatchObject({
      code: 1,
      err: expect.stringContaining('short.nc: does not hold wind_gust_max; received "precipitation, temp_mean"'),
    });
  });

  it('reads several variables of one table, in steps and in other units', async () => {
    const lines = ['time,latitude,longitude,number,t2m (K),tp (m)'];
    for (let hour = 0; hour < 72; hour += 6) {
      const time = new Date((initDate * 24 + hour) * 3_600_000).toISOString();
      for (const member of [0, 1]) lines.push(`${time},37,-80,${member},${280 + member},0.001`);
    }
    writeFileSync(at('steps.csv'), lines.join('\n'));
    const { code, err } = await ingest('steps', '--short-term', at('steps.csv'), '--accumulation', 'per-step');
    expect(code).toBe(0);
    expect(err).toContain('steps.csv: holds several variables; reading temp_mean, precipitation\n');
    expect(err).toContain('K to degC; 6-hourly values to daily means');
    expect(err).toContain('m to mm; amounts of each step, by --accumulation; 6-hourly values to daily sums');
    await snapshotOf(at('steps'), async ({ forecast }) => {
      const values = new Float32Array(6);
      await forecast!.timeline.read('precipitation', 0, values);
      expect([...values]).toEqual([4, 4, 4, 4, 4, 4]);
      await forecast!.timeline.read('temp_mean', 0, values);
      expect([...values].map((value) => value.toFixed(2))).toEqual(['6.85', '6.85', '6.85', '7.85', '7.85', '7.85']);
    });
  });

  it('uses --at as the place of a series without coordinates, and only then', async () => {
    const days = Array.from({ length: 20 }, (_, d) => new Date((initDate - 40 + d) * 86_400_000).toISOString());
    writeFileSync(
      at('station.csv'),
      `date,temp_mean\n${days.map((day, d) => `${day.slice(0, 10)},${d}`).join('\n')}\n`,
    );
    const without = await ingest('station', '--history', at('station.csv'));
    expect(without.code).toBe(1);
    expect(without.err).toContain('station.csv: does not state where its values are');
    expect(await ingest('station', '--history', at('station.csv'), '--at', '37.3,-79.84')).toMatchObject({ code: 0 });
    await snapshotOf(at('station'), ({ history }) => {
      expect([...history!.data.places.latitude, ...history!.data.places.longitude]).toEqual([37.3, -79.84]);
    });
    const placed = ['--history', at('old.nc'), '--variable', 'temp_mean', '--at', '10,10'];
    expect(await ingest('placed', ...placed)).toMatchObject({ code: 0 });
    await snapshotOf(at('placed'), ({ history }) => {
      expect(history!.data.places.latitude[0]).toBe(37);
    });
    expect(await ingest('far', '--history', at('station.csv'), '--at', '95,0')).toMatchObject({
      code: 1,
      err: expect.stringContaining('latitude cannot be used; received 95'),
    });
  });

  it('names a file of arrays without elevations', async () => {
    const { code, err } = await ingest('dem', '--elevation', at('old.nc'));
    expect(code).toBe(1);
    expect(err).toContain('old.nc: has no orography');
    expect(err).not.toContain('openArrays');
  });
});

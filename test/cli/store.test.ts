import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { demoTables } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/index.js';
import { openArrays } from '../../src/files/open-arrays.node.js';
import { dayNumber } from '../../src/period/day.js';
import { casePath } from '../reference/data-folder.js';
import { folderWith, plumecast } from './run-command.js';
import { folderWithStore, snapshotOf } from './small-store.js';

const { folder, store, remove } = await folderWithStore();
afterAll(remove);

const run = (...args: string[]) => plumecast(args, { cwd: folder });
const generationOf = (dir: string) => snapshotOf(join(folder, dir), ({ forecast }) => forecast?.generation);

/** All values of a store's forecast and history, at all places. */
function valuesOf(dir: string) {
  return snapshotOf(dir, async ({ forecast, history, elevation }) => {
    const values: Record<string, number[]> = { elevation: [elevation?.(37, -80) ?? Number.NaN] };
    const parts = { timeline: forecast?.timeline, ...forecast?.horizons, history: history?.data };
    for (const [part, given] of Object.entries(parts)) {
      const dataset = given !== undefined && 'data' in given ? given.data : given;
      for (const [slug, { days, members }] of dataset?.variables ?? []) {
        for (const cell of dataset!.places.latitude.keys()) {
          const into = new Float32Array(days * members);
          await dataset!.read(slug, cell, into);
          values[`${part} ${slug} ${cell}`] = [...into];
        }
      }
    }
    return values;
  });
}

describe('plumecast store', () => {
  it('lists generations, goes back to one and forth, and prunes', async () => {
    const first = await generationOf('store');
    const before = await valuesOf(store);
    const files = ['--short-term', 'short-temp_mean.arrow', 'short-precipitation.arrow'];
    expect(
      run('ingest', '--store', 'store', ...files, '--init-time', '2026-03-02T06:00Z', '--generation', 'later').code,
    ).toBe(0);
    const { out } = run('store', 'list', '--store', 'store');
    const lines = out.split('\n').map((line) => line.trim().split(/ +/));
    expect([lines[1][0], lines[2].slice(0, 2)]).toEqual([first, ['*', 'later']]);
    expect(Number(lines[2][4])).toBeLessThan(Number(lines[2][3]));
    expect(run('store', 'rollback', '--store', 'store')).toMatchObject({
      code: 0,
      out: expect.stringContaining(`The store serves generation ${first} now.`),
    });
    expect(await valuesOf(store)).toEqual(before);
    expect(run('store', 'rollback', '--store', 'store')).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is none before the present one'),
    });
    expect(run('store', 'rollback', '--store', 'store', 'later').code).toBe(0);
    expect(await generationOf('store')).toBe('later');
    expect(run('store', 'rollback', '--store', 'store', 'none')).toMatchObject({
      code: 1,
      err: expect.stringContaining(`is not one of the store; received "none"; allowed: ${first}, later`),
    });
    const updates = () => readdirSync(join(store, 'updates'));
    expect(updates()).toHaveLength(2);
    expect(run('store', 'prune', '--store', 'store', '--keep', '1').out).toMatch(/^[1-9]\d* bytes were removed/);
    expect(run('store', 'list', '--store', 'store').out.trim().split('\n')).toHaveLength(2);
    expect(run('store', 'check', '--store', 'store', '-q')).toMatchObject({ code: 0, err: '' });
    expect(run('store', 'prune', '--store', 'store', '--keep', '3').code).toBe(0);
  });

  it('copies what a store serves, and copies again only what is new', async () => {
    expect(run('store', 'copy', '--store', 'store', 'copy')).toMatchObject({ code: 0 });
    expect(await valuesOf(join(folder, 'copy'))).toEqual(await valuesOf(store));
    expect(run('store', 'check', '--store', 'copy', '-q').out).toMatch(
      / of 1 generation, \d+ bytes: nothing is damaged\.\n$/,
    );
    expect(run('store', 'copy', '--store', 'store', 'copy').out).toMatch(/^0 bytes were copied/);
    expect(run('ingest', '--store', 'store', '--attribution', 'someone').code).toBe(0);
    expect(run('store', 'copy', '--store', 'store', 'copy').out).toMatch(/^\d+ bytes were copied/);
    expect(await generationOf('copy')).toBe(await generationOf('store'));
  });

  it('finds damage, and exits with 1', () => {
    cpSync(store, join(folder, 'damaged'), { recursive: true });
    const name = readdirSync(join(folder, 'damaged'), { recursive: true }).find((each) =>
      `${each}`.endsWith('.blocks'),
    );
    const path = join('damaged', `${name}`);
    const bytes = readFileSync(join(folder, path));
    bytes[bytes.length >> 1] ^= 2;
    writeFileSync(join(folder, path), bytes);
    const { code, out } = run('store', 'check', '--store', 'damaged', '-q');
    expect([code, out.split('\n')[0]]).toEqual([1, `${path}: is damaged: its checksum differs`]);
    expect(out).toMatch(/1 damaged\.\n$/);
  });

  it('migrates a store of version 1, which is read before and after, and can be gone back to', async () => {
    cpSync(join(__dirname, '..', 'fixtures', 'store-v1'), join(folder, 'old'), { recursive: true });
    const before = await valuesOf(join(folder, 'old'));
    expect(Object.keys(before)).toHaveLength(1 + 4 * 2 * 3);
    expect(run('store', 'check', '--store', 'old', '-q').out).toMatch(/13 have no checksum: plumecast store migrate/);
    expect(run('store', 'list', '--store', 'old')).toMatchObject({
      code: 1,
      err: expect.stringContaining('is a store of version 1'),
    });
    expect(run('store', 'migrate', '--store', 'old', '-q')).toMatchObject({ code: 0, err: '' });
    expect(await valuesOf(join(folder, 'old'))).toEqual(before);
    expect(run('store', 'prune', '--store', 'old', '--keep', '1').code).toBe(0);
    expect(run('store', 'check', '--store', 'old', '-q').out).toMatch(/nothing is damaged\.\n$/);
    expect(await valuesOf(join(folder, 'old'))).toEqual(before);
    expect(
      readdirSync(join(folder, 'old'), { recursive: true }).filter((each) =>
        /(mean|precipitation)\.arrow/.test(`${each}`),
      ),
    ).toEqual([]);
  });

  it('changes a store of version 1 without migrating it first', async () => {
    cpSync(join(__dirname, '..', 'fixtures', 'store-v1'), join(folder, 'older'), { recursive: true });
    const before = await valuesOf(join(folder, 'older'));
    expect(run('ingest', '--store', 'older', '--attribution', 'me').code).toBe(0);
    expect(await valuesOf(join(folder, 'older'))).toEqual(before);
    expect(run('store', 'rollback', '--store', 'older').out).toContain('The store serves generation of-version-1 now.');
    expect(await valuesOf(join(folder, 'older'))).toEqual(before);
  });

  it('computes climatologies anew from the history', async () => {
    const options = ['--granularity', 'weekly', '--reference', '2024-2025', '--fewer-years', '--out', 'normal.arrow'];
    expect(run('climatology', 'old-precipitation.arrow', ...options).code).toBe(0);
    expect(run('ingest', '--store', 'store', '--climatology', 'normal.arrow').code).toBe(0);
    const tableOf = () =>
      snapshotOf(store, async ({ climatology }) =>
        (await climatology?.('observations', 'weekly', 'precipitation'))!.toArray(),
      );
    const given = (await tableOf()).map((row) => row.toJSON());
    expect(run('store', 'climatologies', '--store', 'store', '-q')).toMatchObject({ code: 0, err: '' });
    expect((await tableOf()).map((row) => row.toJSON())).toEqual(given);
    expect(run('store', 'climatologies', '--store', 'older', '-q')).toMatchObject({
      code: 1,
      err: expect.stringContaining('has no climatology of observations'),
    });
  });

  it('is an error where there is no store, and makes none', () => {
    for (const command of ['list', 'check', 'rollback', 'prune', 'migrate']) {
      expect(run('store', command, '--store', 'nowhere')).toMatchObject({
        code: 1,
        err: expect.stringContaining('holds no store'),
      });
    }
    expect(readdirSync(folder)).not.toContain('nowhere');
  });
});

const given = casePath('store/short-term.nc');

describe.skipIf(given === undefined)('a store of three horizons that gets a run of one', () => {
  it('keeps the two others, as they are', async () => {
    const tables = forecastAround(given as string);
    const other = folderWith(await tables);
    onTestFinished(other.remove);
    const ingest = (...args: string[]) =>
      plumecast(['ingest', '--store', 'store', ...args, '-q'], { cwd: other.folder });
    const horizons = ['short-term', 'subseasonal', 'seasonal'];
    expect(ingest(...horizons.flatMap((name) => [`--${name}`, `${name}.arrow`]))).toMatchObject({ code: 0, err: '' });
    const before = await valuesOf(join(other.folder, 'store'));
    expect(ingest('--short-term', given as string, '--variable', 'temp_mean')).toMatchObject({ code: 0 });
    const after = await valuesOf(join(other.folder, 'store'));
    const of = (values: Record<string, number[]>, part: string) =>
      Object.entries(values).filter(([name]) => name.startsWith(`${part} `));
    for (const part of ['subseasonal', 'seasonal']) {
      expect(of(after, part)).toHaveLength(36);
      expect(of(after, part)).toEqual(of(before, part));
    }
    expect(of(after, 'short-term')).not.toEqual(of(before, 'short-term'));
    expect(of(after, 'timeline')).not.toEqual(of(before, 'timeline'));
  });
});

/** Temperatures of three horizons at the places of a file, of the day before its run. */
async function forecastAround(path: string): Promise<Record<string, Uint8Array>> {
  const file = await openArrays(path);
  const coordinate = async (name: string) => {
    const values = new Float64Array(6);
    await file.arrays.get(name)?.read({ start: [0], count: [6] }, values);
    return Array.from(values);
  };
  const [latitudes, longitudes] = [await coordinate('latitude'), await coordinate('longitude')];
  await file.close();
  const locations = latitudes.flatMap((latitude) => longitudes.map((longitude) => ({ latitude, longitude })));
  const lengths = { 'short-term': 15, subseasonal: 46, seasonal: 60 } as const;
  const tables = Object.entries(lengths).map(async ([horizon, days]) => {
    const options = { locations, initDate: dayNumber(2026, 11, 24), members: 3, days, horizon: horizon as 'seasonal' };
    return [`${horizon}.arrow`, await encodeTable(demoTables(options).temp_mean, 'arrow')] as const;
  });
  return Object.fromEntries(await Promise.all(tables));
}

import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openKeys } from '../../src/service/access/key-file.node.js';
import { openLocations } from '../../src/service/access/location-file.node.js';
import { plumecast } from './run-command.js';
import { folderWithStore, snapshotOf } from './small-store.js';

const { folder, store, remove } = await folderWithStore();
afterAll(remove);

/** What the sample replaces is a store. */
const sample = join(folder, 'sample');
renameSync(store, sample);
const demo = plumecast(['demo', 'sample', '--date', '2026-07-06', '--seasonal-members', '31'], { cwd: folder });

describe('plumecast demo', () => {
  it('writes all variables as Arrow files and shows weekly statistics of rain', () => {
    expect([demo.code, demo.err]).toEqual([0, '']);
    for (const horizon of ['.', 'short-term', 'subseasonal', 'history']) {
      const files = readdirSync(join(sample, horizon)).filter((name) => name.endsWith('.arrow'));
      expect(files).toHaveLength(9);
    }
    expect(demo.out).toMatchSnapshot();
    const again = plumecast(['stats', 'sample/precipitation.arrow', '--granularity', 'weekly'], { cwd: folder }).out;
    expect(again.split('\n')[1]).toMatch(/^precipitation,mm,37\.3,-79\.84,2026-W28,2026-07-06,2026-07-12,1,7,31,/);
  });

  it('replaces a store by one of three horizons, their timeline, a history with a filled gap, and elevation', async () => {
    await snapshotOf(sample, async ({ forecast, history, elevation, attribution }) => {
      const { timeline, fineTimeline, horizons } = forecast!;
      const shape = (slug: string, data = timeline) => {
        const { days, members } = data.variables.get(slug)!;
        return [data.places.latitude.length, days, members];
      };
      expect(forecast!.initTime).toBe('2026-07-06T00:00:00Z');
      expect([...timeline.variables.keys()]).toHaveLength(9);
      expect(shape('precipitation')).toEqual([49, 215, 31]);
      expect(shape('temp_mean', fineTimeline)).toEqual([81, 215, 31]);
      expect(shape('temp_mean', horizons.seasonal!.data)).toEqual([49, 215, 31]);
      expect(shape('temp_mean', horizons.subseasonal!.data)).toEqual([49, 46, 31]);
      expect(shape('temp_mean', horizons['short-term']!.data)).toEqual([49, 15, 31]);
      expect([elevation!(37.25, -79.75) > 100, attribution]).toEqual([true, 'Made-up weather of the plumecast demo']);

      const origins = await history!.data.origins!('temp_mean', 24);
      expect(origins.map(({ name }) => name)).toEqual(['reanalysis', 'analysis']);
      const { days } = history!.data.variables.get('temp_mean')!;
      const values = new Float32Array(days);
      await history!.data.read('temp_mean', 24, values);
      expect([days, values.some(Number.isNaN)]).toEqual([12_239, false]);
    });
  });

  it('uses at most 100 MB', () => {
    const bytes = readdirSync(sample, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
    expect(bytes).toBeLessThan(100e6);
  });

  it('pre-loads its grid, with demo-field on it and demo-remote next to it', async () => {
    const locations = await openLocations(sample);
    const field = (await locations.find('demo-field', 'anybody'))!;
    const remote = (await locations.find('demo-remote', 'anybody'))!;
    await snapshotOf(sample, ({ forecast, history }) => {
      const isLoaded = ({ latitude, longitude }: typeof field) =>
        history!.isPreloaded(Math.round(latitude * 4) / 4, Math.round(longitude * 4) / 4);
      expect([isLoaded(field), isLoaded(remote)]).toEqual([true, false]);
      expect(forecast!.timeline.places.covering(remote)).toBeDefined();
    });
  });

  it('creates the keys demo and demo-1km, which are unknown where demo keys are rejected', async () => {
    const keys = await openKeys(sample);
    expect(await keys.find('demo')).toMatchObject({ owner: 'demo', downscaling: false });
    expect(await keys.find('demo-1km')).toMatchObject({ owner: 'demo', downscaling: true });
    const strict = await openKeys(sample, { rejectDemoKeys: true });
    expect([await strict.find('demo'), await strict.find('demo-1km')]).toEqual([undefined, undefined]);
  });

  it('rejects a date that does not exist or is too early, and a folder that cannot be created', () => {
    expect(plumecast(['demo', 'x', '--date', '2026-02-29'], { cwd: folder })).toMatchObject({ code: 1 });
    expect(plumecast(['demo', 'x', '--date', '1993-12-31'], { cwd: folder })).toMatchObject({
      code: 1,
      err: 'error: --date: leaves no history before it; received "1993-12-31"; allowed: 1994-01-01 or later\n',
    });
    expect(existsSync(join(folder, 'x'))).toBe(false);
    expect(plumecast(['demo', 'elevation.csv/x'], { cwd: folder })).toMatchObject({
      code: 1,
      err: 'error: elevation.csv/x: cannot be created: part of its path is not a folder; allowed: a folder\n',
    });
  });
});

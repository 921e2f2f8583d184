import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { beginUpdate, describeStore, type StoreUpdate } from '../../../../src/service/source/folder/index.node.js';
import { AXIS, filesIn, gridOf, HEADER, HISTORY_AXIS, newFolder, opened, write } from './stores.js';

describe('a store in a folder has', () => {
  it('elevations, NaN where no place is near', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    await update.setElevation({ ...gridOf(3), metres: Float32Array.of(300.5, Number.NaN, 120) });
    const short = { ...gridOf(3), metres: Float32Array.of(1) };
    await expect(update.setElevation(short)).rejects.toThrow('elevation: has another length; received 1; allowed: 3');
    await update.commit();
    const { elevation } = await (await opened(dir)).snapshot();
    const at = [-80.45, -80.25, -79.9, -70].map((longitude) => elevation?.(36.5, longitude));
    expect(at).toEqual([300.5, Number.NaN, 120, Number.NaN]);
  });

  it('climatologies, each replaced by itself', async () => {
    const dir = newFolder();
    const table = (mean: number) => tableFromArrays({ period: ['W01'], mean: Float32Array.of(mean) });
    const first = await beginUpdate(dir);
    await first.setClimatology('observations', 'weekly', 'temp_mean', table(1));
    await first.setClimatology('seasonal', 'weekly', 'temp_mean', table(2));
    await first.commit();
    const second = await beginUpdate(dir);
    await second.setClimatology('observations', 'weekly', 'temp_mean', table(3));
    await second.commit();
    const { climatology } = await (await opened(dir)).snapshot();
    const mean = async (of: 'observations' | 'seasonal') =>
      (await climatology?.(of, 'weekly', 'temp_mean'))?.getChild('mean')?.get(0);
    expect([await mean('observations'), await mean('seasonal')]).toEqual([3, 2]);
    expect(climatology?.('observations', 'daily', 'temp_mean')).toBeUndefined();
    expect(await climatology?.('seasonal', 'weekly', 'temp_mean')).toBe(
      await climatology?.('seasonal', 'weekly', 'temp_mean'),
    );
  });

  it('climatologies that heal', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    await update.setClimatology('observations', 'weekly', 'temp_mean', tableFromArrays({ mean: Float32Array.of(1) }));
    await update.commit();
    const file = filesIn(join(dir, 'updates')).find((path) => path.includes('climatology')) as string;
    const bytes = readFileSync(file);
    writeFileSync(file, bytes.subarray(0, 100));
    const { climatology } = await (await opened(dir)).snapshot();
    await expect(climatology?.('observations', 'weekly', 'temp_mean')).rejects.toThrow(`${file}: is cut short`);
    writeFileSync(file, bytes);
    expect((await climatology?.('observations', 'weekly', 'temp_mean'))?.numRows).toBe(1);
  });

  it('points that are pre-loaded, which updates add to', async () => {
    const dir = newFolder();
    for (const [latitude, longitude] of [
      [37.25, -79.75],
      [-90, 12],
      [0, 180],
    ]) {
      const update = await beginUpdate(dir);
      await write(update, { part: 'reanalysis', axis: HISTORY_AXIS });
      update.addPreloaded({ latitude: Float64Array.of(latitude), longitude: Float64Array.of(longitude) });
      await update.commit();
    }
    const { history } = await (await opened(dir)).snapshot();
    const isPreloaded = (latitude: number, longitude: number) => history?.isPreloaded(latitude, longitude);
    expect([isPreloaded(37.25, -79.75), isPreloaded(-90, -50), isPreloaded(0, -180)]).toEqual([true, true, true]);
    expect([isPreloaded(37.25, -79.5), isPreloaded(37, -79.75), isPreloaded(90, 0)]).toEqual([false, false, false]);
    expect((await describeStore(dir)).preloaded).toBe(3);
  });

  it('a revision that changes with the elevations and the climatologies, and with nothing else', async () => {
    const dir = newFolder();
    const revisions: (string | undefined)[] = [];
    const changes: ((update: StoreUpdate) => unknown)[] = [
      (update) => write(update, { part: 'reanalysis', axis: HISTORY_AXIS }),
      (update) => update.setElevation({ ...gridOf(1), metres: Float32Array.of(5) }),
      (update) => update.setAttribution('me'),
      (update) => update.setElevation({ ...gridOf(1), metres: Float32Array.of(6) }),
      (update) => update.setClimatology('seasonal', 'monthly', 'temp_mean', tableFromArrays({ mean: [1] })),
      (update) => write(update, { part: 'reanalysis', axis: HISTORY_AXIS, from: 7 }),
    ];
    for (const change of changes) {
      const update = await beginUpdate(dir);
      await change(update);
      await update.commit();
      revisions.push((await (await opened(dir)).snapshot()).revision);
    }
    const [none, first, same, second, third, last] = revisions;
    expect([none, same, last]).toEqual([undefined, first, third]);
    expect(new Set([none, first, second, third]).size).toBe(4);
  });

  it('a history of the reanalysis, with the analysis where that has nothing', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    await write(update, { part: 'reanalysis', axis: HISTORY_AXIS, from: 10 });
    await write(update, { part: 'analysis', axis: { ...HISTORY_AXIS, days: 7 }, from: 100 });
    await update.commit();
    const { history } = await (await opened(dir)).snapshot();
    expect(history?.data.variables.get('temp_mean')).toMatchObject({ ...HISTORY_AXIS, days: 7 });
    const into = new Float32Array(7);
    await history?.data.read('temp_mean', 0, into);
    expect([...into]).toEqual([10, 11, 12, 13, 14, 105, 106]);
    expect(await history?.data.origins?.('temp_mean', 0)).toEqual([
      { name: 'reanalysis', firstDay: 19844, lastDay: 19848 },
      { name: 'analysis', firstDay: 19849, lastDay: 19850 },
    ]);
  });

  it('a history of the analysis alone where there is no reanalysis', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    await write(update, { part: 'analysis', axis: HISTORY_AXIS, from: 100 });
    await write(update, { part: 'fine-reanalysis', axis: HISTORY_AXIS, from: 200 });
    await update.commit();
    const { history } = await (await opened(dir)).snapshot();
    const into = new Float32Array(5);
    await history?.data.read('temp_mean', 3, into);
    expect([into[0], history?.fine?.places.latitude.length, history?.isPreloaded(36.5, -80.5)]).toEqual([
      115,
      4,
      false,
    ]);
  });

  it('the days of horizons', async () => {
    const dir = newFolder();
    const { firstDay, days } = AXIS;
    const horizons = [
      { horizon: 'short-term', firstDay, lastDay: firstDay + 2 },
      { horizon: 'seasonal', firstDay: firstDay + 1, lastDay: firstDay + days - 1 },
    ] as const;
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    await write(update, { axis: { ...AXIS, horizons } });
    await update.commit();
    const { forecast } = await (await opened(dir)).snapshot();
    expect(forecast?.timeline.variables.get('temp_mean')).toEqual({ ...AXIS, horizons });
  });

  it('a description', async () => {
    const dir = newFolder();
    const update = await beginUpdate(dir);
    update.setForecast(HEADER);
    await write(update);
    await update.setElevation({ ...gridOf(1), metres: Float32Array.of(5) });
    await update.setClimatology('seasonal', 'monthly', 'temp_mean', tableFromArrays({ mean: Float32Array.of(1) }));
    update.setAttribution('Data: an example.');
    await update.commit();
    expect(await describeStore(dir)).toEqual({
      generation: 'first',
      issued: [],
      forecast: HEADER,
      parts: new Map([
        [
          'timeline',
          {
            revision: expect.stringMatching(/^\d{8}T\d{6}-[0-9a-f]{8}$/),
            places: 4,
            variables: new Map([['temp_mean', { units: 'degC', axis: AXIS }]]),
          },
        ],
      ]),
      climatologies: [{ of: 'seasonal', granularity: 'monthly', slug: 'temp_mean' }],
      hasElevation: true,
      preloaded: 0,
      attribution: 'Data: an example.',
    });
  });
});

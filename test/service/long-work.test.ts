import { tableFromArrays } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Progress, WorkOptions } from '../../src/check/work.js';
import { climatology, climatologyTable } from '../../src/climate/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { dayNumber } from '../../src/period/day.js';
import { zarrSource } from '../../src/service/archive/index.js';
import {
  ingestClimatology,
  ingestElevation,
  reblendForecast,
  refreshClimatologies,
} from '../../src/service/ingest/index.js';
import {
  beginUpdate,
  checkStore,
  copyStore,
  listGenerations,
  migrateStore,
  openStore,
  pruneStore,
  rollbackStore,
} from '../../src/service/source/folder/index.node.js';
import { zarrFixture } from '../files/zarr/zarr-fixture.js';
import { casesOf } from '../full-check.js';
import { partArrays } from './archive/weather-archive.js';
import { AXIS, commitForecast, gridOf, HEADER, HISTORY_AXIS, newFolder, write } from './source/folder/stores.js';

/*
 * What a service needs that may take long: a signal ends it with its reason, before and meanwhile, and it says how much
 * is done. Other functions are in test/package/long-work.test.ts.
 */

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

/** A store with two generations, two horizons, and a history of thirty years. */
async function fullStore(): Promise<string> {
  const dir = newFolder();
  await commitForecast(dir, { generation: 'before' });
  const update = await beginUpdate(dir);
  const { horizonInitTimes, ...header } = HEADER;
  update.setForecast({ ...header, horizonInitTimes: { ...horizonInitTimes, subseasonal: HEADER.initTime } });
  await write(update, { part: 'short-term' });
  await write(update, { part: 'subseasonal', axis: { ...AXIS, firstDay: AXIS.firstDay + 2, days: 10 } });
  await write(update);
  await write(update, {
    part: 'reanalysis',
    axis: { ...HISTORY_AXIS, firstDay: dayNumber(1992, 12, 1), days: 11_100 },
  });
  await update.commit();
  return dir;
}

const DAYS = Array.from({ length: 730 }, (_, i) => i);
const observed = tableFromArrays({
  latitude: Float64Array.from(DAYS, () => 36.5),
  longitude: Float64Array.from(DAYS, () => -80.5),
  date: DAYS.map((i) => new Date(Date.UTC(2023, 0, 1 + i)).toISOString().slice(0, 10)),
  temp_mean: Float32Array.from(DAYS, (i) => i % 30),
});
const elevations = { ...gridOf(4), elevation: Float32Array.of(1, 2, 3, 4) };

/** Does something in an update that is not kept. */
async function updating<T>(dir: string, work: (update: Awaited<ReturnType<typeof beginUpdate>>) => Promise<T>) {
  const update = await beginUpdate(dir);
  try {
    return await work(update);
  } finally {
    await update.abandon();
  }
}

const WORK: Readonly<Record<string, (dir: string, work: WorkOptions) => Promise<unknown>>> = {
  openStore: async (dir, work) => (await openStore(dir, work)).close(),
  checkStore,
  listGenerations,
  copyStore: (dir, work) => copyStore(dir, newFolder(), work),
  pruneStore: (dir, work) => pruneStore(dir, { count: 1, ...work }),
  refreshClimatologies: (dir, work) =>
    updating(dir, (update) =>
      refreshClimatologies(core, update, { variables: ['temp_mean'], granularities: ['monthly'], ...work }),
    ),
  reblendForecast: (dir, work) => updating(dir, (update) => reblendForecast(core, update, work)),
  ingestClimatology: (dir, work) =>
    updating(dir, (update) => {
      const load = async () =>
        climatologyTable(
          climatology(core, observed, { variable: 'temp_mean', granularity: 'monthly', reference: '2023-2024' }),
        );
      return ingestClimatology(update, 'observations', { files: [{ source: 'a', load }], ...work });
    }),
  ingestElevation: (dir, work) =>
    updating(dir, (update) => ingestElevation(update, tableFromArrays(elevations), 'a', work)),
  zarrSource: async (_, work) => {
    const store = await zarrFixture(3, partArrays('history', 'history/', 1, 1), ['history']);
    await zarrSource(store, { core, ...work });
  },
};

describe.each(casesOf(Object.entries(WORK), [0, 3, 5]))('%s', (_, run) => {
  it('can be aborted before and meanwhile, counts what is done, and then works as before', async () => {
    const reason = { why: 'the caller left' };
    const dir = await fullStore();
    await expect(run(dir, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const reports: Progress[] = [];
    const outcome = await run(dir, {
      signal: controller.signal,
      onProgress: (progress) => {
        reports.push(progress);
        controller.abort(reason);
      },
    }).catch((error) => error);
    expect(reports).toHaveLength(1);
    const [{ done, total = done }] = reports;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThanOrEqual(total);
    // What has one step is done when it is counted.
    if (total > done) expect(outcome).toBe(reason);
    await run(dir, { signal: new AbortController().signal });
  });
});

describe('a store that was opened with a signal', () => {
  it('rejects reads with the reason after an abort, at once and later, and is closed', async () => {
    const dir = await fullStore();
    const controller = new AbortController();
    const store = await openStore(dir, { signal: controller.signal, refreshSeconds: 0 });
    const { forecast } = await store.snapshot();
    const into = new Float32Array(AXIS.days * AXIS.members);
    await forecast?.timeline.read('temp_mean', 1, into);
    expect(into[0]).toBe(15);
    controller.abort('enough');
    expect(() => store.snapshot()).toThrow('enough');
    await expect((async () => forecast?.timeline.read('temp_mean', 1, into))()).rejects.toBe('enough');
  });
});

it('a check of a store that is aborted between two objects reads no more of them', async () => {
  const dir = await fullStore();
  const controller = new AbortController();
  const names: string[] = [];
  const onObject = (name: string) => {
    names.push(name);
    if (names.length === 3) controller.abort('enough');
  };
  await expect(checkStore(dir, { onObject, signal: controller.signal })).rejects.toBe('enough');
  expect(names).toHaveLength(3);
});

it('a copy that was aborted goes on from there', async () => {
  const [dir, to] = [await fullStore(), newFolder()];
  const controller = new AbortController();
  const onProgress = () => controller.abort('enough');
  await expect(copyStore(dir, to, { signal: controller.signal, onProgress })).rejects.toBe('enough');
  expect(await copyStore(dir, to)).toBeGreaterThan(0);
  expect(await checkStore(to)).toMatchObject({ faults: [], generations: 1 });
});

it('a rollback that was aborted changes nothing', async () => {
  const dir = await fullStore();
  const before = await listGenerations(dir);
  await expect(rollbackStore(dir, undefined, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  expect(await listGenerations(dir)).toEqual(before);
});

it('a migration can be aborted, and the update that it is of can be abandoned', async () => {
  const dir = await fullStore();
  const migrated = updating(dir, (update) => migrateStore(update, { signal: AbortSignal.abort('enough') }));
  await expect(migrated).rejects.toBe('enough');
  await expect(beginUpdate(dir, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  expect(await checkStore(dir)).toMatchObject({ faults: [] });
});

import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../../src/core/field.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { MemberColumn } from '../../../src/core/member-column.js';
import type { DailyValues } from '../../../src/service/ingest/daily-values.js';
import { type ForecastFile, ingestForecast, ingestHistory } from '../../../src/service/ingest/index.js';
import type { Dataset } from '../../../src/service/source/dataset.js';
import { beginUpdate, checkStore, openStore, pruneStore } from '../../../src/service/source/folder/index.node.js';
import { findVariable } from '../../../src/variable/find-variable.js';
import { normalStream } from '../../reference/autoregressive.js';
import { contentsOf, newFolder } from '../source/folder/stores.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const PLACES = 60;
const latitude = Float64Array.from({ length: PLACES }, (_, i) => 40 + Math.floor(i / 10) / 2);
const longitude = Float64Array.from({ length: PLACES }, (_, i) => 5 + (i % 10) / 2);
const FIRST_DAY = 20_514;

/** Values on grids of fields, as GRIB gives them; `cells` are the places that they have, in their order. */
function grib(
  slug: string,
  members: number,
  days: number,
  { cells = [...latitude.keys()], seed = 1, missing = -1 } = {},
) {
  const normal = normalStream(seed);
  const origins = Float64Array.from({ length: members * days }, () => Math.fround(200 + normal()));
  const all = Float32Array.from({ length: PLACES * members * days }, (_, i) => {
    const origin = origins[i % (members * days)];
    return origin + Math.round((280 + 5 * normal() - origin) * 512) / 512 - 273.15;
  });
  if (missing >= 0) all[missing] = Number.NaN;
  const read: { cell: number; cells: number }[] = [];
  let open = 0;
  const load = async (): Promise<DailyValues> => {
    open++;
    return {
      variable: findVariable(slug),
      metadata: new Map([['init_time', '2026-03-02T00:00:00Z']]),
      members: Array.from({ length: members }, (_, m) => `m${m}`),
      ...{ firstDay: FIRST_DAY, days },
      latitude: Float64Array.from(cells, (cell) => latitude[cell]),
      longitude: Float64Array.from(cells, (cell) => longitude[cell]),
      blocks(bytes) {
        const most = Math.max(1, Math.floor(bytes / (4 * members * days)));
        const runs = [];
        for (let cell = 0; cell < cells.length; cell += most) {
          runs.push({ cell, cells: Math.min(most, cells.length - cell) });
        }
        return runs;
      },
      async read(run, type, order): Promise<EnsembleField> {
        read.push(run);
        const own = Array.from({ length: run.cells }, (_, i) => cells[order?.[run.cell + i] ?? run.cell + i]);
        const columns = Array.from({ length: members }, (_, m) => {
          const values = Float32Array.from({ length: run.cells * days }, (_, i) => {
            return all[(own[Math.floor(i / days)] * members + m) * days + (i % days)];
          });
          return new MemberColumn(`m${m}`, [{ values }]);
        });
        return { type, order: 'day-fastest', firstDay: FIRST_DAY, days, cells: run.cells, members: columns };
      },
      close: async () => {
        open--;
      },
    };
  };
  return { all, read, isClosed: () => open === 0, load, source: `${slug}.grib2` };
}

/** What a store has of a variable, place after place. */
async function valuesOf(dataset: Dataset | undefined, slug: string): Promise<number[]> {
  const axis = dataset?.variables.get(slug);
  if (dataset === undefined || axis === undefined) throw new Error(`no ${slug}`);
  const values: number[] = [];
  const into = new Float32Array(axis.days * axis.members);
  for (let cell = 0; cell < dataset.places.latitude.length; cell++) {
    await dataset.read(slug, cell, into);
    values.push(...into);
  }
  return values;
}

async function stored(folder: string) {
  const store = await openStore(folder);
  try {
    const snapshot = await store.snapshot();
    const { forecast, history } = snapshot;
    return {
      shortTerm: forecast && (await valuesOf(forecast.horizons['short-term']?.data, 'temp_mean')),
      timeline: forecast && (await valuesOf(forecast.timeline, 'temp_mean')),
      history: history && (await valuesOf(history.data, 'temp_mean')),
    };
  } finally {
    await store.close();
  }
}

async function ingest(folder: string, file: Omit<ForecastFile, 'horizon' | 'fine'>, memory?: number, options = {}) {
  const update = await beginUpdate(folder);
  try {
    const files = [{ ...file, horizon: 'short-term', fine: false } as const];
    await ingestForecast(core, update, { files, memory, ...options });
    await update.commit();
  } finally {
    await update.abandon();
  }
}

/** Memory for so many places at a time. */
const memoryFor = (places: number, members: number, days: number) => 4 * (4 * members * days) * places;

describe('values that are read some places at a time', () => {
  it.each([1, 7, 59, 60, 1000])(
    '%d at a time: each is read once, and the store has them to the bit',
    async (places) => {
      const folder = newFolder();
      const file = grib('temp_mean', 5, 12);
      await ingest(folder, file, memoryFor(places, 5, 12));
      expect(file.isClosed()).toBe(true);
      expect(file.read.map(({ cell }) => cell)).toEqual(
        Array.from({ length: Math.ceil(60 / Math.min(60, places)) }, (_, i) => i * Math.min(60, places)),
      );
      const { shortTerm, timeline } = await stored(folder);
      expect(shortTerm).toEqual([...file.all]);
      expect(timeline).toEqual([...file.all]);
    },
  );

  it('in another order of places than the store has, and of some places', async () => {
    const folder = newFolder();
    await ingest(folder, grib('temp_mean', 4, 9), memoryFor(13, 4, 9));
    const other = grib('temp_mean', 4, 9, { cells: [...latitude.keys()].reverse(), seed: 2 });
    await ingest(folder, other, memoryFor(13, 4, 9));
    expect((await stored(folder)).shortTerm).toEqual([...other.all]);
    const region = grib('temp_mean', 4, 9, { cells: [12, 11, 40], seed: 3 });
    await ingest(folder, region, memoryFor(1, 4, 9));
    const expected = other.all.map((value, i) => ([11, 12, 40].includes(Math.floor(i / 36)) ? region.all[i] : value));
    expect((await stored(folder)).shortTerm).toEqual([...expected]);
  });

  it('values that the store would lose are counted over all runs, and nothing changes', async () => {
    const folder = newFolder();
    const file = grib('temp_mean', 4, 9);
    await ingest(folder, file);
    const gap = grib('temp_mean', 4, 9, { missing: 40 * 36 + 5 });
    await expect(ingest(folder, gap, memoryFor(7, 4, 9))).rejects.toThrow(
      'short-term: the store would lose 1 of 2160 values of temp_mean, 2026-03-07; allowed',
    );
    expect(gap.isClosed()).toBe(true);
    expect((await stored(folder)).shortTerm).toEqual([...file.all]);
  });

  it('days of a history from several files, which replace those that the store has', async () => {
    const folder = newFolder();
    const first = grib('temp_mean', 1, 200);
    const append = async (file: ReturnType<typeof grib>, memory: number) => {
      const update = await beginUpdate(folder);
      await ingestHistory(update, 'reanalysis', { files: [file], memory });
      await update.commit();
    };
    await append(first, memoryFor(11, 1, 200));
    const corrected = grib('temp_mean', 1, 60, { seed: 4 });
    await append(corrected, memoryFor(9, 1, 60));
    const expected = first.all.map((value, i) =>
      i % 200 < 60 ? corrected.all[Math.floor(i / 200) * 60 + (i % 200)] : value,
    );
    expect((await stored(folder)).history).toEqual([...expected]);
    expect(corrected.isClosed()).toBe(true);
  });
});

describe('a precision', () => {
  it.each([
    ['decimals', 0.01],
    [{ temp_mean: 0.05 }, 0.05],
  ] as const)(
    'of %o keeps multiples, in horizons and timeline, and the store states it',
    async (precision, quantum) => {
      const folder = newFolder();
      const file = grib('temp_mean', 5, 12);
      await ingest(folder, file, undefined, { precision });
      const { shortTerm, timeline } = await stored(folder);
      const expected = file.all.map((value) => quantum * Math.floor(value / quantum + 0.5));
      expect(shortTerm?.findIndex((value, i) => Math.abs(value - expected[i]) > 1e-5)).toBe(-1);
      expect(timeline).toEqual(shortTerm);
      const { parts } = await contentsOf(folder);
      const [segment] = parts.get('short-term')?.variables.get('temp_mean')?.segments ?? [];
      expect(segment?.precision).toBe(quantum);
      expect(await precisions(folder)).toEqual({ shortTerm: quantum, timeline: quantum });
      // Again the same values: nothing is lost, and the store stays as it is.
      await ingest(folder, file, undefined, { precision });
      expect((await stored(folder)).shortTerm).toEqual(shortTerm);
    },
  );

  it('of what it cannot be is said', async () => {
    const folder = newFolder();
    const file = grib('temp_mean', 2, 3);
    for (const [precision, problem] of [
      [{ temp_mean: 0 }, 'input.precision.temp_mean: cannot be used; received 0; allowed: a positive number'],
      [
        'fine',
        'input.precision: cannot be used; received "fine"; allowed: decimals, or an object with positive numbers by variable',
      ],
      [{ warmth: 1 }, 'variable: is not known; received "warmth"'],
    ] as const) {
      await expect(ingest(folder, file, undefined, { precision })).rejects.toThrow(problem);
    }
  });

  it('of new days does not round days of a history that are kept to the bit', async () => {
    const folder = newFolder();
    const append = async (file: ReturnType<typeof grib>, options = {}) => {
      const update = await beginUpdate(folder);
      await ingestHistory(update, 'reanalysis', { files: [file], ...options });
      await update.commit();
    };
    const first = grib('temp_mean', 1, 50);
    await append(first);
    await append(grib('temp_mean', 1, 30, { seed: 5 }), { precision: { temp_mean: 0.1 } });
    const { history } = await stored(folder);
    const isKept = (value: number, i: number) => i % 50 < 30 || value === first.all[i];
    expect(history?.every(isKept)).toBe(true);
    expect(await precisions(folder)).toEqual({ history: 0.1 });
  });

  it('of a part of the places is the one of the variable, also with exact values beside them', async () => {
    const folder = newFolder();
    await ingest(folder, grib('temp_mean', 5, 12), undefined, { precision: { temp_mean: 0.1 } });
    await ingest(folder, grib('temp_mean', 5, 12, { cells: [3, 4, 5], seed: 7 }));
    expect(await precisions(folder)).toEqual({ shortTerm: 0.1, timeline: 0.1 });
    await ingest(folder, grib('temp_mean', 5, 12), undefined, {});
    expect(await precisions(folder)).toEqual({});
  });
});

/** To what the temperatures of a store were rounded, where they were. */
async function precisions(folder: string) {
  const store = await openStore(folder);
  const { forecast, history } = await store.snapshot();
  await store.close();
  const of = (dataset: Dataset | undefined) => dataset?.variables.get('temp_mean')?.precision;
  return {
    shortTerm: of(forecast?.horizons['short-term']?.data),
    timeline: of(forecast?.timeline),
    history: of(history?.data),
  };
}

/** The files of a store's folder, of updates that have ended or not. */
function filesOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.filter((name) => /\.(blocks|part|jsonl|lock)$/.test(name)).sort();
}

describe('an ingest that was stopped', () => {
  const files = (one: ReturnType<typeof grib>, other: ReturnType<typeof grib>, states: [string?, string?]) =>
    [one, other].map((file, i) => ({ ...file, state: states[i], horizon: 'short-term', fine: false }) as const);

  /** The blocks of two variables; stops before the second one is complete where `stops`. */
  async function put(folder: string, states: [string?, string?], { stops = false, seed = 1 } = {}) {
    const one = grib('temp_mean', 5, 12, { seed });
    const other = grib('precipitation', 5, 12, { seed: 7 });
    const load = async () => {
      const values = await other.load();
      let reads = 0;
      const read: DailyValues['read'] = (...args) => {
        if (stops && reads++ > 0) throw new Error('stopped');
        return values.read(...args);
      };
      return { ...values, read };
    };
    const notices: string[] = [];
    const update = await beginUpdate(folder);
    const onNotice = (text: string) => notices.push(text);
    const input = { files: files(one, { ...other, load }, states), memory: memoryFor(20, 5, 12), onNotice };
    const error = await ingestForecast(core, update, input).then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    if (error === undefined) await update.commit();
    await update.abandon({ keepsWork: true });
    return { reads: one.read.length, notices, error };
  }

  const TAKEN = 'short-term temp_mean: taken from an ingest that was stopped';
  const OTHER =
    'short-term temp_mean: what an ingest that was stopped had written is of other files or options, and is not used';

  it('goes on after the values that it had finished, which are not read again', async () => {
    const folder = newFolder();
    expect(await put(folder, ['a', 'b'], { stops: true })).toMatchObject({ reads: 3, error: 'stopped' });
    // Other updates leave it.
    await (await beginUpdate(folder)).abandon();
    expect(await put(folder, ['a', 'b'])).toEqual({ reads: 0, notices: [TAKEN], error: undefined });
    const whole = newFolder();
    await put(whole, ['a', 'b']);
    expect(await stored(folder)).toEqual(await stored(whole));
    expect((await checkStore(folder)).faults).toEqual([]);
    // Nothing of it is left, and nothing that is published is taken for something that was stopped.
    expect(await put(folder, ['a', 'b'])).toMatchObject({ reads: 3, notices: [] });
    expect(filesOf(folder).filter((name) => name.endsWith('work.jsonl'))).toEqual([]);
  });

  it('begins anew with other files, and says so; what it had finished is removed', async () => {
    const folder = newFolder();
    await put(folder, ['a', 'b'], { stops: true });
    expect(await put(folder, ['c', 'b'], { seed: 2 })).toEqual({ reads: 3, notices: [OTHER], error: undefined });
    const whole = newFolder();
    await put(whole, ['c', 'b'], { seed: 2 });
    expect(await stored(folder)).toEqual(await stored(whole));
    expect(filesOf(folder).filter((name) => name.endsWith('.blocks'))).toHaveLength(2);
  });

  it('begins anew where files do not state what they are', async () => {
    const folder = newFolder();
    await put(folder, [undefined, undefined], { stops: true });
    expect(await put(folder, [undefined, undefined])).toMatchObject({ reads: 3, notices: [] });
  });

  it('begins anew where a finished file is damaged, or its line', async () => {
    for (const damage of ['file', 'line']) {
      const folder = newFolder();
      await put(folder, ['a', 'b'], { stops: true });
      const names = readdirSync(folder, { recursive: true }).map(String);
      const name = names.find((each) => each.endsWith(damage === 'file' ? '.blocks' : 'work.jsonl'));
      const path = join(folder, name as string);
      truncateSync(path, statSync(path).size - 3);
      expect(await put(folder, ['a', 'b'])).toMatchObject({ reads: 3, notices: [], error: undefined });
      expect((await checkStore(folder)).faults).toEqual([]);
    }
  });

  it('leaves nothing behind once a store is pruned, or when it fails otherwise', async () => {
    const folder = newFolder();
    await put(folder, ['a', 'b']);
    const before = filesOf(folder);
    await put(folder, ['c', 'd'], { stops: true, seed: 3 });
    expect(filesOf(folder).length).toBeGreaterThan(before.length);
    await pruneStore(folder, { count: 1 });
    expect(filesOf(folder)).toEqual(before);
  });
});

describe('the work of an ingest', () => {
  it('is counted in values of the files, and ends with the reason of a signal', async () => {
    const folder = newFolder();
    const reported: unknown[] = [];
    const onProgress = (progress: unknown) => reported.push(progress);
    await ingest(folder, grib('temp_mean', 5, 12), memoryFor(20, 5, 12), { onProgress });
    expect(reported[0]).toEqual({ done: 20 * 60, total: 60 * 60, unit: 'values' });
    const before = filesOf(folder);
    const controller = new AbortController();
    const file = grib('temp_mean', 5, 12, { seed: 2 });
    const load = async () => {
      const values = await file.load();
      const read: DailyValues['read'] = (...args) => {
        controller.abort(new Error('enough'));
        return values.read(...args);
      };
      return { ...values, read };
    };
    const stopped = ingest(folder, { ...file, load }, memoryFor(20, 5, 12), {
      signal: controller.signal,
      replace: true,
    });
    await expect(stopped).rejects.toThrow('enough');
    expect(file.isClosed()).toBe(true);
    expect(filesOf(folder)).toEqual(before);
    const aborted = AbortSignal.abort(new Error('before'));
    await expect(ingest(folder, file, undefined, { signal: aborted })).rejects.toThrow('before');
    const update = await beginUpdate(folder);
    const history = ingestHistory(update, 'reanalysis', { files: [grib('temp_mean', 1, 30)], signal: aborted });
    await expect(history).rejects.toThrow('before');
    await update.abandon();
  });
});

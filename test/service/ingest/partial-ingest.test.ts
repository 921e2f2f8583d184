import { readdirSync } from 'node:fs';
import type { Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { type ForecastInput, ingestForecast } from '../../../src/service/ingest/index.js';
import {
  beginUpdate,
  checkStore,
  copyStore,
  describeStore,
  pruneStore,
  type StorePart,
  tryUpdate,
} from '../../../src/service/source/folder/index.node.js';
import type { HorizonName } from '../../../src/variable/availability.js';
import { casesOf, isFullCheck } from '../../full-check.js';
import { contentsOf, newFolder, opened } from '../source/folder/stores.js';
import { filesOf, horizonTables, LOCATIONS, TODAY } from './recording-writer.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const PAIR = ['temp_mean', 'precipitation'];
const ALL = [...PAIR, 'solar_radiation'];

function files(horizon: HorizonName, options = {}, slugs: readonly string[] = ALL, isFine = false) {
  const tables = horizonTables(horizon, options);
  return filesOf(horizon, Object.fromEntries(slugs.map((slug) => [slug, tables[slug] as Table])), isFine);
}

async function put(dir: string, input: ForecastInput) {
  const update = await beginUpdate(dir);
  try {
    const outcome = await ingestForecast(core, update, input);
    if (update.hasChanges) await update.commit();
    return outcome;
  } finally {
    await update.abandon();
  }
}

async function storeOf(...inputs: ForecastInput[]): Promise<string> {
  const dir = newFolder();
  for (const input of inputs) await put(dir, input);
  return dir;
}

/** All values of a store's part, by variable. */
async function valuesOf(dir: string, part: StorePart): Promise<Record<string, number[]>> {
  const update = await beginUpdate(dir);
  const dataset = await update.storedPart(part);
  const values: Record<string, number[]> = {};
  for (const [slug, { days, members }] of dataset?.variables ?? []) {
    values[slug] = [];
    for (const cell of dataset!.places.latitude.keys()) {
      const into = new Float32Array(days * members);
      await dataset!.read(slug, cell, into);
      values[slug].push(...into);
    }
  }
  await update.abandon();
  return values;
}

const NEWER = { initDate: TODAY + 1, seed: 11 };

describe('a horizon for a store of three', () => {
  it('changes that horizon and the timeline alone, which is as if all had come at once', async () => {
    const others = [...files('subseasonal'), ...files('seasonal')];
    const dir = await storeOf({ files: [...files('short-term'), ...others] });
    const before = await contentsOf(dir);
    await put(dir, { files: files('short-term', NEWER) });
    const once = await storeOf({ files: [...files('short-term', NEWER), ...others] });
    const after = await contentsOf(dir);
    expect(after.forecast?.horizonInitTimes).toEqual((await contentsOf(once)).forecast?.horizonInitTimes);
    for (const part of ['subseasonal', 'seasonal'] as const)
      expect(after.parts.get(part)).toEqual(before.parts.get(part));
    for (const part of ['short-term', 'timeline'] as const) {
      expect(await valuesOf(dir, part)).toEqual(await valuesOf(once, part));
    }
    expect(after.forecast?.pairing).toEqual((await contentsOf(once)).forecast?.pairing);
  });

  it('keeps the names of the forecast where it is not the first', async () => {
    const dir = await storeOf({ files: files('short-term'), version: 'v7', nextInitTime: '2026-03-02T06:00:00Z' });
    await put(dir, { files: files('seasonal'), generation: 'with-seasonal' });
    const { forecast } = await describeStore(dir);
    expect(forecast).toMatchObject({
      version: 'v7',
      nextInitTime: '2026-03-02T06:00:00Z',
      generation: 'with-seasonal',
    });
    expect((await (await opened(dir)).snapshot()).forecast?.generation).toBe('with-seasonal');
  });
});

describe('a timeline that is one horizon', () => {
  const filesIn = (dir: string) =>
    readdirSync(dir, { recursive: true }).filter((name) => String(name).endsWith('.blocks'));

  it('is the file of that horizon, until there is another horizon', async () => {
    const dir = await storeOf({ files: files('short-term', {}, PAIR) });
    expect(filesIn(dir)).toHaveLength(2);
    expect(await valuesOf(dir, 'timeline')).toEqual(await valuesOf(dir, 'short-term'));
    expect((await checkStore(dir)).faults).toEqual([]);
    const copy = newFolder();
    await copyStore(dir, copy);
    expect(await valuesOf(copy, 'timeline')).toEqual(await valuesOf(dir, 'short-term'));
    await put(dir, { files: files('subseasonal', {}, PAIR) });
    const all = await storeOf({ files: [...files('short-term', {}, PAIR), ...files('subseasonal', {}, PAIR)] });
    expect(await valuesOf(dir, 'timeline')).toEqual(await valuesOf(all, 'timeline'));
    await pruneStore(dir, { count: 1 });
    expect((await checkStore(dir)).faults).toEqual([]);
  });

  if (isFullCheck) {
    it('is the file of the first horizon for variables that it has alone', async () => {
      const dir = await storeOf({ files: [...files('short-term'), ...files('subseasonal', {}, PAIR)] });
      expect(filesIn(dir)).toHaveLength(7);
      const { timeline, shortTerm } = {
        timeline: await valuesOf(dir, 'timeline'),
        shortTerm: await valuesOf(dir, 'short-term'),
      };
      expect(timeline.solar_radiation).toEqual(shortTerm.solar_radiation);
    });
  }

  it('has its own file where the horizon has more days', async () => {
    const dir = await storeOf({ files: files('short-term', { days: 20 }, PAIR) });
    expect(filesIn(dir)).toHaveLength(4);
    const [timeline, shortTerm] = [await valuesOf(dir, 'timeline'), await valuesOf(dir, 'short-term')];
    expect(timeline.temp_mean.slice(0, 15)).toEqual(shortTerm.temp_mean.slice(0, 15));
    expect(timeline.temp_mean).toHaveLength((15 / 20) * shortTerm.temp_mean.length);
  });

  it('counts once in what an update would write', async () => {
    const update = await tryUpdate(newFolder());
    await ingestForecast(core, update, { files: files('short-term', {}, PAIR) });
    const bytes = (part: string) => update.changes.filter(({ of }) => of === part).map((change) => change.bytes);
    expect(bytes('timeline')).toEqual([0, 0]);
    expect(Math.min(...bytes('short-term'))).toBeGreaterThan(0);
    await update.abandon();
  });
});

describe('a horizon of another grid', () => {
  it('is a note where it has some places of the shortest one, and an error where it has none', async () => {
    const dir = await storeOf({ files: files('short-term') });
    const notices: string[] = [];
    const moved = (degrees: number) =>
      LOCATIONS.map(({ latitude, longitude }) => ({ latitude: latitude + degrees, longitude }));
    await put(dir, { files: files('seasonal', { locations: moved(0.25) }), onNotice: (text) => notices.push(text) });
    expect(await valuesOf(dir, 'timeline')).toHaveProperty('temp_mean');
    const before = await contentsOf(dir);
    await expect(put(dir, { files: files('subseasonal', { locations: moved(20) }) })).rejects.toThrow(
      'the subseasonal horizon: has no place within a grid step of any of the short-term horizon',
    );
    expect(await contentsOf(dir)).toEqual(before);
    await put(dir, {
      files: files('subseasonal', { locations: moved(0.5) }),
      onNotice: (text) => notices.push(text),
    });
    expect(notices.filter((text) => text.includes('have no subseasonal data'))).toHaveLength(1);
  });
});

describe('a variable of the same run', () => {
  it('changes that variable and its timeline alone, where members are not paired by it', async () => {
    const dir = await storeOf({ files: [...files('short-term', {}, PAIR), ...files('seasonal')] });
    const before = await contentsOf(dir);
    await put(dir, { files: files('short-term', {}, ['solar_radiation']) });
    const after = await contentsOf(dir);
    for (const slug of PAIR) {
      for (const part of ['short-term', 'timeline'] as const) {
        expect(after.parts.get(part)?.variables.get(slug)).toEqual(before.parts.get(part)?.variables.get(slug));
      }
    }
    const once = await storeOf({ files: [...files('short-term'), ...files('seasonal')] });
    expect(await valuesOf(dir, 'timeline')).toEqual(await valuesOf(once, 'timeline'));
  });
});

describe('a region of the same run', () => {
  if (isFullCheck) {
    it('changes its places alone, in whatever order, and the timeline as if all had come at once', async () => {
      const dir = await storeOf({ files: [...files('short-term'), ...files('seasonal')] });
      const before = await valuesOf(dir, 'short-term');
      const region = [LOCATIONS[2], LOCATIONS[1]];
      await put(dir, { files: files('short-term', { seed: 40, locations: region }) });
      const given = await storeOf({ files: files('short-term', { seed: 40, locations: region }) });
      const expected = await valuesOf(given, 'short-term');
      const after = await valuesOf(dir, 'short-term');
      for (const slug of ALL) {
        const width = before[slug].length / 3;
        expect(after[slug].slice(0, width)).toEqual(before[slug].slice(0, width));
        expect(after[slug].slice(width, 2 * width)).toEqual(expected[slug].slice(width));
        expect(after[slug].slice(2 * width)).toEqual(expected[slug].slice(0, width));
      }
      expect((await valuesOf(dir, 'timeline')).temp_mean).not.toEqual(before.temp_mean);
    });
  }

  it('with other days is an error', async () => {
    const dir = await storeOf({ files: files('short-term') });
    const region = files('short-term', { locations: LOCATIONS.slice(1), members: 12 });
    await expect(put(dir, { files: region })).rejects.toThrow(
      'has other days or members of temp_mean than the other places of its run; received "15 days of 12 members"',
    );
  });
});

describe('a newer run with less than the last complete one', () => {
  it('is published with what it lacks, until one is complete again', async () => {
    const dir = await storeOf({ files: files('short-term') });
    const notices: string[] = [];
    const less = files('short-term', { ...NEWER, members: 8, days: 12 }, PAIR);
    const { shortfalls } = await put(dir, { files: less, onNotice: (text) => notices.push(text) });
    const shortfall = {
      horizon: 'short-term',
      members: { received: 8, expected: 9 },
      days: { received: 12, expected: 15 },
      variables: ['solar_radiation'],
    };
    expect(shortfalls).toEqual([shortfall]);
    expect(notices).toContain('the short-term run is incomplete: 8 of 9 members; 12 of 15 days; no solar_radiation');
    const { forecast } = await (await opened(dir)).snapshot();
    expect(forecast?.shortfalls).toEqual([shortfall]);
    // It is compared with the last complete one, not with the last.
    await put(dir, { files: files('short-term', { initDate: TODAY + 2, members: 8 }) });
    expect((await contentsOf(dir)).forecast?.shortfalls).toEqual([
      { horizon: 'short-term', members: { received: 8, expected: 9 } },
    ]);
    await put(dir, { files: files('short-term', { initDate: TODAY + 3 }) });
    expect((await contentsOf(dir)).forecast?.shortfalls).toBeUndefined();
  });

  it('becomes complete when the rest of it comes', async () => {
    const dir = await storeOf({ files: files('short-term') });
    await put(dir, { files: files('short-term', NEWER, PAIR) });
    expect((await contentsOf(dir)).forecast?.shortfalls).toHaveLength(1);
    await put(dir, { files: files('short-term', NEWER, ['solar_radiation']) });
    expect((await contentsOf(dir)).forecast?.shortfalls).toBeUndefined();
  });

  it('is what is usual from then on with replace', async () => {
    const dir = await storeOf({ files: files('short-term') });
    await put(dir, { files: files('short-term', { ...NEWER, members: 5 }), replace: true });
    expect((await contentsOf(dir)).forecast?.shortfalls).toBeUndefined();
  });

  const shortRuns = [
    [{ members: 4 }, {}, 'it has 4 members, and 5 are needed'],
    [{ days: 7 }, {}, 'it has 7 days, and 8 are needed'],
    [{ members: 8 }, { minMembers: 9 }, 'it has 8 members, and 9 are needed'],
    [{ days: 14 }, { minDays: 15 }, 'it has 14 days, and 15 are needed'],
  ] as const;

  it.each(casesOf(shortRuns, [0, 3]))(
    'is not used with %o, where %o are needed: the run before stays, and other horizons are published',
    async (less, limits, reason) => {
      const dir = await storeOf({ files: [...files('short-term'), ...files('seasonal')] });
      const before = await contentsOf(dir);
      const input = { files: files('short-term', { ...NEWER, ...less }), ...limits };
      const notices: string[] = [];
      const outcome = await put(dir, { ...input, onNotice: (text) => notices.push(text) });
      expect(outcome).toMatchObject({ written: [], rejected: [{ horizon: 'short-term', reason }] });
      expect(notices).toContain(
        `the short-term run of 2026-03-03T00:00:00Z is not used, as ${reason}: that of 2026-03-02T00:00:00Z stays`,
      );
      expect(await contentsOf(dir)).toEqual(before);
      const both = await put(dir, {
        ...input,
        files: [...input.files, ...files('seasonal', { ...NEWER, days: 80 })],
        minDays: 15,
        minMembers: 9,
      });
      expect(both.written).toEqual(['seasonal']);
      const { forecast, parts } = await contentsOf(dir);
      expect(forecast?.horizonInitTimes).toEqual({
        'short-term': '2026-03-02T00:00:00Z',
        seasonal: '2026-03-03T00:00:00Z',
      });
      expect(parts.get('short-term')).toEqual(before.parts.get('short-term'));
    },
  );
});

describe('a run at 1 km', () => {
  const fine = (horizon: HorizonName, options = {}) => files(horizon, options, ['temp_mean'], true);

  it('may come by itself, after the coarse one of the same run; the one of an older run does not stay', async () => {
    const dir = await storeOf({
      files: [...files('short-term'), ...files('seasonal'), ...fine('short-term'), ...fine('seasonal')],
    });
    await put(dir, { files: files('short-term', NEWER) });
    let contents = await contentsOf(dir);
    expect([contents.parts.has('fine-timeline'), contents.parts.has('fine-seasonal')]).toEqual([false, true]);
    expect(contents.forecast?.shortfalls).toEqual([{ horizon: 'short-term', fine: true }]);
    await put(dir, { files: fine('short-term', NEWER) });
    contents = await contentsOf(dir);
    expect(contents.forecast?.shortfalls).toBeUndefined();
    const once = await storeOf({
      files: [...files('short-term', NEWER), ...files('seasonal'), ...fine('short-term', NEWER), ...fine('seasonal')],
    });
    expect(await valuesOf(dir, 'fine-timeline')).toEqual(await valuesOf(once, 'fine-timeline'));
  });

  it('of another run is an error', async () => {
    const dir = await storeOf({ files: files('short-term') });
    await expect(put(dir, { files: fine('short-term', NEWER) })).rejects.toThrow(
      'short-term/temp_mean: has 1 km data of another short-term run than the coarse grid; received "2026-03-03T00:00:00Z"',
    );
    await expect(storeOf({ files: fine('short-term') })).rejects.toThrow('has files of the 1 km grid alone');
  });
});

describe('runs that are kept as they were issued', () => {
  it('stay when newer ones replace them, at all places or at some', async () => {
    const dir = await storeOf({ files: files('short-term'), keepIssued: true });
    const first = await valuesOf(dir, 'short-term');
    const at = { latitude: Float64Array.of(37.5), longitude: Float64Array.of(-80) };
    await put(dir, { files: files('short-term', NEWER), keepIssued: at });
    const second = await valuesOf(dir, 'short-term');
    for (let day = 2; day < 6; day++) await put(dir, { files: files('short-term', { initDate: TODAY + day }) });
    const store = await opened(dir);
    const { issued = [] } = await store.snapshot();
    expect(issued.map(({ horizon, initTime }) => [horizon, initTime])).toEqual([
      ['short-term', '2026-03-02T00:00:00Z'],
      ['short-term', '2026-03-03T00:00:00Z'],
    ]);
    const [all, some] = await Promise.all(issued.map((run) => run.open()));
    expect([all.places.latitude.length, [...some.places.latitude]]).toEqual([3, [37.5]]);
    const { days, members } = all.variables.get('temp_mean')!;
    const into = new Float32Array(days * members);
    await all.read('temp_mean', 2, into);
    expect([...into]).toEqual(first.temp_mean.slice(2 * into.length));
    await some.read('temp_mean', 0, into);
    expect([...into]).toEqual(second.temp_mean.slice(2 * into.length));
  });
});

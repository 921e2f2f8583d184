import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromArrays } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { dayNumber } from '../../../src/period/day.js';
import { readSums } from '../../../src/service/record/record-sums.js';
import { type VerifyStoreOptions, verifyStore } from '../../../src/service/record/verify-store.js';
import { beginUpdate, checkStore, copyStore, listGenerations } from '../../../src/service/source/folder/index.node.js';
import type { RecordedOf } from '../../../src/service/source/folder/store-record.node.js';
import { loadSkill, type Skill, verificationScores, verify } from '../../../src/skill/index.js';
import { isFullCheck } from '../../full-check.js';
import { contentsOf } from '../source/folder/stores.js';
import { temporaryFolder } from '../source/temporary-folder.js';
import { knownShare, SimulatedFeed } from './simulated-feed.js';

let core: Core;
let skill: Skill;
beforeAll(async () => {
  [core, skill] = [await loadCore(), await loadSkill()];
});

const FIRST = dayNumber(2026, 3, 2);
const DAILY = { horizon: 'short-term', granularity: 'daily', slug: 'temp_mean' } as const;
const WEEKLY = { ...DAILY, granularity: 'weekly' } as const;

async function score(dir: string, options: VerifyStoreOptions = {}): Promise<number> {
  const update = await beginUpdate(dir);
  try {
    const { cases } = await verifyStore(core, skill, update, options);
    if (update.hasChanges) await update.commit();
    return cases;
  } finally {
    await update.abandon();
  }
}

/** The sums of a series of the record, by place and class of leads, and its leads. */
async function recordOf(dir: string, of: RecordedOf) {
  const update = await beginUpdate(dir);
  try {
    const series = update.record.find(of);
    if (series === undefined) return undefined;
    const { days: classes, members } = series.values.axis;
    const data = await update.record.values(series);
    const places = [];
    for (const place of data.places.latitude.keys()) {
      const block = new Float32Array(classes * members);
      await data.read(of.slug, place, block);
      places.push(Array.from({ length: classes }, (_, at) => readSums(block, classes, at)));
    }
    return { places, leads: series.leads };
  } finally {
    await update.abandon();
  }
}

/** The skill that runs of a feed have: of a normal forecast with so many members, against a climatology of so many samples. */
function knownSkill(shares: readonly number[], members: number, samples: number): number {
  const unknown = shares.reduce((sum, share) => sum + (1 - share), 0) / shares.length;
  return 1 - (Math.sqrt(unknown) * (1 + 1 / members)) / (1 + 1 / samples);
}

/** A small store after some runs, and its feed. */
async function smallStore(runs: number, scoreAfter: (run: number) => boolean = () => false, seed = 3) {
  const feed = new SimulatedFeed({ places: 3, members: 5, days: 10, firstDay: FIRST, historyDays: 365 * 5, seed });
  const dir = temporaryFolder();
  await feed.begin(dir);
  for (let run = 0; run < runs; run++) {
    await feed.advance(dir, FIRST + run);
    if (scoreAfter(run)) await score(dir);
  }
  return { feed, dir };
}

describe('the record of a store', () => {
  it('has the scores of verify, at each place and lead', async () => {
    const { feed, dir } = await smallStore(14);
    await score(dir);
    const copy = new SimulatedFeed(feed.options);
    const { latitude, longitude } = feed.places;
    const observedOf = (day: number) => copy.observed(day);
    const tableOf = (firstDay: number, days: number, members: (place: number) => Float32Array[]) => {
      const rows = Array.from(latitude.keys()).flatMap((place) =>
        Array.from({ length: days }, (_, d) => ({ place, d, values: members(place) })),
      );
      const columns = Object.fromEntries(
        rows[0].values.map((_, m) => [`m${m}`, Float32Array.from(rows, ({ values, d }) => values[m][d])]),
      );
      return tableFromArrays({
        date: rows.map(({ d }) => new Date((firstDay + d) * 86_400_000)),
        latitude: Float64Array.from(rows, ({ place }) => latitude[place]),
        longitude: Float64Array.from(rows, ({ place }) => longitude[place]),
        ...columns,
      });
    };
    const { historyDays, days, members } = feed.options;
    const past = Array.from({ length: historyDays }, (_, d) => observedOf(FIRST - historyDays + d));
    const forecasts = [];
    for (let run = 0; run < 14; run++) {
      const values = copy.run(FIRST + run);
      forecasts.push(
        tableOf(FIRST + run, days, (place) =>
          Array.from({ length: members }, (_, m) => values[place].subarray(m * days, (m + 1) * days)),
        ),
      );
      observedOf(FIRST + run - 1);
    }
    const all = [...past, ...Array.from({ length: 13 }, (_, d) => observedOf(FIRST + d))];
    const observed = tableOf(FIRST - historyDays, all.length, (place) => [Float32Array.from(all, (day) => day[place])]);
    for (const of of [DAILY, WEEKLY]) {
      const verified = await verify(
        core,
        skill,
        { forecasts, observed },
        {
          variable: 'temp_mean',
          granularity: of.granularity,
          by: ['place', 'lead'],
          categories: 3,
          against: 'climatology',
        },
      );
      const groups = verificationScores(verified.verification).filter(({ cases }) => cases > 0);
      const { places } = (await recordOf(dir, of))!;
      expect(groups).toHaveLength(places.flat().filter(({ cases }) => cases > 0).length);
      for (const { labels, cases, scores } of groups) {
        const place = latitude.findIndex((north, p) => north === labels.latitude && longitude[p] === labels.longitude);
        const own = places[place][Number(labels.lead)];
        const mean = (name: string, forecast: string) =>
          scores.find((one) => one.score === name && one.forecast === forecast && one.of === undefined)!.value;
        expect(own.cases).toBe(cases);
        expect(own.crps / cases).toBeCloseTo(mean('crps', 'forecast'), 11);
        expect(own.referenceCrps / cases).toBeCloseTo(mean('crps', 'reference'), 11);
        expect(own.rps / cases).toBeCloseTo(mean('rps', 'forecast'), 11);
        expect(own.referenceRps / cases).toBeCloseTo(mean('rps', 'reference'), 11);
      }
    }
  });

  it('counts each window once, however often it is scored', async () => {
    const once = await smallStore(16);
    await score(once.dir);
    const often = await smallStore(16, (run) => run % 3 === 1);
    await score(often.dir);
    const before = await contentsOf(often.dir);
    expect(await score(often.dir)).toBe(0);
    expect(await contentsOf(often.dir)).toEqual(before);
    for (const of of [DAILY, WEEKLY]) {
      const [a, b] = [(await recordOf(once.dir, of))!, (await recordOf(often.dir, of))!];
      expect(b.leads.map(({ lead, cases }) => [lead, cases])).toEqual(a.leads.map(({ lead, cases }) => [lead, cases]));
      // The climatology leaves out the year that is verified, so that it does not grow with these days.
      for (const [place, own] of b.places.entries()) {
        for (const [at, sums] of own.entries()) {
          const { cases, firstDay, lastDay, crps } = a.places[place][at];
          expect(sums).toMatchObject({ cases, firstDay, lastDay });
          expect(sums.crps).toBeCloseTo(crps, 10);
        }
      }
    }
  });

  it('is made anew where it is asked for, with a corrected history', async () => {
    const { feed, dir } = await smallStore(8, (run) => run === 7);
    const { places: before } = (await recordOf(dir, DAILY))!;
    const corrected = feed.observed(FIRST + 2).map((value) => value + 20);
    await feed.correct(dir, FIRST + 2, corrected);
    expect(await score(dir)).toBe(0);
    expect((await recordOf(dir, DAILY))!.places).toEqual(before);
    expect(await score(dir, { again: true })).toBeGreaterThan(0);
    const { places: after } = (await recordOf(dir, DAILY))!;
    expect(after[0][0].cases).toBe(before[0][0].cases);
    expect(after[0][0].crps).toBeGreaterThan(before[0][0].crps + 5);
    const made = await recordOf(dir, DAILY);
    await score(dir, { again: true });
    expect((await recordOf(dir, DAILY))!.places).toEqual(made!.places);
  });

  it('keeps the generation, its name and the one before, and is copied and checked with it', async () => {
    const { dir } = await smallStore(6);
    const before = await listGenerations(dir);
    await score(dir);
    const after = await listGenerations(dir);
    expect(after.map(({ generation }) => generation)).toEqual(before.map(({ generation }) => generation));
    expect(await checkStore(dir)).toMatchObject({ faults: [] });
    const copy = temporaryFolder();
    await copyStore(dir, copy);
    expect(await checkStore(copy)).toMatchObject({ faults: [] });
    expect(await recordOf(copy, DAILY)).toEqual(await recordOf(dir, DAILY));
    const { record } = await contentsOf(dir);
    const [{ state }] = record!.series;
    writeFileSync(join(dir, state.file), 'damaged');
    await expect(score(dir, { again: false })).rejects.toThrow(/cut short|damaged/);
  });

  it('adds places that later runs have, and keeps others', async () => {
    const { feed, dir } = await smallStore(3, (run) => run === 2);
    const { places: before } = (await recordOf(dir, DAILY))!;
    const { latitude, longitude } = feed.places;
    await feed.advance(dir, FIRST + 3, { latitude: latitude.slice(1, 2), longitude: longitude.slice(1, 2) });
    await feed.advance(dir, FIRST + 4, { latitude: latitude.slice(1, 2), longitude: longitude.slice(1, 2) });
    await score(dir);
    const { places: after } = (await recordOf(dir, DAILY))!;
    expect(after).toHaveLength(3);
    const cases = (places: typeof after) => places.map((own) => own.reduce((sum, { cases }) => sum + cases, 0));
    const [was, is] = [cases(before), cases(after)];
    // Days 3 and 4 of three old runs, and day 3 of the new one, which has one place.
    expect(is.map((count, place) => count - was[place])).toEqual([6, 7, 6]);
  });

  it('says what a store lacks', async () => {
    const feed = new SimulatedFeed({ places: 2, members: 4, days: 5, firstDay: FIRST, historyDays: 800 });
    const dir = temporaryFolder();
    await feed.begin(dir);
    await expect(score(dir)).rejects.toThrow('has no issued forecasts; allowed: runs that an ingest has kept');
    for (let run = 0; run < 3; run++) await feed.advance(dir, FIRST + run);
    await expect(score(dir)).rejects.toThrow(/too few years for 3 categories.*a history of more years/);
    await expect(score(dir, { variables: ['wind_speed'] })).rejects.toThrow(
      'variable: is not in both the issued forecasts and the history; received "wind_speed"; allowed: temp_mean',
    );
  });
});

describe('the record of a month of forecasts with known skill', () => {
  it.runIf(isFullCheck)('finds it, at each lead', { timeout: 600_000 }, async () => {
    const places = 400;
    const days = 12;
    const feed = new SimulatedFeed({ places, members: 20, days, firstDay: FIRST, historyDays: 365 * 6 });
    const dir = temporaryFolder();
    await feed.begin(dir);
    let cases = 0;
    for (let day = 0; day < 31; day++) {
      await feed.advance(dir, FIRST + day);
      if (day % 10 === 0) cases += await score(dir);
    }
    const { places: sums, leads } = (await recordOf(dir, DAILY))!;
    // Days up to the one before the last run are observed.
    const runs = (lead: number) => 30 - lead;
    expect(leads.map(({ lead, cases: count }) => [lead, count])).toEqual(
      Array.from({ length: days }, (_, lead) => [lead, places * runs(lead)]),
    );
    const weekly = (await recordOf(dir, WEEKLY))!;
    const all = [...leads, ...weekly.leads].reduce((sum, { cases: count }) => sum + count, 0);
    expect(cases).toBe(all);
    for (const { lead, cases: count, crpsSkill, rpsSkill } of leads) {
      const expected = knownSkill([knownShare(lead)], 20, 6 * 15);
      expect(Math.abs(crpsSkill! - expected), `lead ${lead}`).toBeLessThan(4 / Math.sqrt(count));
      expect(rpsSkill).toBeLessThan(crpsSkill! + 4 / Math.sqrt(count));
    }
    for (const own of sums) {
      for (const [lead, { cases: count, firstDay, lastDay }] of own.entries())
        expect([count, firstDay, lastDay]).toEqual([runs(lead), FIRST + lead, FIRST + 29]);
    }
    const total = (of: 'crps' | 'referenceCrps') => sums.reduce((sum, own) => sum + own[0][of], 0);
    expect(1 - total('crps') / total('referenceCrps')).toBeCloseTo(leads[0].crpsSkill!, 12);
  });
});

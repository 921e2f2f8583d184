import { beforeAll, expect } from 'vitest';
import { blend, blendVariables, seamReport, type Timeline } from '../../src/blend/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { parseDate } from '../../src/period/day.js';
import { ingestForecast } from '../../src/service/ingest/index.js';
import type { Axis } from '../../src/service/source/dataset.js';
import type { ForecastRun } from '../../src/service/source/source.js';
import { wideTable } from '../../src/table/build/wide-table.js';
import { filesOf, horizonTables, RecordingWriter } from '../service/ingest/recording-writer.js';
import { section, test } from './section.js';
import { AT, type Body, conformanceService, type Service, TODAY } from './service.js';
import { addDays, datesFrom, mean, type Series } from './slow-statistics.js';

let service: Service;
let core: Core;
beforeAll(async () => {
  core = await loadCore();
  service = await conformanceService();
});

type Horizon = 'short-term' | 'subseasonal' | 'seasonal';

/** A variable's timeline at one of the places, unrounded. */
async function timelineOf(slug: string, place = 0): Promise<Series> {
  const { timeline } = service.data.forecast as ForecastRun;
  const { days, members } = timeline.variables.get(slug) as Axis;
  const values = new Float32Array(days * members);
  await timeline.read(slug, place, values);
  const series = Array.from({ length: members }, (_, m) => [...values.subarray(m * days, (m + 1) * days)]);
  return { first: TODAY, members: series };
}

/** A member's values from a date to another. */
function valuesOf({ first, members }: Series, member: number, dates: readonly string[]): number[] {
  const at = (Date.parse(dates[0]) - Date.parse(first)) / 86_400_000;
  return members[member].slice(at, at + dates.length);
}

/** Which member of a horizon each trajectory is throughout some dates; -1 where it is none. */
async function sourcesOf(horizon: Horizon, slug: string, dates: readonly string[], place = 0): Promise<number[]> {
  const [timeline, run] = [await timelineOf(slug, place), service.run(horizon, slug, place)];
  const known = run.members.map((_, m) => valuesOf(run, m, dates).join());
  return timeline.members.map((_, m) => known.indexOf(valuesOf(timeline, m, dates).join()));
}

/** Dates on which the timeline is of one horizon alone. */
const SINGLE: Record<Horizon, readonly string[]> = {
  'short-term': datesFrom(TODAY, addDays(TODAY, 11)),
  subseasonal: datesFrom(addDays(TODAY, 15), addDays(TODAY, 34)),
  seasonal: datesFrom(addDays(TODAY, 42), addDays(TODAY, 100)),
};

/** How many trajectories are of a horizon at a lead time: those that have the value of the member that they join. */
async function countOf(horizon: Horizon, lead: number): Promise<number> {
  const [timeline, run] = [await timelineOf('temp_mean'), service.run(horizon, 'temp_mean')];
  const date = [addDays(TODAY, lead)];
  const sources = await sourcesOf(horizon, 'temp_mean', SINGLE[horizon]);
  return sources.filter((source, m) => valuesOf(run, source, date)[0] === valuesOf(timeline, m, date)[0]).length;
}

/** A table of one place: member m of a horizon has `value(m)` on each day from lead `from` on. */
function levels(from: number, days: number, members: number, value: (member: number) => number) {
  return wideTable(
    {
      latitude: new Float64Array(days).fill(37),
      longitude: new Float64Array(days).fill(-80),
      date: Int32Array.from({ length: days }, (_, d) => parseDate(TODAY) + from + d),
      members: Array.from({ length: members }, (_, m) => new Float32Array(days).fill(value(m))),
    },
    new Map([['variable', 'temp_mean']]),
  );
}

const rows = ({ table }: Timeline, member: number): number[] => [
  ...(table.getChild(`member_${String(member).padStart(2, '0')}`)?.toArray() ?? []),
];

section('Blending', import.meta.url, {
  trajectories: test('outside of the overlaps each trajectory is one member of the horizon throughout', async () => {
    for (const horizon of ['short-term', 'subseasonal', 'seasonal'] as const) {
      const members = await sourcesOf(horizon, 'temp_mean', SINGLE[horizon]);
      expect([new Set(members).size, members.includes(-1)]).toEqual([31, false]);
    }
    expect(await sourcesOf('short-term', 'temp_mean', SINGLE['short-term'])).toEqual([...Array(31).keys()]);
  }),

  seam: test('all variables and requests have the same pairs and switch days; another place has others', async () => {
    const byTemperature = await sourcesOf('seasonal', 'temp_mean', SINGLE.seasonal);
    expect(await sourcesOf('seasonal', 'wind_speed', SINGLE.seasonal)).toEqual(byTemperature);
    expect(await sourcesOf('seasonal', 'precipitation', SINGLE.seasonal)).toEqual(byTemperature);
    expect(await sourcesOf('seasonal', 'temp_mean', SINGLE.seasonal, 1)).not.toEqual(byTemperature);
    // Of the middle day of an overlap, the same members are of the later run in all variables.
    const middle = datesFrom(addDays(TODAY, 38), addDays(TODAY, 38 + 60));
    const switched = await sourcesOf('seasonal', 'temp_mean', middle);
    expect(await sourcesOf('seasonal', 'solar_radiation', middle)).toEqual(switched);
    expect(switched.filter((member) => member === -1).length).toBeGreaterThan(10);
    const request = (query: string) => service.get(`/v2/forecast?${AT}&${query}`);
    const alone = await request(`var=wind_speed&start_date=${middle[0]}&end_date=${middle[0]}`);
    const together = await request('var=wind_speed,temp_mean');
    expect(alone.variables.wind_speed.members[middle[0]]).toEqual(together.variables.wind_speed.members[middle[0]]);
  }),

  pairing: test('members pair by rank of overlap mean, ties by index, or once for all cells', async () => {
    const overlap = datesFrom(addDays(TODAY, 12), addDays(TODAY, 14));
    const overlapMeans = (run: Series) => run.members.map((_, m) => mean(valuesOf(run, m, overlap)));
    const ranked = (values: readonly number[]) =>
      values.map((_, m) => m).sort((a, b) => values[a] - values[b] || a - b);
    const early = ranked(overlapMeans(service.run('short-term', 'temp_mean')));
    const late = ranked(overlapMeans(service.run('subseasonal', 'temp_mean')));
    const members = await sourcesOf('subseasonal', 'temp_mean', SINGLE.subseasonal);
    expect(early.map((trajectory) => members[trajectory])).toEqual(late);
    const ties = blend(core, [levels(0, 6, 3, () => 1), levels(3, 9, 3, (m) => 5 - m)]);
    expect([0, 1, 2].map((m) => rows(ties, m).at(-1))).toEqual([3, 4, 5]);
    const tables = ['short-term', 'subseasonal', 'seasonal'].map((h) => horizonTables(h as Horizon).temp_mean);
    const joined = (fieldWide: boolean) => blend(core, tables, { fieldWide }).pairing.cells;
    expect([joined(false), joined(true)]).toEqual([3, 1]);
  }),

  notAveraged: test('every value of the timeline is a value of one of the runs', async () => {
    const timeline = await timelineOf('precipitation');
    const runs = (['short-term', 'subseasonal', 'seasonal'] as const).map((h) => service.run(h, 'precipitation'));
    for (const [day, date] of datesFrom(TODAY, addDays(TODAY, 60)).entries()) {
      const known = new Set(runs.flatMap((run) => run.members.flatMap((_, m) => valuesOf(run, m, [date]))));
      for (const values of timeline.members) expect(known.has(values[day])).toBe(true);
    }
  }),

  staggered: test('members switch one by one: in quarters over 3 days, in eighths over 7', async () => {
    const counts = async (horizon: Horizon, leads: readonly number[]) =>
      Promise.all(leads.map((lead) => countOf(horizon, lead)));
    // Over 3 days quarters of the 31 members switch, over 7 days eighths.
    expectNear(await counts('short-term', [11, 12, 13, 14]), [4, 3, 2, 1], 31 / 4);
    expectNear(await counts('subseasonal', [12, 13, 14, 15]), [1, 2, 3, 4], 31 / 4);
    expectNear(await counts('subseasonal', [34, 35, 38, 41]), [8, 7, 4, 1], 31 / 8);
    expectNear(await counts('seasonal', [35, 36, 37, 38, 39, 40, 41, 42]), [1, 2, 3, 4, 5, 6, 7, 8], 31 / 8);
    const two = blend(core, [levels(0, 10, 12, (m) => m), levels(0, 20, 12, (m) => 100 + m)], { overlaps: [5] });
    expect(Array.from(two.shares[0].subarray(4, 11), (share) => Math.round(share * 12))).toEqual([
      12, 10, 8, 6, 4, 2, 0,
    ]);
    // Those that have switched half-way are not the coldest or warmest half.
    const switched = Array.from({ length: 12 }, (_, m) => m).filter((m) => rows(two, m)[7] >= 100);
    expect(Math.abs(mean(switched) - 5.5)).toBeLessThan(1);
  }),

  sizes: test('eight members are thinned to four, two are repeated, and distinct ones are counted', () => {
    const after = (members: number) => {
      const joined = blend(core, [levels(0, 6, 4, (m) => m), levels(3, 9, members, (m) => 100 + m)]);
      const [{ distinctMembers }] = seamReport(joined);
      return { last: [0, 1, 2, 3].map((m) => rows(joined, m).at(-1)), distinctMembers };
    };
    // Eight ranks for four: the middles of pairs; two for four: each twice.
    expect(after(8)).toEqual({ last: [101, 103, 105, 107], distinctMembers: 4 });
    expect(after(2)).toEqual({ last: [100, 100, 101, 101], distinctMembers: 2 });
  }),

  splice: test('splice cuts at the end of the earlier horizon and pairs by index', () => {
    const joined = blend(core, [levels(0, 6, 3, (m) => m), levels(3, 9, 3, (m) => 100 - m)], { method: 'splice' });
    expect([0, 1, 2].map((m) => rows(joined, m).slice(5, 7))).toEqual([
      [0, 100],
      [1, 99],
      [2, 98],
    ]);
  }),

  report: test('shares sum to 1 on each day; a seam has jump, variance ratio and rank correlations', () => {
    const joined = blend(core, [levels(0, 6, 5, (m) => m), levels(3, 9, 5, (m) => 10 + 2 * m)]);
    expect(joined.shares.map((share) => [share[0], share[11]])).toEqual([
      [1, 0],
      [0, 1],
    ]);
    for (let day = 0; day < 12; day++) expect(joined.shares[0][day] + joined.shares[1][day]).toBeCloseTo(1, 12);
    const [report] = seamReport(joined);
    // Means 2 and 14; the spread is doubled; ranks are kept within each horizon.
    expect(report).toMatchObject({ jump: 12, varianceRatio: 4, correlationInside: 1 });
    expect(report.correlationAcross).toBeGreaterThan(0);
    expect(report.correlationAcross).toBeLessThanOrEqual(1);
  }),

  laterTies: test('members that tie at a later seam keep the order of the seam before', () => {
    const first = levels(0, 6, 4, (m) => 10 - m);
    const tied = levels(3, 9, 4, () => 10);
    const last = levels(9, 9, 4, (m) => 100 + m);
    const joined = blend(core, [first, tied, last]);
    // The last member is the lowest before the first seam, and so it stays where all are equal.
    expect([0, 1, 2, 3].map((m) => rows(joined, m).at(-1))).toEqual([103, 102, 101, 100]);
  }),

  lacks: test("a variable of the first horizon alone keeps that horizon's members to its end", async () => {
    const dates = datesFrom(TODAY, addDays(TODAY, 14));
    const [timeline, run] = [await timelineOf('wind_speed_max'), service.run('short-term', 'wind_speed_max')];
    expect(timeline.members.map((_, m) => valuesOf(timeline, m, dates))).toEqual(
      run.members.map((_, m) => valuesOf(run, m, dates)),
    );
    // In the overlap other variables are of the later run already.
    expect((await sourcesOf('short-term', 'temp_mean', dates)).includes(-1)).toBe(true);
  }),

  missingHorizon: test('without later horizons the timeline ends early; a gap stays missing', async () => {
    const axisOf = async (horizons: readonly Horizon[]) => {
      const writer = new RecordingWriter();
      const files = horizons.flatMap((h) => filesOf(h, horizonTables(h)));
      await ingestForecast(core, writer, { files });
      return writer.recorded('timeline', 'temp_mean');
    };
    expect((await axisOf(['short-term'])).axis.days).toBe(15);
    expect((await axisOf(['short-term', 'subseasonal'])).axis.days).toBe(42);
    const late = horizonTables('seasonal', { initDate: 20_514 + 20, days: 30 });
    const gap = blendVariables(core, [horizonTables('short-term'), late], { keepGaps: true }).temp_mean;
    const values: Body = rows(gap, 0).slice(14, 21);
    expect(values.map(Number.isNaN)).toEqual([false, true, true, true, true, true, false]);
  }),
});

/** Expects counts of members to be `parts` times `part`, within 1.5: counts are integers, and two members may agree. */
function expectNear(counts: readonly number[], parts: readonly number[], part: number) {
  const off = counts.map((count, i) => Math.abs(count - parts[i] * part));
  expect(Math.max(...off), `${counts} for ${parts} times ${part}`).toBeLessThanOrEqual(1.5);
}

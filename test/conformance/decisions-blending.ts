import { readFileSync } from 'node:fs';
import { beforeAll, expect } from 'vitest';
import { blend, blendVariables, seamReport, type Timeline } from '../../src/blend/index.js';
import { readPairing } from '../../src/blend/pairing/pairing-record.js';
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

  seam: test('all variables, places and requests have the same pairs and switch days, which the store keeps', async () => {
    const byTemperature = await sourcesOf('seasonal', 'temp_mean', SINGLE.seasonal);
    expect(await sourcesOf('seasonal', 'wind_speed', SINGLE.seasonal)).toEqual(byTemperature);
    expect(await sourcesOf('seasonal', 'precipitation', SINGLE.seasonal)).toEqual(byTemperature);
    expect(await sourcesOf('seasonal', 'temp_mean', SINGLE.seasonal, 1)).toEqual(byTemperature);
    // Of the middle day of an overlap, the same members are of the later run in all variables.
    const middle = datesFrom(addDays(TODAY, 38), addDays(TODAY, 38 + 60));
    const switched = await sourcesOf('seasonal', 'temp_mean', middle);
    expect(await sourcesOf('seasonal', 'solar_radiation', middle)).toEqual(switched);
    expect(await sourcesOf('seasonal', 'solar_radiation', middle, 1)).toEqual(switched);
    expect(switched.filter((member) => member === -1).length).toBeGreaterThan(10);
    const request = (query: string) => service.get(`/v2/forecast?${AT}&${query}`);
    const alone = await request(`var=wind_speed&start_date=${middle[0]}&end_date=${middle[0]}`);
    const together = await request('var=wind_speed,temp_mean');
    expect(alone.variables.wind_speed.members[middle[0]]).toEqual(together.variables.wind_speed.members[middle[0]]);
    const writer = new RecordingWriter();
    const files = (['short-term', 'seasonal'] as const).flatMap((h) => filesOf(h, horizonTables(h)));
    await ingestForecast(core, writer, { files });
    const kept = readPairing(JSON.parse(JSON.stringify(writer.header?.pairing)));
    const tables = [horizonTables('short-term'), horizonTables('seasonal')].map(({ wind_speed }) => wind_speed);
    const lastLeads = [14, 214];
    const again = blend(core, tables, { pairing: kept, lastLeads }).field;
    const written = writer.recorded('timeline', 'wind_speed');
    const [place, first] = [2, (m: number) => (2 * 9 + m) * written.axis.days];
    for (const m of [0, 7]) {
      const own = again.members[m].chunks[0].values.subarray(
        place * again.days,
        place * again.days + written.axis.days,
      );
      expect([...own]).toEqual([...written.values.subarray(first(m), first(m) + written.axis.days)]);
    }
  }),

  pairing: test('the fields that are alike over the overlap are paired, and the docs have the table', () => {
    const levelled = blend(core, [levels(0, 6, 3, (m) => m), levels(3, 9, 3, (m) => 10 - m)]);
    expect([0, 1, 2].map((m) => rows(levelled, m).at(-1))).toEqual([8, 9, 10]);
    // Of equal members each keeps its index.
    const ties = blend(core, [levels(0, 6, 3, () => 1), levels(3, 9, 3, (m) => 5 - m)]);
    expect([0, 1, 2].map((m) => rows(ties, m).at(-1))).toEqual([5, 4, 3]);
    const page = readFileSync(new URL('../../docs/timeline-and-climate.md', import.meta.url), 'utf8');
    for (const row of ['as fields', 'by cell', 'spliced']) expect(page).toContain(`| ${row} |`);
  }),

  singlePlace: test('a single place is paired by its own values', () => {
    const tables = [levels(0, 6, 4, (m) => 10 - m), levels(3, 9, 4, (m) => 100 + m)];
    const joined = blend(core, tables);
    expect([0, 1, 2, 3].map((m) => rows(joined, m).at(-1))).toEqual([103, 102, 101, 100]);
    expect(joined.pairing.cells).toBe(1);
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
    // The order of members is drawn: it is neither that of their index nor of their values.
    const switched = Array.from({ length: 12 }, (_, m) => m).filter((m) => rows(two, m)[7] >= 100);
    expect(switched.length).toBe(6);
    expect(switched).not.toEqual([0, 1, 2, 3, 4, 5]);
    expect(switched).not.toEqual([6, 7, 8, 9, 10, 11]);
  }),

  sizes: test('eight members are thinned to four, two are repeated, and distinct ones are counted', () => {
    const after = (members: number) => {
      const joined = blend(core, [levels(0, 6, 4, (m) => m), levels(3, 9, members, (m) => 100 + m)]);
      const [{ distinctMembers }] = seamReport(joined);
      return { last: [0, 1, 2, 3].map((m) => rows(joined, m).at(-1)), distinctMembers };
    };
    // Eight ranks for four: one of each pair, all by the same draw; two for four: each twice.
    expect([0, 1].map((start) => [0, 2, 4, 6].map((m) => 100 + m + start))).toContainEqual(after(8).last);
    expect(after(8).distinctMembers).toBe(4);
    expect(after(2)).toEqual({ last: [100, 100, 101, 101], distinctMembers: 2 });
  }),

  ownMembers: test('the statistics of one horizon are of all its members', async () => {
    const { data } = await service.get(`/v1/forecast/seasonal?${AT}&var=temp_mean`);
    const run = service.run('seasonal', 'temp_mean');
    const { date, attributes } = data[60];
    const values = run.members.map((_, m) => valuesOf(run, m, [date])[0]);
    expect([values.length, (await timelineOf('temp_mean')).members.length]).toEqual([51, 31]);
    expect(Math.abs(attributes.temp_mean.ensemble_mean - mean(values))).toBeLessThan(0.006);
  }),

  splice: test('splice cuts at the end of the earlier horizon and pairs by index; by cell, each pairs by rank', () => {
    const tables = ['short-term', 'subseasonal', 'seasonal'].map((h) => horizonTables(h as Horizon).temp_mean);
    expect(blend(core, tables, { method: 'cell' }).pairing.cells).toBe(3);
    const joined = blend(core, [levels(0, 6, 3, (m) => m), levels(3, 9, 3, (m) => 100 - m)], { method: 'splice' });
    expect([0, 1, 2].map((m) => rows(joined, m).slice(5, 7))).toEqual([
      [0, 100],
      [1, 99],
      [2, 98],
    ]);
  }),

  report:
    test('shares sum to 1 on each day; a seam has jump, variance ratio, rank correlations and area variance', () => {
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
      const tables = ['short-term', 'subseasonal', 'seasonal'].map((h) => horizonTables(h as Horizon).temp_mean);
      // Of the last horizon 9 of 13 members are chosen.
      const [first, second] = seamReport(blend(core, tables));
      expect(first.areaVariance).toBeCloseTo(1, 9);
      expect(Math.abs(second.areaVariance - 1)).toBeLessThan(0.3);
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

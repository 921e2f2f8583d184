import type { Granularity, WindowTable } from '../../period/period.js';
import type { DayRange, EnsembleRange, HorizonRange } from '../../respond/answer-data.js';
import type { Categories } from '../../statistics/categories.js';
import type { Threshold } from '../../statistics/options.js';
import { emptyColumns, type StatisticsColumns, valueColumns } from '../../statistics/statistics-columns.js';
import { type DerivedVariable, derivedInputs } from '../../variable/derived-inputs.js';
import type { Variable } from '../../variable/variable.js';
import type { Dataset } from '../source/dataset.js';
import type { HorizonRun, Snapshot } from '../source/source.js';
import { isDerived } from './available-variables.js';
import { type CoreBuffers, memberRequest, type WindowTables } from './core-buffers.js';
import {
  copyDays,
  intersectRanges,
  memberStatistics,
  readVariable,
  type SeriesBuffers,
  type SeriesSource,
  toDayRange,
  type VariableSeries,
} from './series.js';
import type { Place } from './snapshot-parts.js';

/*
 * All members of a horizon, in place of those that the blended timeline has of it: for the days on which every member
 * of the timeline comes from that horizon.
 */

/** Some days of a timeline, on which all its members come from one horizon. */
interface HorizonDays extends DayRange {
  readonly horizon: HorizonRange['horizon'];
  /** How many members the horizon has. */
  readonly members: number;
  /** All members of the horizon; undefined where the timeline has them all. */
  readonly series?: VariableSeries;
}

/** A variable of the timeline, and the days of its horizons. */
export interface HorizonMembers {
  readonly timeline: VariableSeries;
  readonly horizons: readonly HorizonDays[];
  /** Gives back the memory of the horizons' values. */
  release(): void;
}

/**
 * Reads all members of the horizons of a variable, where a horizon has more members than its timeline, and some days
 * between `firstDay` and `lastDay` by itself. A horizon whose days or values are not known at the place is left out.
 */
export async function readHorizonMembers(
  data: Snapshot,
  source: SeriesSource,
  timeline: VariableSeries,
  requested: DayRange,
  buffers: SeriesBuffers,
): Promise<HorizonMembers> {
  const found: HorizonDays[] = [];
  const release = () => {
    for (const { series } of found) series?.release();
  };
  try {
    for (const { horizon, ...alone } of daysAlone(timeline.horizons ?? [])) {
      const run = data.forecast?.horizons[horizon];
      const from = run && horizonSource(run, source, timeline);
      const members = from && membersOf(from.coarse, timeline.variable);
      if (from === undefined || members === undefined) continue;
      const days = intersectRanges(alone, toDayRange(timeline.field));
      const used = intersectRanges(days, requested);
      if (members <= timeline.field.members.length || used.lastDay < used.firstDay) {
        found.push({ horizon, members, ...days });
        continue;
      }
      const series = await readVariable(from, timeline.variable, buffers);
      found.push({ horizon, members, series, ...intersectRanges(days, toDayRange(series.field)) });
    }
  } catch (error) {
    release();
    throw error;
  }
  return { timeline, horizons: found, release };
}

/** The days on which all members come from one horizon: those that no other one shares. */
function daysAlone(horizons: readonly HorizonRange[]): HorizonRange[] {
  return horizons.map(({ horizon, ...own }, h) => ({
    horizon,
    firstDay: Math.max(own.firstDay, ...horizons.slice(0, h).map(({ lastDay }) => lastDay + 1)),
    lastDay: Math.min(own.lastDay, ...horizons.slice(h + 1).map(({ firstDay }) => firstDay - 1)),
  }));
}

/** Where to read a horizon at the place of a variable of the timeline; undefined where it has no values there. */
function horizonSource(
  { data, fine }: HorizonRun,
  source: SeriesSource,
  { downscaled, variable }: VariableSeries,
): SeriesSource | undefined {
  const [timeline, own] = downscaled ? [source.fine, fine] : [source.coarse, data];
  const { cell, location } = (downscaled ? source.finePlace : source.place) as Place;
  if (timeline === undefined || own === undefined) return undefined;
  const { latitude, longitude } = timeline.places;
  const there = own.places.covering({ latitude: latitude[cell], longitude: longitude[cell] });
  if (there === undefined || membersOf(own, variable) === undefined) return undefined;
  // Values are of the timeline's place, whatever grid the horizon has.
  return { coarse: own, place: { cell: there, location }, metres: source.metres };
}

/** How many members a dataset has of a variable; undefined where it does not have it. */
function membersOf({ variables }: Dataset, variable: Variable): number | undefined {
  const { slug } = variable;
  if (!isDerived(variable)) return variables.get(slug)?.members;
  const inputs = derivedInputs(slug as DerivedVariable, (input) => input !== 'dew_point' && variables.has(input));
  const counts = inputs.flatMap((input) => variables.get(input)?.members ?? []);
  return counts.length === 0 || counts.length < inputs.length ? undefined : Math.min(...counts);
}

/** Consecutive windows or days of one ensemble. */
interface EnsembleRun extends EnsembleRange {
  /** The place of the first of them, and how many they are. */
  readonly first: number;
  readonly count: number;
  readonly series: VariableSeries;
}

/** Divides spans of days, in order of time, into runs of each horizon and of the timeline. */
function runsOf(
  { timeline, horizons }: HorizonMembers,
  count: number,
  span: (index: number) => DayRange,
): EnsembleRun[] {
  const runs: EnsembleRun[] = [];
  let last: HorizonDays | undefined;
  for (let i = 0; i < count; i++) {
    const { firstDay, lastDay } = span(i);
    const found = horizons.find((days) => firstDay >= days.firstDay && lastDay <= days.lastDay);
    const before = runs[runs.length - 1];
    if (before !== undefined && last === found) {
      runs[runs.length - 1] = { ...before, count: before.count + 1, lastDay };
    } else {
      const series = found?.series ?? timeline;
      const members = series.field.members.length;
      const distinctMembers = found !== undefined && found.members < members ? found.members : undefined;
      runs.push({ first: i, count: 1, firstDay, lastDay, horizon: found?.horizon, members, distinctMembers, series });
    }
    last = found;
  }
  return runs;
}

function rangesOf(runs: readonly EnsembleRun[]): EnsembleRange[] {
  return runs.map(({ horizon, members, distinctMembers, firstDay, lastDay }) => {
    return { horizon, members, distinctMembers, firstDay, lastDay };
  });
}

/** What of the tools of a service computes the statistics of windows. */
export type WindowTools = Parameters<typeof memberStatistics>[0] & {
  readonly coreBuffers: CoreBuffers;
  readonly windows: WindowTables;
};

/**
 * Computes statistics over members as `memberStatistics` does, of complete windows: over all members of a horizon for
 * windows that lie in its own days, over the timeline for others.
 */
export function horizonStatistics(
  tools: WindowTools,
  members: HorizonMembers,
  windows: WindowTable,
  quantiles: readonly number[],
  categories?: readonly Categories[],
  thresholds: readonly Threshold[] = [],
): { readonly statistics: StatisticsColumns; readonly ensembles: readonly EnsembleRange[] } {
  const { timeline } = members;
  const { granularity, start, end, count } = windows;
  const runs = runsOf(members, count, (w) => ({ firstDay: start[w], lastDay: end[w] }));
  const request = memberRequest(timeline.variable.window, quantiles, categories, thresholds);
  const statistics = emptyColumns({ type: 'float32', cells: 1 }, windows, request);
  const targets = valueColumns(statistics);
  for (const { first, count, firstDay, lastDay, series } of runs) {
    // The complete windows from the first day of one to the last day of another are those between.
    const own = tools.windows.find(granularity as Granularity, firstDay, lastDay);
    const ofRun = categories?.map(({ limits, lower }) => ({
      limits: limits.map((limit) => limit.subarray(first, first + count)),
      lower,
    }));
    const found = memberStatistics(tools, series, own, quantiles, ofRun, thresholds);
    for (const [k, values] of valueColumns(found).entries()) targets[k].set(values, first);
    statistics.members.set(found.members, first);
  }
  return { statistics, ensembles: rangesOf(runs) };
}

/**
 * Finds a value for each complete window: from all members of a horizon for windows that lie in its own days, from the
 * timeline for others.
 */
export function horizonValues(
  tools: Pick<WindowTools, 'windows'>,
  members: HorizonMembers,
  { granularity, start, end, count }: WindowTable,
  valuesIn: (series: VariableSeries, windows: WindowTable) => Float32Array,
): Float32Array {
  const values = new Float32Array(count);
  for (const run of runsOf(members, count, (w) => ({ firstDay: start[w], lastDay: end[w] }))) {
    const own = tools.windows.find(granularity as Granularity, run.firstDay, run.lastDay);
    values.set(valuesIn(run.series, own), run.first);
  }
  return values;
}

/** Members day by day, and the ensembles that they are of: lists are as long as the largest, missing where others end. */
export function horizonDays(
  members: HorizonMembers,
  { firstDay, lastDay }: DayRange,
): { readonly members: readonly Float32Array[]; readonly ensembles: readonly EnsembleRange[] } {
  const days = Math.max(0, lastDay - firstDay + 1);
  const runs = runsOf(members, days, (day) => ({ firstDay: firstDay + day, lastDay: firstDay + day }));
  const most = Math.max(members.timeline.field.members.length, ...runs.map((run) => run.members));
  const values = Array.from({ length: most }, () => new Float32Array(days).fill(Number.NaN));
  for (const run of runs) {
    const { field } = run.series;
    for (const [m, member] of field.members.entries()) values[m].set(copyDays(field, member, run), run.first);
  }
  return { members: values, ensembles: rangesOf(runs) };
}

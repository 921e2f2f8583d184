import { formatReference } from '../../climate/reference-years.js';
import { neededQuantiles } from '../../condition/condition.js';
import type { FloatType } from '../../core/number-arrays.js';
import { assertConsistent } from '../../ensemble/assert-consistent.js';
import type { DailySource } from '../../ensemble/daily-source.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { DataError, NoWindowError, OptionError } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import type { WindowTable } from '../../period/period.js';
import { requestedWindows } from '../../statistics/options.js';
import { windowRule } from '../../statistics/statistics-plan.js';
import { valueUnits, type WindowValue } from '../../statistics/window-value.js';
import { windowWords } from '../../statistics/window-words.js';
import { type CheckedVerification, eventsOf } from '../options.js';
import type { StateAbout } from '../state.js';
import { type ForecastRun, forecastRuns } from './forecast-runs.js';
import { leadUnit } from './lead.js';
import { LeftOutClimate, neededYears } from './left-out-climate.js';
import { type MatchedPlaces, matchPlaces, orderOfRun, placesInRegions } from './match-places.js';
import type { CheckedVerify, REFERENCES } from './options.js';
import type { ScoredWindows } from './scored-windows.js';

/** What is verified. */
export interface VerifyInputs {
  /** A source for each run. */
  readonly forecasts: readonly DailySource[];
  readonly observed: DailySource;
  /** The runs of another forecast, with which forecasts are compared. */
  readonly against?: readonly DailySource[] | undefined;
  /** The name of the region that a place is in. Default: its label `region`. */
  readonly regionOf?: ((place: Point) => string | undefined) | undefined;
}

/** A run, and its windows that are scored. */
export interface PlannedRun {
  readonly run: ForecastRun;
  readonly windows: WindowTable;
  readonly order: Int32Array | undefined;
  /** The run of another forecast with the same start. */
  readonly against?: { readonly source: DailySource; readonly order: Int32Array | undefined };
}

/** What forecasts are compared with. */
type Against = (typeof REFERENCES)[number] | 'forecast';

/** What is computed from which values. */
export interface VerifyPlan {
  readonly runs: readonly PlannedRun[];
  readonly observed: DailySource;
  readonly places: MatchedPlaces;
  readonly type: FloatType;
  readonly rule: WindowValue;
  readonly calendar: ModelCalendar | undefined;
  readonly against: Against;
  /** Where quantiles, categories or the reference need it. */
  readonly climate: LeftOutClimate | undefined;
  /** The probabilities of its quantiles that events need. */
  readonly probabilities: readonly number[];
  readonly verification: CheckedVerification;
  /** What the results are of. */
  readonly about: StateAbout;
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Plans the verification of forecasts, without the windows that `scored` has, to which it adds those that it has. Throws DataError
 * for inputs that do not fit each other, and OptionError for options that they cannot have.
 */
export function planVerification(
  { forecasts, observed, against, regionOf }: VerifyInputs,
  options: CheckedVerify,
  scored: ScoredWindows,
): VerifyPlan {
  if (forecasts.length === 0)
    throw new OptionError({ subject: 'forecasts', problem: 'none are given', allowed: 'at least one' });
  if (against !== undefined && options.against !== undefined) {
    const problem = 'is given together with another forecast to compare with';
    throw new OptionError({ subject: 'against', problem, received: options.against, allowed: 'one of both' });
  }
  const { runs, calendar, warnings } = forecastRuns(forecasts);
  const [{ source: first }] = runs;
  assertConsistent(
    [...(against ?? []), first, observed].map((source) => ({ source: source.source, ensemble: source })),
  );
  if (observed.members.length > 1) {
    const problem = 'is an ensemble, with which nothing can be verified';
    throw new DataError({
      ...{ source: observed.source, problem, received: `${observed.members.length} members` },
      allowed: 'observations or an analysis: one value for each place and day',
    });
  }
  const head = { ...first, variable: first.variable ?? observed.variable, units: first.units ?? observed.units };
  const rule = windowRule(head, { ...options, source: first.source });
  const matched = matchPlaces(first, observed);
  const places = options.by.includes('region') ? placesInRegions(matched, regionOf, first.source) : matched;
  const due = dueWindows(runs, observed, options, calendar);
  const others = against && forecastRuns(against).runs;
  const keyOf = scored.keysAt(places);
  const planned: PlannedRun[] = [];
  let before = 0;
  let alone = 0;
  for (const { run, windows, allEnds } of due.runs) {
    const key = keyOf(run.name);
    const ends = Array.from(windows.end, (day) => dateText(calendar, day));
    const fresh = [...ends.keys()].filter((w) => !scored.has(key, ends[w]));
    before += ends.length - fresh.length;
    const other = others?.find(({ start }) => start === run.start)?.source;
    if (others !== undefined && other === undefined) alone++;
    if (fresh.length === 0 || (others !== undefined && other === undefined)) continue;
    const isNew = new Set(fresh.map((w) => ends[w]));
    scored.add(key, allEnds, (end) => isNew.has(end));
    planned.push({
      run,
      windows: pickWindows(windows, fresh),
      order: orderOfRun(places, first, run.source),
      ...(other !== undefined && { against: { source: other, order: orderOfRun(places, first, other) } }),
    });
  }
  if (others !== undefined && alone === due.runs.length) {
    throw new DataError({
      source: others[0].source.source,
      problem: 'has no run that starts when a forecast does',
      received: others.map(({ name }) => name).join(', '),
      allowed: `a start such as ${runs[0].name}`,
    });
  }
  const climate = climateOf(observed, options, calendar, due.runs, against !== undefined);
  const verification = { ...options.verification, categories: options.categories ?? climate.categories };
  const notes = [
    ...places.notes,
    ...(due.notDue > 0 ? [`not scored: ${due.notDue} windows outside the days of ${observed.source}`] : []),
    ...(before > 0 ? [`not scored again: ${before} windows that the state has`] : []),
    ...(alone > 0 ? [`${alone} runs without a run of the other forecast that starts with them are left out`] : []),
    ...climate.notes,
  ];
  const units = valueUnits(rule, head.units);
  return {
    ...{
      runs: planned,
      observed,
      places,
      rule,
      calendar,
      verification,
      notes,
      warnings,
      type: typeOf(forecasts, observed),
    },
    ...{ against: climate.against, climate: climate.climate, probabilities: climate.probabilities },
    about: {
      ...(head.variable !== undefined && { variable: head.variable.slug }),
      ...(units !== undefined && { units }),
      ...{ granularity: `${options.granularity}`, window: `${rule}`, by: options.by as string[] },
      ...(options.by.includes('lead') && { lead_unit: leadUnit(options.granularity) }),
      against: against === undefined ? climate.against : `forecast: ${against[0].source}`,
      ...(climate.climate !== undefined && { reference: formatReference(climate.climate.years) }),
      ...{ block: options.block as string, weights: places.areCells ? (options.weights as string) : 'equal' },
    },
  };
}

/** Values are compared as float32 where some are: 0.1 of both is the same then. */
function typeOf(forecasts: readonly DailySource[], observed: DailySource): FloatType {
  return [...forecasts, observed].every(({ type }) => type === 'float64') ? 'float64' : 'float32';
}

/** The windows of runs that lie within the days of observations. Throws where there are none. */
function dueWindows(
  runs: readonly ForecastRun[],
  observed: DailySource,
  options: CheckedVerify,
  calendar: ModelCalendar | undefined,
) {
  const [from, to] = [observed.firstDay, observed.firstDay + observed.days - 1];
  let all = 0;
  let count = 0;
  const due = runs.map((run) => {
    const windows = requestedWindows(run.source, options, calendar);
    const chosen = Array.from(windows.start.keys()).filter((w) => windows.start[w] >= from && windows.end[w] <= to);
    all += windows.count;
    count += chosen.length;
    const allEnds = Array.from(windows.end, (day) => dateText(calendar, day)).sort();
    return { run, windows: pickWindows(windows, chosen), allEnds };
  });
  const span = (first: number, last: number) => `${dateText(calendar, first)} to ${dateText(calendar, last)}`;
  const first = Math.min(...runs.map(({ source }) => source.firstDay));
  const last = Math.max(...runs.map(({ source }) => source.firstDay + source.days - 1));
  if (all === 0) {
    throw new NoWindowError({
      ...{ source: runs[0].source.source, problem: `no ${windowWords(options.granularity, false)}` },
      allowed: `windows within the days of a run; forecasts have ${span(first, last)}`,
    });
  }
  if (count === 0) {
    throw new DataError({
      ...{ source: observed.source, problem: 'has no days in common with the windows of the forecasts' },
      ...{ received: span(from, to), allowed: `windows within ${span(first, last)}` },
    });
  }
  return { runs: due, notDue: all - count };
}

/** Some windows of a table. */
function pickWindows(windows: WindowTable, chosen: readonly number[]): WindowTable {
  if (chosen.length === windows.count) return windows;
  const { start, end, first, days, keys } = windows;
  const pick = (values: Int32Array) => Int32Array.from(chosen, (w) => values[w]);
  return {
    ...windows,
    ...{ count: chosen.length, start: pick(start), end: pick(end), first: pick(first), days: pick(days) },
    complete: Uint8Array.from(chosen, (w) => windows.complete[w]),
    ...(keys !== undefined && { keys: chosen.map((w) => keys[w]) }),
  };
}

/** What forecasts are compared with, and the climatology that is needed. Throws for too few years. */
function climateOf(
  observed: DailySource,
  options: CheckedVerify,
  calendar: ModelCalendar | undefined,
  runs: readonly Pick<PlannedRun, 'windows'>[],
  isForecast: boolean,
) {
  const { verification, categories } = options;
  const against = isForecast ? 'forecast' : (options.against as (typeof REFERENCES)[number] | undefined);
  const ofConditions = neededQuantiles(eventsOf(verification).conditions.map(({ condition }) => condition));
  const isNeeded = against === 'climatology' || (categories ?? 0) > 0 || ofConditions.length > 0;
  const isWanted = against === undefined || categories === undefined || isNeeded;
  const none = {
    against: against ?? ('none' as Against),
    categories: 0,
    climate: undefined,
    probabilities: [],
    notes: [],
  };
  if (!isWanted) return none;
  let climate: LeftOutClimate;
  try {
    climate = new LeftOutClimate(observed, options, calendar);
  } catch (error) {
    if (isNeeded || options.reference !== undefined || options.halfWidth !== undefined) throw error;
    return { ...none, notes: [`no climatology, as windows of ${options.granularity} do not recur in each year`] };
  }
  const known = Math.max(0, ...runs.map(({ windows }) => climate.yearsOf(windows)));
  const limits = (count: number) => Array.from({ length: Math.max(0, count - 1) }, (_, k) => (k + 1) / count);
  const needed = neededYears([...ofConditions, ...limits(categories ?? 0)]);
  if (isNeeded && known < needed) throw climate.tooFew(known, needed, purposeOf(options, ofConditions));
  const found = categories ?? (known >= neededYears(limits(3)) ? 3 : 0);
  const isCompared: Against = against ?? (known >= 2 ? 'climatology' : 'none');
  const probabilities = [...new Set([...ofConditions, ...limits(found)])];
  const isUsed = isCompared === 'climatology' || probabilities.length > 0;
  const years = `the years ${formatReference(climate.years)} of ${observed.source}`;
  const note = isUsed
    ? `the climatology is of ${years}, without the year that is verified`
    : `no climatology, as ${years} are too few`;
  return {
    ...{ against: isCompared, categories: found, probabilities, notes: [note] },
    climate: isUsed ? climate : undefined,
  };
}

function purposeOf({ against, categories }: CheckedVerify, quantiles: readonly number[]): string {
  if (quantiles.length > 0) return `the quantile ${Math.max(...quantiles)} of a condition`;
  if ((categories ?? 0) > 0) return `${categories} categories`;
  return `a comparison with ${against}`;
}

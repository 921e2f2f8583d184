import type { Table } from 'apache-arrow';
import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { alignEnsembles, type NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { OptionError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import type { CheckedWindowOptions } from '../statistics/options.js';
import { COMPARE } from '../statistics/own-statistics.js';
import { windowRule } from '../statistics/statistics-plan.js';
import { valueUnits } from '../statistics/window-value.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { ensembleOf, type Opened } from '../table/rows/read-ensemble.js';
import { readPlaces } from '../table/rows/read-places.js';
import { climateOfFields } from './climate-of-fields.js';
import type { Climatology } from './climatology.js';
import { createMetadata } from './climatology-metadata.js';
import { compared } from './compared-statistics.js';
import { chooseRuns } from './hindcast-runs.js';
import { joinHistory } from './join-history.js';
import {
  type CheckedClimatologyOptions,
  type ClimatologyOptions,
  checkClimatologyOptions,
  widthOf,
} from './options.js';

/**
 * Computes the reference distribution of a history, or of a model's hindcasts, for each place and period of the year.
 *
 * A table is anything that `statistics` takes: a single series, or an ensemble. Several tables must hold the same
 * variable in the same units at the same places, which may be in any order. Where all have a single member they are
 * pieces of one history, such as a file a year, in any order: they are joined, so that windows reach from one to the
 * next. Else each table is one run, such as a hindcast, and the samples of all runs are pooled. Runs that state when
 * they start (`init_time` of their metadata) make a climatology by start and lead: all start on the same day of the year
 * (`start`, `startDays`), unless `mixLeads`; and one that starts within the reference years is used whole, for a year.
 *
 * The samples of a period are the values of all members of all runs in the reference years. Weekly, they are the values
 * of the ISO week in each ISO year, including days outside the calendar years, and for W53 those of the seven days from
 * 28 December of every year; monthly, of the month in each year; days are summed or averaged as in forecasts. Daily,
 * they are the values of the days up to `halfWidth` days from the date in each year: no days outside the reference
 * years, and none of a run that does not have the date itself; 29 February is 28 February in common years. Of runs by
 * start and lead they are of the same lead only, unless `halfWidth` is given: then of as many leads before as after it.
 *
 * Null and NaN are missing, and so is a window with a missing day. An entry expects a sample for each member and each
 * window of its period that lies entirely within the days of the history or of the run; with a smaller share of valid
 * samples than `minSampleShare`, its statistics are missing.
 *
 * Throws OptionError for options, and for what is not a table; DataError for values that cannot be used, such as an
 * infinite one, for tables that do not match, for a day with a value in two tables of one history, and for missing
 * reference years unless `fewerYears`.
 *
 * @example
 * ```js
 * import { climatology, loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const core = await loadCore();
 * const history = demoTable('temp_mean', { initDate: 8401, days: 10_957, members: 1 }); // 1993 to 2022
 * const normal = climatology(core, history, { granularity: 'monthly' });
 * const { period, p_below, p_above } = statistics(core, demoTable('temp_mean'), { climatology: normal }).get(0);
 * console.log(period, p_below.toFixed(2), p_above.toFixed(2));
 * ```
 *
 * ```text
 * 2026-04 0.10 0.71
 * ```
 */
export function climatology(
  core: Core,
  data: Table | Opened | readonly (Table | Opened)[],
  options: ClimatologyOptions = {},
): Climatology {
  assertCore(core);
  const checked = checkClimatologyOptions(options);
  const list: readonly (Table | Opened)[] = Array.isArray(data) ? data : [data];
  return climatologyOfEnsembles(core, readEnsembles(list, checked), checked);
}

/**
 * Like `climatology`, for ensembles of one variable, unit and calendar. `areRuns` says that they are known to be runs,
 * also where each has a single member.
 */
export function climatologyOfEnsembles(
  core: Core,
  inputs: readonly NamedEnsemble[],
  options: CheckedClimatologyOptions,
  areRuns = false,
): Climatology {
  const [{ ensemble }] = inputs;
  const { granularity, reference, quantiles, thresholds, categories, sources } = options;
  const window = windowRule(ensemble, readOptions(options, 0, inputs.length));
  const calendar = statedCalendar(ensemble.metadata, inputs[0].source);
  const runs = chooseRuns(inputs, options, calendar, areRuns);
  const halfWidth = widthOf(options, runs?.start !== undefined);
  const used = runs?.places.map((place) => inputs[place]) ?? inputs;
  const parts = alignEnsembles(used);
  const fields = runs ? parts.map(({ field }) => field) : historyOrRuns(parts, used, calendar);
  const { missingYears, ...entries } = climateOfFields(
    core,
    fields,
    { ...options, halfWidth, window, calendar, runs },
    joinNames(sources),
  );
  return {
    variable: ensemble.variable,
    units: valueUnits(window, ensemble.units),
    ...{ granularity, window, reference, quantiles, categories, thresholds },
    metadata: createMetadata(
      used.map((input) => input.ensemble),
      { ...options, halfWidth },
      missingYears,
      runs,
    ),
    labels: parts[0].labels,
    latitude: parts[0].latitude,
    longitude: parts[0].longitude,
    ...entries,
    [COMPARE]: compared,
  };
}

/** The fields that samples come from: one history, which may be in pieces, or runs. */
function historyOrRuns(
  parts: readonly EnsemblePart[],
  inputs: readonly NamedEnsemble[],
  calendar: ModelCalendar | undefined,
): EnsembleField[] {
  const pieces = parts.map(({ field }, i) => ({ field, source: inputs[i].source }));
  const isHistory = pieces.length > 1 && pieces.every(({ field }) => field.members.length === 1);
  return isHistory ? [joinHistory(pieces, calendar)] : pieces.map(({ field }) => field);
}

/** The name of several tables together in messages; undefined where they have no names. */
function joinNames([first, ...others]: readonly string[]): string | undefined {
  return others.length > 2 ? `${first} and ${others.length} others` : [first, ...others].join(', ') || undefined;
}

/**
 * Reads the ensembles of tables to join or to pool. Throws OptionError where there is none, and DataError where they
 * differ in variable, unit or calendar.
 */
function readEnsembles(tables: readonly (Table | Opened)[], options: CheckedClimatologyOptions): NamedEnsemble[] {
  if (tables.length === 0) {
    throw new OptionError({ subject: 'tables', problem: 'none are given', allowed: 'at least one table' });
  }
  const ensembles = tables.map((table, i) => ({
    ensemble: ensembleOf(table, { ...readOptions(options, i, tables.length), places: readPlaces }),
    source: sourceOf(options, i, tables.length) ?? 'table',
  }));
  assertConsistent(ensembles, true);
  return ensembles;
}

/** The options for reading table `i` of `count`. */
function readOptions(options: CheckedClimatologyOptions, i: number, count: number): CheckedWindowOptions {
  return { ...options, source: sourceOf(options, i, count) };
}

function sourceOf({ sources }: CheckedClimatologyOptions, i: number, count: number): string | undefined {
  return sources[i] ?? (count > 1 ? `table ${i + 1}` : undefined);
}

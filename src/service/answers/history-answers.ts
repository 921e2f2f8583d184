import type { EnsembleField } from '../../core/field.js';
import type { FloatArray } from '../../core/float-array.js';
import type { Core } from '../../core/load.js';
import { dayNumber } from '../../period/day.js';
import { type Granularity, type WindowTable, windowTable } from '../../period/window-table.js';
import type { DayRange, HistoryAnswer, LegacyHistoryAnswer, Location } from '../../respond/answer-data.js';
import { combineWindows } from '../../statistics/compute-member-windows.js';
import type { Variable } from '../../variable/variable.js';
import { ProblemError } from '../handler/problem-error.js';
import type { HistoryQuery, LegacyQuery } from '../handler/queries.js';
import type { Snapshot } from '../source/source.js';
import { type AvailableVariables, selectVariables } from './available-variables.js';
import { datasetDays, intersectRanges, toDayRange, uniteRanges } from './day-ranges.js';
import { eachInTurn, type Pause } from './pause.js';
import { requireHistory } from './snapshot-parts.js';
import { findSeriesSource, readVariable } from './timeline-series.js';

/** The days of a history by default: a year, and a day more so that a leap year fits. */
const DEFAULT_DAYS = 366;

/** Grid steps of the legacy grid in a degree. */
const LEGACY_PARTS = 4;

/** What computes answers about the history. */
export interface HistoryTools {
  readonly core: Core;
  readonly available: AvailableVariables;
}

/** Reads the history of a point by day, ISO week or month. */
export async function historyAnswer(
  { core, available }: HistoryTools,
  data: Snapshot,
  query: HistoryQuery,
  pause?: Pause,
): Promise<HistoryAnswer> {
  const { data: coarse, fine } = requireHistory(data);
  const source = findSeriesSource(data, { coarse, fine }, query);
  const { place, metres } = source;
  const chosen = available.chosen(coarse, query.variables, metres);
  const reads = await eachInTurn(chosen, pause, (variable) => {
    const read = Promise.resolve(readVariable(source, variable));
    // Where a pause ends the work, nothing awaits this read, and its error must not be unhandled.
    read.catch(() => undefined);
    return read;
  });
  const series = await Promise.all(reads);
  const lastDay = datasetDays(coarse)?.lastDay ?? FIRST_HISTORY_DAY;
  const requested = historyDays(query, lastDay);
  const spans = series.map(({ field }) => intersectRanges(requested, toDayRange(field)));
  const windowsOf = sharedWindows(query.granularity);
  const variables = await eachInTurn(series, pause, ({ variable, downscaled, location, field }, i) => {
    const windows = windowsOf(spans[i]);
    return { variable, downscaled, location, windows, values: windowValues(core, field, windows, variable) };
  });
  const { granularity } = query;
  return {
    granularity,
    location: place.location,
    period: uniteRanges(spans),
    attribution: data.attribution,
    variables,
  };
}

/** Creates the windows of spans; equal spans share a table, as a long one takes more memory than the values. */
function sharedWindows(granularity: Granularity): (span: DayRange) => WindowTable {
  const known = new Map<string, WindowTable>();
  return ({ firstDay, lastDay }) => {
    const key = `${firstDay} ${lastDay}`;
    const windows = known.get(key) ?? windowTable(granularity, firstDay, lastDay);
    known.set(key, windows);
    return windows;
  };
}

/** Reads about the last year of a pre-loaded place, by day. */
export async function legacyHistoryAnswer(
  { available }: HistoryTools,
  data: Snapshot,
  query: LegacyQuery,
): Promise<LegacyHistoryAnswer> {
  const history = requireHistory(data);
  const location = onLegacyGrid(query.point);
  if (!history.isPreloaded(location.latitude, location.longitude)) {
    const where = `${location.latitude}, ${location.longitude}`;
    const detail = `The history of ${where} was not pre-loaded; /v2/history does not need that.`;
    throw new ProblemError(404, 'location-not-ingested', detail);
  }
  const coarse = history.data;
  const source = findSeriesSource(data, { coarse }, { point: location, downscaling: false });
  const { kept, dropped } = selectVariables(available, coarse, query.variables, source.metres);
  const series = await Promise.all(kept.map((variable) => readVariable(source, variable)));
  const lastDay = datasetDays(coarse)?.lastDay ?? FIRST_HISTORY_DAY;
  const variables = series.map(({ variable, field }) => {
    const days = intersectRanges({ firstDay: lastDay - DEFAULT_DAYS + 1, lastDay }, toDayRange(field));
    return { variable, firstDay: days.firstDay, values: dailyValues(field, days.firstDay, days.lastDay) };
  });
  const { locationId } = query;
  return { granularity: 'daily', location, locationId, dropped, attribution: data.attribution, variables };
}

/** The first day of history that is served, also where the data begin earlier. */
const FIRST_HISTORY_DAY = dayNumber(1995, 1, 1);

function historyDays({ startDay, endDay }: HistoryQuery, lastAvailable: number) {
  const lastDay = Math.min(endDay ?? lastAvailable, lastAvailable);
  return { firstDay: Math.max(startDay ?? lastDay - DEFAULT_DAYS + 1, FIRST_HISTORY_DAY), lastDay };
}

/** The point of the 0.25 degree grid that is nearest to a point, its longitude from -180 up to, not including, 180. */
function onLegacyGrid({ latitude, longitude }: Location): Location {
  const snapped = Math.round(longitude * LEGACY_PARTS) / LEGACY_PARTS;
  return {
    latitude: Math.round(latitude * LEGACY_PARTS) / LEGACY_PARTS + 0,
    longitude: (snapped >= 180 ? snapped - 360 : snapped) + 0,
  };
}

function windowValues(core: Core, field: EnsembleField, windows: WindowTable, variable: Variable): FloatArray {
  if (windows.count === 0) return new Float32Array(0);
  if (windows.granularity === 'daily') return dailyValues(field, windows.firstDay, windows.lastDay);
  const [values] = combineWindows(core, field, windows, variable.window);
  return values;
}

function dailyValues(
  { firstDay: begin, members: [member] }: EnsembleField,
  firstDay: number,
  lastDay: number,
): FloatArray {
  const values = new Float32Array(Math.max(0, lastDay - firstDay + 1));
  if (values.length > 0) member.copyTo(values, 0, firstDay - begin, lastDay - begin + 1);
  return values;
}

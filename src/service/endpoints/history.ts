import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { FloatArray } from '../../core/number-arrays.js';
import { dayNumber } from '../../period/day.js';
import { GRANULARITIES, type Granularity, type WindowTable, windowTable } from '../../period/period.js';
import type { DayRange, HistoryAnswer } from '../../respond/answer-data.js';
import { HISTORY } from '../../respond/v2/history-answer.js';
import { combineWindows } from '../../statistics/compute.js';
import type { Variable } from '../../variable/variable.js';
import { eachInTurn, type Pause } from '../point/pause.js';
import {
  copyDays,
  datasetDays,
  findSeriesSource,
  intersectRanges,
  readVariable,
  storedPrecision,
  toDayRange,
  uniteRanges,
} from '../point/series.js';
import { historyRevision, requireHistory } from '../point/snapshot-parts.js';
import type { Snapshot } from '../source/source.js';
import { currentEndpoint, type TimelineParameters, timelineParameters, timelineQuery } from './current-endpoint.js';
import type { Endpoint, Tools } from './endpoint.js';
import { granularityParameter } from './parameters.js';

export interface HistoryParameters extends TimelineParameters {
  readonly granularity: Granularity;
}

/** The first day of history that is served, also where the data begin earlier. */
const FIRST_DAY = dayNumber(1995, 1, 1);

/** The days of an answer by default: a year, and a day more so that a leap year fits. */
const DEFAULT_DAYS = 366;

/** `/v2/history`: what was observed or reanalysed; `extra` are variables besides the built-in ones. */
export function historyEndpoint(extra: readonly Variable[]): Endpoint {
  return currentEndpoint({
    operationId: 'history',
    path: '/v2/history',
    family: 'history',
    summary: 'What was observed or reanalysed',
    description: 'Daily values from 1995 on, or their weekly or monthly totals or means. Complete windows only.',
    parameters: [
      ...timelineParameters(extra, '365 days before the last day of the response', 'the last day available'),
      granularityParameter(GRANULARITIES),
    ],
    query: (values, requester): HistoryParameters =>
      Object.assign(timelineQuery(values, requester), { granularity: values.granularity }),
    answer: 'history',
    revision: () => historyRevision,
    schema: 'HistoryAnswer',
    described: HISTORY,
  });
}

/** Reads the history of a point by day, ISO week or month. */
export async function computeHistory(
  { core, available }: Tools,
  data: Snapshot,
  query: HistoryParameters,
  pause?: Pause,
): Promise<HistoryAnswer> {
  const { data: coarse, fine } = requireHistory(data);
  const source = findSeriesSource(data, { coarse, fine }, query);
  const chosen = available.chosen(coarse, query.variables, source.metres);
  const reads = await eachInTurn(chosen, pause, (variable) => {
    const read = Promise.resolve(readVariable(source, variable));
    // Where a pause ends the work, nothing awaits this read, and its error must not be unhandled.
    read.catch(() => undefined);
    return read;
  });
  const series = await Promise.all(reads);
  const requested = requestedHistory(query, datasetDays(coarse)?.lastDay ?? FIRST_DAY);
  const spans = series.map(({ field }) => intersectRanges(requested, toDayRange(field)));
  const { granularity } = query;
  const windowsOf = sharedWindows(granularity);
  const variables = await eachInTurn(series, pause, ({ variable, downscaled, location, field }, i) => {
    const windows = windowsOf(spans[i]);
    return { variable, downscaled, location, windows, values: windowValues(core, field, windows, variable) };
  });
  const { attribution } = data;
  const { location } = source.place;
  const precision = storedPrecision(source, series);
  return { granularity, location, period: uniteRanges(spans), attribution, precision, variables };
}

function requestedHistory({ startDay, endDay }: HistoryParameters, lastAvailable: number): DayRange {
  const lastDay = Math.min(endDay ?? lastAvailable, lastAvailable);
  return { firstDay: Math.max(startDay ?? lastDay - DEFAULT_DAYS + 1, FIRST_DAY), lastDay };
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

function windowValues(core: Core, field: EnsembleField, windows: WindowTable, variable: Variable): FloatArray {
  if (windows.count === 0) return new Float32Array(0);
  if (windows.granularity === 'daily') return copyDays(field, field.members[0], windows);
  const [values] = combineWindows(core, field, windows, variable.window);
  return values;
}

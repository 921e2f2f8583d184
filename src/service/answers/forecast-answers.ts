import type { Core } from '../../core/load.js';
import { windowTable } from '../../period/window-table.js';
import type { DayRange, ForecastAnswer, MembersAnswer, StatisticsAnswer } from '../../respond/answer-data.js';
import type { StatisticsQuery, TimelineQuery } from '../handler/queries.js';
import type { ForecastRun, Snapshot } from '../source/source.js';
import type { AvailableVariables } from './available-variables.js';
import type { CoreBuffers } from './core-buffers.js';
import { intersectRanges, toDayRange, uniteRanges } from './day-ranges.js';
import { memberStatistics } from './member-statistics.js';
import { eachInTurn, type Pause } from './pause.js';
import type { SeriesBuffers } from './point-series.js';
import { requireForecast } from './snapshot-parts.js';
import {
  findSeriesSource,
  readVariable,
  type SeriesSource,
  useSeries,
  type VariableSeries,
} from './timeline-series.js';

/** What computes answers about the blended forecast. */
export interface ForecastTools {
  readonly core: Core;
  readonly available: AvailableVariables;
  readonly buffers: SeriesBuffers;
  readonly coreBuffers: CoreBuffers;
}

/** Computes statistics over the members of the timeline at a point. */
export function statisticsAnswer(
  tools: ForecastTools,
  data: Snapshot,
  query: StatisticsQuery,
  pause?: Pause,
): StatisticsAnswer | Promise<StatisticsAnswer> {
  const { core, buffers, coreBuffers } = tools;
  const { granularity, quantiles } = query;
  const source = timelineSource(data, query);
  const reads = chosen(tools, source, query).map((variable) => readVariable(source, variable, buffers));
  return useSeries(reads, (series) => {
    const spans = series.map(({ field }) => intersectRanges(requestedDays(query), toDayRange(field)));
    const computing = eachInTurn(series, pause, ({ variable, downscaled, location, field, values }, i) => {
      const windows = windowTable(granularity, spans[i].firstDay, spans[i].lastDay);
      const ensemble = values === undefined ? field : coreBuffers.hold(field, values);
      const statistics = memberStatistics(core, variable, ensemble, windows, quantiles);
      return { variable, downscaled, location, windows, statistics };
    });
    const complete = (variables: StatisticsAnswer['variables']) =>
      withHead(data, source, query, spans, { granularity, quantiles, variables });
    return computing instanceof Promise ? computing.then(complete) : complete(computing);
  });
}

/** Reads the members of the timeline at a point. */
export async function membersAnswer(
  tools: ForecastTools,
  data: Snapshot,
  query: TimelineQuery,
): Promise<MembersAnswer> {
  const source = timelineSource(data, query);
  const series = await Promise.all(chosen(tools, source, query).map((variable) => readVariable(source, variable)));
  const spans = series.map(({ field }) => intersectRanges(requestedDays(query), toDayRange(field)));
  const variables = series.map((one, i) => ({ ...labels(one), ...daysWithin(one, spans[i]) }));
  return withHead(data, source, query, spans, { variables });
}

/** The requested days; infinite where a limit is not requested. */
function requestedDays({ startDay, endDay }: Pick<TimelineQuery, 'startDay' | 'endDay'>): DayRange {
  return { firstDay: startDay ?? Number.NEGATIVE_INFINITY, lastDay: endDay ?? Number.POSITIVE_INFINITY };
}

function timelineSource(data: Snapshot, query: TimelineQuery): SeriesSource {
  const { timeline, fineTimeline } = requireForecast(data);
  return findSeriesSource(data, { coarse: timeline, fine: fineTimeline }, query);
}

function chosen({ available }: ForecastTools, { coarse, metres }: SeriesSource, { variables }: TimelineQuery) {
  return available.chosen(coarse, variables, metres);
}

/** An answer with the fields that all answers about the timeline begin with. */
function withHead<Answer extends object>(
  { forecast, attribution }: Snapshot,
  { place }: SeriesSource,
  { point: { latitude, longitude } }: TimelineQuery,
  spans: readonly DayRange[],
  answer: Answer,
): ForecastAnswer & Answer {
  const { initTime, version, generation } = forecast as ForecastRun;
  const requested = { latitude, longitude };
  const head = { initTime, version, generation, attribution, requested, closest: place.location };
  return Object.assign(head, { period: uniteRanges(spans) }, answer);
}

function labels({ variable, downscaled, location }: VariableSeries) {
  return { variable, downscaled, location };
}

function daysWithin({ field }: VariableSeries, { firstDay, lastDay }: DayRange) {
  const days = Math.max(0, lastDay - firstDay + 1);
  const from = firstDay - field.firstDay;
  const members = field.members.map((member) => {
    const values = new Float32Array(days);
    if (days > 0) member.copyTo(values, 0, from, from + days);
    return values;
  });
  return { firstDay, days, members };
}

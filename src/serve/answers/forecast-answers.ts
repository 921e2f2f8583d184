import type { Core } from '../../core/load.js';
import { windowTable } from '../../period/window-table.js';
import type { DayRange, ForecastAnswer, MembersAnswer, StatisticsAnswer } from '../../respond/answers.js';
import { computeStatistics } from '../../statistics/compute.js';
import type { Snapshot } from '../../store/source.js';
import type { StatisticsQuery, TimelineQuery } from '../queries.js';
import type { AvailableVariables } from './available-variables.js';
import { coveredPlace } from './covered-place.js';
import { elevationAt, forecastOf } from './data-of.js';
import { intersection, rangeOf, unionOf } from './day-ranges.js';
import type { SeriesBuffers } from './point-series.js';
import { fineSource, readVariable, type SeriesSource, type VariableSeries, whenAll } from './timeline-series.js';

/** The share of members that statistics need. */
export const MIN_MEMBER_SHARE = 0.8;

/** What answers about the blended forecast are made with. */
export interface ForecastTools {
  readonly core: Core;
  readonly available: AvailableVariables;
  readonly buffers: SeriesBuffers;
}

/** Statistics over the members of the timeline at a point. */
export function statisticsAnswer(
  tools: ForecastTools,
  data: Snapshot,
  query: StatisticsQuery,
): StatisticsAnswer | Promise<StatisticsAnswer> {
  const { core, buffers } = tools;
  const { granularity, quantiles } = query;
  const source = timelineSource(data, query);
  const reads = chosen(tools, source, query).map((variable) => readVariable(source, variable, buffers));
  return whenAll(reads, (series) => {
    const spans = series.map(({ field }) => intersection(askedDays(query), rangeOf(field)));
    const variables = series.map(({ variable, downscaled, location, field, release }, i) => {
      const windows = windowTable(granularity, spans[i].firstDay, spans[i].lastDay);
      const statistics = computeStatistics(core, field, windows, {
        window: variable.window,
        quantiles,
        quantileType: 7,
        thresholds: [],
        spread: false,
        minMemberShare: MIN_MEMBER_SHARE,
      });
      release();
      return { variable, downscaled, location, windows, statistics };
    });
    return { ...forecastHead(data, source, query, spans), granularity, quantiles, variables };
  });
}

/** The members of the timeline at a point. */
export async function membersAnswer(
  tools: ForecastTools,
  data: Snapshot,
  query: TimelineQuery,
): Promise<MembersAnswer> {
  const source = timelineSource(data, query);
  const series = await Promise.all(chosen(tools, source, query).map((variable) => readVariable(source, variable)));
  const spans = series.map(({ field }) => intersection(askedDays(query), rangeOf(field)));
  const variables = series.map((one, i) => ({ ...labels(one), ...daysWithin(one, spans[i]) }));
  return { ...forecastHead(data, source, query, spans), variables };
}

/** The days asked for, without limit where none is asked. */
function askedDays({ startDay, endDay }: Pick<TimelineQuery, 'startDay' | 'endDay'>): DayRange {
  return { firstDay: startDay ?? Number.NEGATIVE_INFINITY, lastDay: endDay ?? Number.POSITIVE_INFINITY };
}

function timelineSource(data: Snapshot, { point, downscaling }: TimelineQuery): SeriesSource {
  const { timeline: coarse, fineTimeline } = forecastOf(data);
  const place = coveredPlace(coarse, point);
  const metres = elevationAt(data, coarse, place.cell);
  return { coarse, place, metres, ...fineSource(fineTimeline, downscaling, point) };
}

function chosen({ available }: ForecastTools, { coarse, metres }: SeriesSource, { variables }: TimelineQuery) {
  return available.chosen(coarse, variables, metres);
}

function forecastHead(
  data: Snapshot,
  { place }: SeriesSource,
  { point }: TimelineQuery,
  spans: readonly DayRange[],
): ForecastAnswer {
  const { initTime, version, generation } = forecastOf(data);
  return {
    ...{ initTime, version, generation, attribution: data.attribution },
    requested: { latitude: point.latitude, longitude: point.longitude },
    closest: place.location,
    period: unionOf(spans),
  };
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

import { GRANULARITIES, type Granularity } from '../../period/window-table.js';
import type { StatisticsAnswer } from '../../respond/answer-data.js';
import { writeBody } from '../../respond/body.js';
import { statisticsParts } from '../../respond/v2/statistics-json.js';
import type { Variable } from '../../variable/variable.js';
import { memberStatistics } from '../point/member-statistics.js';
import { eachInTurn, type Pause } from '../point/pause.js';
import { readVariable, useSeries } from '../point/series.js';
import { timelineRevision } from '../point/snapshot-parts.js';
import type { Snapshot } from '../source/source.js';
import {
  currentEndpoint,
  findTimeline,
  forecastHead,
  requestedDays,
  type TimelineQuery,
  timelineParameters,
  timelineQuery,
} from './current-endpoint.js';
import type { Endpoint, Tools } from './endpoint.js';
import { quantilesParameter } from './list-parameters.js';
import { granularityParameter } from './parameters.js';

export interface StatisticsQuery extends TimelineQuery {
  readonly quantiles: readonly number[];
  readonly granularity: Granularity;
}

/**
 * `/v2/forecast/statistics`: mean and quantiles over the members of the blended forecast; `extra` are variables besides
 * the built-in ones.
 */
export function forecastStatisticsEndpoint(extra: readonly Variable[]): Endpoint {
  return currentEndpoint({
    operationId: 'forecastStatistics',
    path: '/v2/forecast/statistics',
    family: 'forecast',
    summary: 'Mean and quantiles of the blended forecast',
    description:
      "Each member's days are combined by window; the mean and the quantiles are those of the members' windows. Complete windows only.",
    parameters: [
      ...timelineParameters(extra, "the timeline's first day", "the timeline's last day"),
      quantilesParameter(),
      granularityParameter(GRANULARITIES),
    ],
    query: (values, requester): StatisticsQuery =>
      Object.assign(timelineQuery(values, requester), {
        quantiles: values.statistics,
        granularity: values.granularity,
      }),
    answer: 'statistics',
    revision: timelineRevision,
    schema: 'ForecastStatistics',
    write: (answer: StatisticsAnswer, mediaType, writer) =>
      writeBody(mediaType, writer, {
        columns: answer.variables.map(({ statistics: { mean, quantiles } }) => [mean, ...quantiles]),
        json: (into) => statisticsParts(answer, into),
        tables: ({ statisticsTables }, isShared) => statisticsTables(answer, isShared),
      }),
  });
}

/** Computes statistics over the members of the timeline at a point: at once where no read and no pause is a promise. */
export function forecastStatistics(
  tools: Tools,
  data: Snapshot,
  query: StatisticsQuery,
  pause?: Pause,
): StatisticsAnswer | Promise<StatisticsAnswer> {
  const { available, buffers } = tools;
  const { granularity, quantiles } = query;
  const source = findTimeline(data, query);
  const chosen = available.chosen(source.coarse, query.variables, source.metres);
  const reads = chosen.map((variable) => readVariable(source, variable, buffers));
  return useSeries(reads, (series) => {
    const spans = series.map((one) => requestedDays(query, one));
    const computing = eachInTurn(series, pause, (one, i) => {
      const { variable, downscaled, location } = one;
      const windows = tools.windows.find(granularity, spans[i].firstDay, spans[i].lastDay);
      const statistics = memberStatistics(tools, one, windows, quantiles);
      return { variable, downscaled, location, windows, statistics };
    });
    const complete = (variables: StatisticsAnswer['variables']) =>
      Object.assign(forecastHead(data, source, query, spans), { granularity, quantiles, variables });
    return computing instanceof Promise ? computing.then(complete) : complete(computing);
  });
}

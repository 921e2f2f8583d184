import { GRANULARITIES, type Granularity } from '../../period/period.js';
import type { StatisticsAnswer, TercileShares, WindowSkill } from '../../respond/answer-data.js';
import type { AnswerDescription } from '../../respond/v2/answer-description.js';
import { STATISTICS } from '../../respond/v2/statistics-answer.js';
import type { Threshold } from '../../statistics/options.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Variable } from '../../variable/variable.js';
import { type HorizonMembers, horizonStatistics, readHorizonMembers } from '../point/horizon-members.js';
import { eachAwaited, eachInTurn, type Pause, whenReady } from '../point/pause.js';
import { hasTerciles, type PointClimatology, tercileCategories } from '../point/point-climatology.js';
import {
  memberStatistics,
  readVariable,
  type SeriesSource,
  useAll,
  useSeries,
  type VariableSeries,
} from '../point/series.js';
import { comparedRevision, recordedRevision, timelineRevision } from '../point/snapshot-parts.js';
import { windowSkill } from '../point/window-skill.js';
import { ProblemError } from '../problem-error.js';
import type { Snapshot } from '../source/source.js';
import {
  currentEndpoint,
  type ForecastQuery,
  findTimeline,
  forecastHead,
  forecastParameters,
  forecastQuery,
  forecastRevision,
  requestedDays,
} from './current-endpoint.js';
import type { Endpoint, Tools } from './endpoint.js';
import {
  conditionText,
  skillParameter,
  tercilesParameter,
  thresholdParameter,
  type VariableThreshold,
} from './extension-parameters.js';
import { quantilesParameter } from './list-parameters.js';
import { granularityParameter } from './parameters.js';

export interface StatisticsParameters extends ForecastQuery {
  readonly quantiles: readonly number[];
  readonly granularity: Granularity;
  /** Of variables that the answer has. Default: none. */
  readonly thresholds?: readonly VariableThreshold[];
  /** Whether to compare with the terciles of the history. Default false. */
  readonly terciles?: boolean;
  /** Whether to say how good earlier forecasts were. Default false. */
  readonly skill?: boolean;
}

/**
 * `/v2/forecast/statistics`: mean and quantiles over the members of the blended forecast; `extra` are variables besides
 * the built-in ones.
 */
export function forecastStatisticsEndpoint(extra: readonly Variable[]): Endpoint {
  const described: AnswerDescription<StatisticsAnswer> = STATISTICS;
  return currentEndpoint({
    operationId: 'forecastStatistics',
    path: '/v2/forecast/statistics',
    family: 'forecast',
    summary: 'Mean and quantiles of the blended forecast',
    description:
      "Each member's days are combined by window; the mean and the quantiles are those of the members' windows. Complete windows only.",
    parameters: [
      ...forecastParameters(extra),
      quantilesParameter(),
      granularityParameter(GRANULARITIES),
      thresholdParameter(extra),
      tercilesParameter(),
      skillParameter(),
    ],
    query(values, requester): StatisticsParameters {
      const { statistics: quantiles, granularity, threshold: thresholds, terciles, skill } = values;
      const timeline = forecastQuery(values, requester);
      // The history that forecasts are compared with is coarse.
      const downscaling = timeline.downscaling && !terciles;
      return Object.assign(timeline, { quantiles, granularity, thresholds, terciles, skill, downscaling });
    },
    answer: 'statistics',
    revision: (query) => {
      const timeline = query.terciles ? comparedRevision : timelineRevision;
      return forecastRevision(query, query.skill ? (data) => recordedRevision(data, timeline(data)) : timeline);
    },
    schema: 'ForecastStatistics',
    described,
  });
}

/** Computes statistics over the members of the timeline at a point: at once where no read and no pause is a promise. */
export function forecastStatistics(
  tools: Tools,
  data: Snapshot,
  query: StatisticsParameters,
  pause?: Pause,
): StatisticsAnswer | Promise<StatisticsAnswer> {
  const { available, buffers } = tools;
  const { granularity, quantiles } = query;
  const source = findTimeline(data, query);
  const chosen = available.chosen(source.coarse, query.variables, source.metres);
  if (query.thresholds !== undefined) assertThresholds(chosen, query.thresholds);
  const reads = chosen.map((variable) => readVariable(source, variable, buffers));
  return useSeries(reads, (series) => {
    const spans = series.map((one) => requestedDays(query, one));
    const complete = (variables: StatisticsAnswer['variables']) =>
      Object.assign(forecastHead(data, source, query, series, spans), { granularity, quantiles, variables });
    const windowsOf = (i: number) => tools.windows.find(granularity, spans[i].firstDay, spans[i].lastDay);
    const compute = (
      skills: readonly WindowSkill[] | undefined,
      climatologies?: readonly (PointClimatology | undefined)[],
      members?: readonly HorizonMembers[],
    ) => {
      const computing = eachInTurn(series, pause, (one, i) => {
        const { variable, downscaled, location } = one;
        const horizons = query.horizons ? one.horizons : undefined;
        const windows = windowsOf(i);
        const limits = climatologies && tercileCategories(windows, climatologies[i]);
        const categories = limits && [limits];
        const thresholds = query.thresholds && thresholdsOf(variable, query.thresholds);
        const { statistics, ensembles } =
          members === undefined
            ? { statistics: memberStatistics(tools, one, windows, quantiles, categories, thresholds) }
            : horizonStatistics(tools, members[i], windows, quantiles, categories, thresholds);
        const terciles = climatologies && tercileShares(statistics, climatologies[i]);
        const skill = skills?.[i];
        return {
          variable,
          downscaled,
          location,
          horizons,
          ensembles,
          windows,
          statistics,
          thresholds,
          terciles,
          skill,
        };
      });
      return computing instanceof Promise ? computing.then(complete) : complete(computing);
    };
    const answer = (skills?: readonly WindowSkill[]) => {
      const compared = query.terciles ? findClimatologies(tools, data, source, query, series, pause) : undefined;
      if (query.members === undefined) {
        return compared === undefined
          ? compute(skills)
          : compared.then((climatologies) => compute(skills, climatologies));
      }
      return whenReady(compared, (climatologies) => {
        const reads = series.map((one, i) => readHorizonMembers(data, source, one, spans[i], buffers));
        return useAll(reads, (members) => compute(skills, climatologies, members));
      });
    };
    if (!query.skill) return answer();
    const skills = series.map(({ variable: { slug }, horizons }, i) =>
      windowSkill(data, source.place.location, { slug, horizons, windows: windowsOf(i) }),
    );
    return skills.some((skill) => skill instanceof Promise)
      ? Promise.all(skills).then(answer)
      : answer(skills as WindowSkill[]);
  });
}

/** Throws ProblemError for thresholds of variables that the answer does not have. */
function assertThresholds(chosen: readonly Variable[], thresholds: readonly VariableThreshold[]): void {
  const absent = thresholds.filter(({ variable }) => !chosen.includes(variable));
  if (absent.length === 0) return;
  const allowed = `conditions on ${chosen.map(({ slug }) => slug).join(', ')}`;
  const detail = 'has a condition on a variable that the data do not have';
  const faults = absent.map((one) => ({ parameter: 'threshold', detail, received: conditionText(one), allowed }));
  throw new ProblemError(400, 'bad-parameters', `threshold ${detail}`, { faults });
}

function thresholdsOf(variable: Variable, thresholds: readonly VariableThreshold[]): Threshold[] {
  return thresholds.flatMap((one) => (one.variable === variable ? { operator: one.operator, limit: one.limit } : []));
}

/** Finds the climatologies that variables are compared with. Throws ProblemError where there is none at all. */
async function findClimatologies(
  { climatologies }: Tools,
  data: Snapshot,
  { place }: SeriesSource,
  { granularity }: StatisticsParameters,
  series: readonly VariableSeries[],
  pause: Pause | undefined,
): Promise<(PointClimatology | undefined)[]> {
  const found = await eachAwaited(series, pause, ({ variable }) =>
    climatologies.ofObservations(data, granularity, variable, place.location),
  );
  if (found.some(hasTerciles) || series.length === 0) return found;
  const slugs = series.map(({ variable }) => variable.slug).join(', ');
  const detail = `There is no history of all reference years to compare with at this point, for none of ${slugs}.`;
  throw new ProblemError(503, 'climatology-unavailable', detail, { isOfPoint: true });
}

/** The shares of members in the terciles of a climatology, missing where there is none. */
function tercileShares(
  { length, categories: [shares] }: StatisticsColumns,
  climatology: PointClimatology | undefined,
): TercileShares {
  if (shares !== undefined && climatology !== undefined) return { shares, climatology };
  const none = new Float32Array(length).fill(Number.NaN);
  return { shares: [none, none, none] };
}

import { leavesOf, neededQuantiles } from '../../condition/condition.js';
import { GRANULARITIES, type Granularity } from '../../period/period.js';
import type { StatisticsAnswer, TercileShares, WindowSkill } from '../../respond/answer-data.js';
import type { AnswerDescription } from '../../respond/v2/answer-description.js';
import { STATISTICS } from '../../respond/v2/statistics-answer.js';
import { quantileName } from '../../statistics/statistic.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Variable } from '../../variable/variable.js';
import { jointConditions, PointConditions, type RequestedCondition, thresholdsOf } from '../point/condition-shares.js';
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
import { skillParameter, tercilesParameter } from './extension-parameters.js';
import { quantilesParameter } from './list-parameters.js';
import { granularityParameter } from './parameters.js';
import { assertConditions, rejectConditions, thresholdParameter } from './threshold-parameter.js';

export interface StatisticsParameters extends ForecastQuery {
  readonly quantiles: readonly number[];
  readonly granularity: Granularity;
  /** Of variables that the answer has. Default: none. */
  readonly thresholds?: readonly RequestedCondition[];
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
      const downscaling = timeline.downscaling && !isCompared({ terciles, thresholds });
      return Object.assign(timeline, { quantiles, granularity, thresholds, terciles, skill, downscaling });
    },
    answer: 'statistics',
    revision: (query) => {
      const timeline = isCompared(query) ? comparedRevision : timelineRevision;
      return forecastRevision(query, query.skill ? (data) => recordedRevision(data, timeline(data)) : timeline);
    },
    schema: 'ForecastStatisticsAnswer',
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
  const { thresholds: conditions } = query;
  if (conditions !== undefined) assertConditions(conditions, chosen, query.members);
  const reads = chosen.map((variable) => readVariable(source, variable, buffers));
  return useSeries(reads, (series) => {
    const spans = series.map((one) => requestedDays(query, one));
    const complete = (variables: StatisticsAnswer['variables']) =>
      Object.assign(forecastHead(data, source, query, series, spans), { granularity, quantiles, variables });
    const windowsOf = (i: number) => tools.windows.find(granularity, spans[i].firstDay, spans[i].lastDay);
    if (conditions !== undefined) assertSameMembers(conditions, series);
    const compute = (
      skills: readonly WindowSkill[] | undefined,
      climatologies?: readonly (PointClimatology | undefined)[],
      members?: readonly HorizonMembers[],
    ) => {
      const shares =
        conditions &&
        new PointConditions(
          tools,
          conditions,
          series.map(({ variable, field }, i) => {
            return { variable, field, windows: windowsOf(i), climatology: climatologies?.[i] };
          }),
        );
      const computing = eachInTurn(series, pause, (one, i) => {
        const { variable, downscaled, location } = one;
        const horizons = query.horizons ? one.horizons : undefined;
        const windows = windowsOf(i);
        const climatology = climatologies?.[i];
        const limits = query.terciles ? tercileCategories(windows, climatology) : undefined;
        const categories = limits && [limits];
        const thresholds = conditions && thresholdsOf(variable, conditions);
        const { statistics, ensembles } =
          members === undefined
            ? { statistics: memberStatistics(tools, one, windows, quantiles, categories, thresholds) }
            : horizonStatistics(tools, members[i], windows, quantiles, categories, thresholds);
        const terciles = query.terciles ? tercileShares(statistics, climatology) : undefined;
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
          conditions: shares?.of(i, members?.[i]),
          climatology: hasQuantiles(conditions, variable) ? climatology : undefined,
          terciles,
          skill,
        };
      });
      return computing instanceof Promise ? computing.then(complete) : complete(computing);
    };
    const answer = (skills?: readonly WindowSkill[]) => {
      const compared = isCompared(query) ? findClimatologies(tools, data, source, query, series, pause) : undefined;
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

/** The quantiles of climatologies in conditions, or in their comparisons of one variable. */
function quantilesOf(conditions: readonly RequestedCondition[], variable?: Variable): number[] {
  const leaves = conditions.flatMap(({ condition }) => leavesOf(condition));
  return neededQuantiles(variable === undefined ? leaves : leaves.filter((leaf) => leaf.variable === variable.slug));
}

/** Whether conditions have quantiles of climatologies, or their comparisons of one variable. */
function hasQuantiles(conditions: readonly RequestedCondition[] | undefined, variable?: Variable): boolean {
  return conditions !== undefined && quantilesOf(conditions, variable).length > 0;
}

/** Whether an answer needs climatologies. */
function isCompared({ terciles, thresholds }: Pick<StatisticsParameters, 'terciles' | 'thresholds'>): boolean {
  return terciles === true || hasQuantiles(thresholds);
}

/**
 * Throws ProblemError for conditions on variables of which the timeline has other numbers of members: these are not the
 * same trajectories.
 */
function assertSameMembers(conditions: readonly RequestedCondition[], series: readonly VariableSeries[]): void {
  for (const one of jointConditions(conditions)) {
    const named = one.variables.flatMap((each) => series.find(({ variable }) => variable === each) ?? []);
    const counts = named.map(({ variable, field }) => `${field.members.length} of ${variable.slug}`);
    if (named.every(({ field }) => field.members.length === named[0].field.members.length)) continue;
    const detail = `has a condition on variables whose members differ: ${counts.join(', ')}`;
    rejectConditions([one], detail, 'conditions on variables with the same members');
  }
}

/**
 * Finds the climatologies that variables are compared with. Throws ProblemError where there is none at all, and where
 * one does not have a quantile of a condition.
 */
async function findClimatologies(
  { climatologies }: Tools,
  data: Snapshot,
  { place }: SeriesSource,
  { granularity, terciles, thresholds }: StatisticsParameters,
  series: readonly VariableSeries[],
  pause: Pause | undefined,
): Promise<(PointClimatology | undefined)[]> {
  const found = await eachAwaited(series, pause, ({ variable }) => {
    const quantiles = thresholds === undefined ? [] : quantilesOf(thresholds, variable);
    const isNeeded = terciles || quantiles.length > 0;
    return isNeeded
      ? climatologies.ofObservations(data, granularity, variable, place.location, quantiles)
      : Promise.resolve(undefined);
  });
  if (thresholds !== undefined)
    for (const [i, { variable }] of series.entries()) assertQuantiles(variable, found[i], thresholds);
  if (!terciles || found.some(hasTerciles) || series.length === 0) return found;
  throw noClimatology(`for none of ${series.map(({ variable }) => variable.slug).join(', ')}`);
}

/** Throws ProblemError where conditions need a quantile that the climatology of a variable does not have. */
function assertQuantiles(
  variable: Variable,
  climatology: PointClimatology | undefined,
  conditions: readonly RequestedCondition[],
): void {
  const needed = quantilesOf(conditions, variable);
  if (needed.length === 0) return;
  if (climatology === undefined) throw noClimatology(`of ${variable.slug}`);
  const missing = needed.filter((quantile) => climatology.quantileAt(quantile) === undefined).map(quantileName);
  if (missing.length === 0) return;
  rejectConditions(
    conditions.filter(({ variables }) => variables.includes(variable)),
    `has a quantile that the climatology of ${variable.slug} does not have, ${missing.join(', ')}`,
    climatology.quantiles.map(quantileName).join(', ') || 'numbers',
  );
}

function noClimatology(of: string): ProblemError {
  const detail = `There is no history of all reference years to compare with at this point, ${of}.`;
  return new ProblemError(503, 'climatology-unavailable', detail, { isOfPoint: true });
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

import type { Point } from '../../ensemble/nearest-place.js';
import type { DayRange, ForecastAnswer } from '../../respond/answer-data.js';
import { ARROW_TYPE, CSV_TYPE, JSON_TYPE, type MediaType, writeBody } from '../../respond/body.js';
import type { AnswerDescription, TableAnswer } from '../../respond/v2/answer-description.js';
import type { Variable } from '../../variable/variable.js';
import {
  findSeriesSource,
  intersectRanges,
  type SeriesSource,
  storedPrecision,
  toDayRange,
  uniteRanges,
  type VariableSeries,
} from '../point/series.js';
import { horizonsRevision, requireForecast, timelineRevision } from '../point/snapshot-parts.js';
import type { ForecastRun, Snapshot } from '../source/source.js';
import type { DataQuery, Endpoint, EndpointDefinition, Requester, Revision } from './endpoint.js';
import { horizonsParameter, membersParameter, pointsParameter } from './extension-parameters.js';
import { variablesParameter } from './list-parameters.js';
import {
  downscalingParameter,
  endDateParameter,
  latitudeParameter,
  longitudeParameter,
  type Parameter,
  type ParameterValues,
  startDateParameter,
} from './parameters.js';
import type { PointAnswers } from './point-answers.js';

/** What all `/v2` endpoints take. */
export interface TimelineParameters {
  readonly point: Point;
  /** Several points, the first of which is `point`: `Answers` are then called for each of them. */
  readonly points?: readonly Point[];
  /** In the order requested, each once; undefined for all that are not derived. */
  readonly variables: readonly Variable[] | undefined;
  /** Day numbers, inclusive, as requested: they may lie outside the data. */
  readonly startDay: number | undefined;
  readonly endDay: number | undefined;
  /** Whether 1 km data are requested and the key has them provisioned. */
  readonly downscaling: boolean;
}

/** What defines an endpoint of `/v2`. */
interface CurrentDefinition<Parameters extends readonly Parameter[], Query, Answer extends TableAnswer>
  extends Omit<EndpointDefinition<Parameters, Query, Answer>, 'generation' | 'mediaTypes' | 'write'> {
  /** What its answers are. */
  readonly described: AnswerDescription<Answer>;
}

/** An endpoint of `/v2`, for a point and for several: as JSON, as CSV and as an Arrow stream. */
export function currentEndpoint<
  const Parameters extends readonly Parameter[],
  Query extends DataQuery,
  Answer extends TableAnswer,
>({ described, ...definition }: CurrentDefinition<Parameters, Query, Answer>): Endpoint {
  return {
    ...definition,
    generation: 'current',
    mediaTypes: [JSON_TYPE, CSV_TYPE, ARROW_TYPE],
    write(answer: Answer | PointAnswers<Answer>, mediaType, writer) {
      if ('points' in answer) assertAnswered(answer, mediaType);
      return writeBody(mediaType, writer, described, answer);
    },
  };
}

/**
 * The endpoint for several points alone: it answers as `endpoint` does where `points` is given. In OpenAPI documents one path
 * cannot require either `points` or `lat` and `lon`: so each has its own.
 */
export function pointsEndpoint(endpoint: Endpoint): Endpoint {
  const { operationId, path, summary, description, parameters } = endpoint;
  const { replaces = [], ...points } = pointsParameter();
  const others = parameters.filter(({ name }) => name !== points.name && !replaces.includes(name));
  return {
    ...endpoint,
    operationId: `${operationId}OfPoints`,
    path: `${path}/points`,
    ofOnePoint: endpoint,
    summary: `${summary}, of several points`,
    description: `${description} The same as \`${path}\` with \`points\`.`,
    parameters: [{ ...points, required: true }, ...others],
  };
}

/** Throws the problem of a response to several points that cannot be written: a table does not say why it has no rows. */
function assertAnswered({ failure, fault }: PointAnswers<unknown>, mediaType: MediaType): void {
  const problem = mediaType === JSON_TYPE ? failure && fault : (fault ?? failure);
  if (problem !== undefined) throw problem;
}

/**
 * The parameters of a TimelineParameters; `extra` are variables besides the built-in ones, `first` and `last` describe the
 * days of an answer where none are requested.
 */
export function timelineParameters(extra: readonly Variable[], first: string, last: string) {
  return [
    latitudeParameter(),
    longitudeParameter(),
    pointsParameter(),
    variablesParameter(extra),
    startDateParameter(first),
    endDateParameter(last),
    downscalingParameter(),
  ] as const;
}

/**
 * The values of these parameters, with 1 km data only where the key has them. An endpoint adds its own fields by
 * `Object.assign`: a spread takes ten times as long.
 */
export function timelineQuery(
  values: ParameterValues<ReturnType<typeof timelineParameters>>,
  { key }: Requester,
): TimelineParameters {
  const { points, var: variables, use_downscaling: isFine } = values;
  return {
    point: points?.[0] ?? { latitude: values.lat, longitude: values.lon },
    points,
    variables,
    startDay: values.start_date,
    endDay: values.end_date,
    // Answers without 1 km data are the same either way: they are cached once.
    downscaling:
      isFine && key.downscaling && (variables === undefined || variables.some(({ downscalable }) => downscalable)),
  };
}

/** What the endpoints of the forecast take besides. */
export interface ForecastQuery extends TimelineParameters {
  /** Whether the days of each horizon are requested. Default false. */
  readonly horizons?: boolean;
  /** Where one horizon suffices, all of its members. Default: the blended ones. */
  readonly members?: 'all';
}

/** The parameters of a ForecastQuery. */
export function forecastParameters(extra: readonly Variable[]) {
  return [
    ...timelineParameters(extra, "the timeline's first day", "the timeline's last day"),
    horizonsParameter(),
    membersParameter(),
  ] as const;
}

/** The values of these parameters; to be added to, as those of `timelineQuery`. */
export function forecastQuery(
  values: ParameterValues<ReturnType<typeof forecastParameters>>,
  requester: Requester,
): ForecastQuery {
  const { horizons, members } = values;
  return Object.assign(timelineQuery(values, requester), { horizons, members });
}

/** What finds the revision of the data behind an answer about the timeline, and the horizons of all members. */
export function forecastRevision({ members }: DataQuery, timeline: Revision = timelineRevision): Revision {
  return members === undefined ? timeline : (data) => horizonsRevision(data, timeline(data));
}

/** Where to read the blended timeline at a point. Throws ProblemError where there is none. */
export function findTimeline(data: Snapshot, query: TimelineParameters): SeriesSource {
  const { timeline, fineTimeline } = requireForecast(data);
  return findSeriesSource(data, { coarse: timeline, fine: fineTimeline }, query);
}

/** The requested days that a series has. */
export function requestedDays({ startDay, endDay }: TimelineParameters, { field }: VariableSeries): DayRange {
  const requested = { firstDay: startDay ?? Number.NEGATIVE_INFINITY, lastDay: endDay ?? Number.POSITIVE_INFINITY };
  return intersectRanges(requested, toDayRange(field));
}

/** The fields that all answers about the timeline begin with, to be added to; `spans` are the days of each variable. */
export function forecastHead(
  { forecast, attribution }: Snapshot,
  source: SeriesSource,
  { point: { latitude, longitude } }: TimelineParameters,
  series: readonly VariableSeries[],
  spans: readonly DayRange[],
): ForecastAnswer {
  const { initTime, version, generation, shortfalls = [] } = forecast as ForecastRun;
  const incomplete = shortfalls.length > 0 ? shortfalls : undefined;
  const requested = { latitude, longitude };
  const period = uniteRanges(spans);
  const closest = source.place.location;
  const precision = storedPrecision(source, series);
  return { initTime, version, generation, attribution, requested, closest, period, incomplete, precision };
}

import type { LegacyHistoryAnswer, Location } from '../../respond/answer-data.js';
import { writeLegacyHistory } from '../../respond/v1/legacy-json.js';
import type { Variable } from '../../variable/variable.js';
import { selectVariables } from '../point/available-variables.js';
import { copyDays, datasetDays, findSeriesSource, intersectRanges, readVariable, toDayRange } from '../point/series.js';
import { historyRevision, requireHistory } from '../point/snapshot-parts.js';
import { ProblemError } from '../problem-error.js';
import type { Snapshot } from '../source/source.js';
import type { Endpoint, Tools } from './endpoint.js';
import { type LegacyParameters, legacyEndpoints } from './legacy-endpoint.js';
import { variablesParameter } from './list-parameters.js';

/** The days of an answer: a year, and a day more so that a leap year fits. */
const DAYS = 366;

/** Grid steps of the legacy grid in a degree. */
const GRID_PARTS = 4;

/** `/v1/history`: the history of about the last year; `extra` are variables besides the built-in ones. */
export function legacyHistoryEndpoints(extra: readonly Variable[]): Endpoint[] {
  return legacyEndpoints({
    operationId: 'legacyHistory',
    path: '/v1/history',
    family: 'history',
    summary: 'The history of the last 366 days',
    description: 'Daily values at the nearest point of the 0.25 degree grid, where that was pre-loaded.',
    parameters: [variablesParameter(extra, 'history')],
    query: (values, place): LegacyParameters => ({ ...place, variables: values.var }),
    answer: 'legacyHistory',
    revision: () => historyRevision,
    schema: 'LegacyHistoryAnswer',
    write: writeLegacyHistory,
  });
}

/** Reads about the last year of a pre-loaded place, by day. */
export async function computeLegacyHistory(
  { available }: Tools,
  data: Snapshot,
  { point, locationId, variables: requested }: LegacyParameters,
): Promise<LegacyHistoryAnswer> {
  const history = requireHistory(data);
  const location = onLegacyGrid(point);
  if (!(await history.isPreloaded(location.latitude, location.longitude))) {
    const where = `${location.latitude}, ${location.longitude}`;
    const detail = `The history of ${where} was not pre-loaded; /v2/history does not need that.`;
    throw new ProblemError(404, 'location-not-ingested', detail);
  }
  const coarse = history.data;
  const source = findSeriesSource(data, { coarse }, { point: location });
  const { kept, dropped } = selectVariables(available, coarse, requested, source.metres);
  const series = await Promise.all(kept.map((variable) => readVariable(source, variable)));
  const lastDay = datasetDays(coarse)?.lastDay ?? 0;
  const lastYear = { firstDay: lastDay - DAYS + 1, lastDay };
  const variables = series.map(({ variable, field }) => {
    const days = intersectRanges(lastYear, toDayRange(field));
    return { variable, firstDay: days.firstDay, values: copyDays(field, field.members[0], days) };
  });
  return { granularity: 'daily', location, locationId, dropped, attribution: data.attribution, variables };
}

/** The point of the 0.25 degree grid that is nearest to a point, its longitude from -180 up to, not including, 180. */
function onLegacyGrid({ latitude, longitude }: Location): Location {
  const snapped = Math.round(longitude * GRID_PARTS) / GRID_PARTS;
  return {
    latitude: Math.round(latitude * GRID_PARTS) / GRID_PARTS + 0,
    longitude: (snapped >= 180 ? snapped - 360 : snapped) + 0,
  };
}

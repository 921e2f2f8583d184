import type { Point } from '../../ensemble/nearest-place.js';
import { DEFAULT_QUANTILES } from '../../statistics/quantile-options.js';
import type { KeyRecord } from '../access/key-store.js';
import type { LocationStore, StoredLocation } from '../access/locations.js';
import type { DataQuery } from './answer-forms.js';
import type { Endpoint } from './endpoints.js';
import type { ParameterValues } from './parameters/parameter.js';
import { ProblemError } from './problem-error.js';
import type { SourceErrorLog } from './source-fault.js';

/**
 * The query of a request: its parameters, with the place of a stored location, and 1 km data only where the key has
 * them.
 */
export function dataQuery(
  { generation, horizon }: Endpoint,
  values: ParameterValues,
  location: StoredLocation | undefined,
  key: KeyRecord,
): DataQuery {
  const variables = values.var;
  const fine = generation === 'current' && values.use_downscaling && key.downscaling;
  return {
    point: pointOf(values, location),
    locationId: location?.id,
    variables,
    startDay: values.start_date,
    endDay: values.end_date,
    // Answers without 1 km data are the same either way: they are cached once.
    downscaling: fine && (variables === undefined || variables.some(({ downscalable }) => downscalable)),
    quantiles: values.statistics,
    granularity: values.granularity,
    horizon,
  };
}

/** Numbers are slow to write, and most requests leave the quantiles out. */
const DEFAULT_LIST = /* @__PURE__ */ DEFAULT_QUANTILES.join();

/** A text that is the same for all requests with the same answer. */
export function queryKey({ form }: Endpoint, query: DataQuery): string {
  const { point, locationId, variables, startDay, endDay, downscaling, quantiles, granularity, horizon } = query;
  const slugs = variables === undefined ? '' : variables.map(({ slug }) => slug).join();
  const list = quantiles === DEFAULT_QUANTILES ? DEFAULT_LIST : quantiles.join();
  return `${form.schema}|${horizon}|${locationId}|${degrees(point.latitude)}|${degrees(point.longitude)}|${slugs}|${startDay}|${endDay}|${downscaling}|${list}|${granularity}`;
}

/**
 * A coordinate as a text that no other coordinate has. Not by `String`: engines cache its texts for a while, so that
 * memory grows with random points.
 */
function degrees(value: number): string {
  const text = value.toFixed(6);
  return Number(text) === value ? text : value.toPrecision(17);
}

function pointOf({ lat, lon }: ParameterValues, location: StoredLocation | undefined): Point {
  if (location === undefined) return { latitude: lat, longitude: lon };
  return { latitude: location.latitude, longitude: location.longitude };
}

/**
 * Finds the stored location that a segment of a path names. Throws the same ProblemError (404) where the segment is not
 * an id and where `owner` has no location with that id.
 */
export async function findStoredLocation(
  segment: string,
  owner: string,
  locations: LocationStore | undefined,
  sourceErrors: SourceErrorLog,
): Promise<StoredLocation> {
  const id = locationId(segment);
  const location =
    id === undefined || locations === undefined
      ? undefined
      : await sourceErrors.store('locations', () => locations.find(id, owner));
  if (location !== undefined) return location;
  throw new ProblemError(404, 'location-not-found', 'There is no stored location with this id.');
}

function locationId(segment: string): string | undefined {
  let id: string;
  try {
    id = decodeURIComponent(segment);
  } catch {
    return undefined;
  }
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : undefined;
}

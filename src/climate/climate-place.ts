import { PlaceIndex } from '../ensemble/place-index.js';
import { DataError } from '../errors.js';
import type { Climatology } from './climatology.js';

/** Finds the index of a climatology's place by coordinates in degrees. */
export type ClimatePlace = (latitude: number, longitude: number) => number;

/**
 * Creates a function that finds places in a climatology: the nearest within one grid step of the climatology, see
 * `PlaceIndex`. Where either has no coordinates, both must have a single place: `isSingle` says whether the data read
 * so far do. The function throws DataError for a place that is not in the climatology.
 */
export function climatePlace(climatology: Climatology, isSingle: () => boolean, source?: string): ClimatePlace {
  const index = new PlaceIndex(climatology);
  const known = new Map<number, Map<number, number>>();
  return (latitude, longitude) => {
    const found = known.get(latitude)?.get(longitude);
    if (found !== undefined) return found;
    const placed = !Number.isNaN(latitude) && !Number.isNaN(longitude);
    const nearest = placed ? index.nearest({ latitude, longitude }, 'climatology') : undefined;
    const place = nearest ?? (climatology.latitude.length === 1 && isSingle() ? 0 : undefined);
    if (place === undefined) throw coordinatesError(placed ? 'climatology' : source);
    if (!known.has(latitude)) known.set(latitude, new Map());
    known.get(latitude)?.set(longitude, place);
    return place;
  };
}

function coordinatesError(source?: string): DataError {
  return new DataError({
    source,
    problem: 'has no coordinates by which to find places in the climatology',
    allowed: 'columns latitude and longitude, or both in the metadata; or a single place in data and climatology',
  });
}

import { findNearest, type Places, type Point } from '../ensemble/nearest-place.js';
import { PlaceIndex } from '../ensemble/place-index.js';
import { areRegions, idsOf, labelAt } from '../ensemble/place-labels.js';
import { DataError, mentionOption } from '../errors.js';
import type { Climatology } from './climatology.js';

/** Finds the index of a climatology's place for a place by its index. */
export type ClimatePlace = (places: Places, place: number) => number;

/**
 * Creates a function that finds places in a climatology: by id where both have ids; else the nearest within one grid step of
 * the climatology, see `PlaceIndex`. Where either has no coordinates, both must have a single place: `isSingle` says whether
 * the data read so far do. The function throws DataError for a place that is not in the climatology.
 */
export function climatePlace(climatology: Climatology, isSingle: () => boolean, source?: string): ClimatePlace {
  const index = new PlaceIndex(climatology);
  const known = new Map<number, Map<number, number>>();
  const ids = idsOf(climatology.labels);
  const byId = placesById(ids);
  const ofRegions = ids !== undefined && areRegions(climatology.labels);
  return ({ latitude: norths, longitude: easts, labels }, cell) => {
    const [latitude, longitude] = [norths[cell], easts[cell]];
    const id = byId && labels?.hasId ? String(labelAt(labels, labels.columns[0], cell) ?? '') : undefined;
    if (byId !== undefined && id !== undefined)
      return idPlace(climatology, byId.get(id), { latitude, longitude, id }, source);
    // The middle of a region is a place like others, with another climate than the region.
    if (ofRegions || (labels?.hasId && areRegions(labels))) throw regionsError(ofRegions, source);
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

/** The places of each id. */
function placesById(ids: readonly string[] | undefined): Map<string, number[]> | undefined {
  if (ids === undefined) return undefined;
  const places = new Map<string, number[]>();
  for (const [place, id] of ids.entries()) places.set(id, [...(places.get(id) ?? []), place]);
  return places;
}

/** Of the places with an id, the one that is nearest to coordinates, where these are known. Throws DataError without one. */
function idPlace(
  climatology: Climatology,
  candidates: readonly number[] | undefined,
  { id, ...point }: Point & { readonly id: string },
  source?: string,
): number {
  if (candidates === undefined) {
    const allowed = `the ids of the climatology: ${idsOf(climatology.labels)?.slice(0, 10).join(', ')}, ...`;
    throw new DataError({ source, problem: 'has a place whose id is not in the climatology', received: id, allowed });
  }
  const [first] = candidates;
  if (candidates.length === 1 || Number.isNaN(point.latitude + point.longitude)) return first;
  const of = (degrees: Float64Array) => Float64Array.from(candidates, (place) => degrees[place]);
  const { latitude, longitude } = climatology;
  return candidates[findNearest({ latitude: of(latitude), longitude: of(longitude) }, point)?.place ?? 0];
}

function regionsError(ofRegions: boolean, source?: string): DataError {
  return new DataError({
    source,
    problem: ofRegions
      ? 'has places, and the climatology has regions'
      : 'has regions, and the climatology has places without their names',
    allowed: `a climatology of the same regions, made with ${mentionOption('regions')}`,
  });
}

function coordinatesError(source?: string): DataError {
  return new DataError({
    source,
    problem: 'has no coordinates by which to find places in the climatology',
    allowed: 'columns latitude and longitude, or both in the metadata; or a single place in data and climatology',
  });
}

import type { Places, Point } from '../../ensemble/nearest-place.js';
import type { Location } from '../../respond/answer-data.js';
import { ProblemError } from '../problem-error.js';
import type { Dataset } from '../source/dataset.js';
import type { Snapshot } from '../source/source.js';

/** A place of a dataset. */
export interface Place {
  readonly cell: number;
  readonly location: Location;
}

/** The place nearest to a point. Throws ProblemError where it lies farther away than a grid step. */
export function coveredPlace(dataset: Dataset, point: Point): Place {
  const place = placeAt(dataset, point);
  if (place !== undefined) return place;
  const detail = `The data have no place within a grid step of ${point.latitude}, ${point.longitude}.`;
  throw new ProblemError(404, 'location-not-covered', detail, { isOfPoint: true });
}

/** The place nearest to a point; undefined where it lies farther away than a grid step. */
export function placeAt({ places }: Dataset, point: Point): Place | undefined {
  const cell = places.covering(point);
  if (cell === undefined) return undefined;
  return { cell, location: cellLocation(places, cell) };
}

/** Longitudes are rounded to such parts of a degree. */
const PARTS = 1e6;

/**
 * The location of a cell, with a longitude from -180 to 180 as in requests, also where the data count from 0 to 360.
 */
export function cellLocation({ latitude, longitude }: Places, cell: number): Location {
  const east = longitude[cell];
  // Adding 0 turns -0 into 0.
  return {
    latitude: latitude[cell],
    longitude: east > 180 ? Math.round((east - 360) * PARTS) / PARTS + 0 : east,
  };
}

/** The elevation of a place in metres, looked up on demand; NaN where unknown. */
export function elevationAt(data: Snapshot, dataset: Dataset, cell: number): () => number {
  const { latitude, longitude } = dataset.places;
  return () => data.elevation?.(latitude[cell], longitude[cell]) ?? Number.NaN;
}

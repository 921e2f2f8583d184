import type { Point } from '../../arrow/nearest-place.js';
import type { Location } from '../../respond/answers.js';
import type { Dataset } from '../../store/dataset.js';
import { ProblemError } from '../problem-error.js';

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
  throw new ProblemError(404, 'location-not-covered', detail);
}

/** The place nearest to a point; undefined where it lies farther away than a grid step. */
export function placeAt({ places }: Dataset, point: Point): Place | undefined {
  const cell = places.covering(point);
  if (cell === undefined) return undefined;
  return { cell, location: { latitude: places.latitude[cell], longitude: places.longitude[cell] } };
}

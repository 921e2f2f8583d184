import { assertObject } from '../check/option-checks.js';
import { OptionError } from '../errors.js';
import { checkDegrees } from './nearest-cell.js';

/**
 * A box of latitudes and longitudes, in degrees, its edges included. Longitudes are from -180 to 180 or from 0 to 360;
 * a box whose west is greater than its east crosses the date line, or the meridian where the grid begins.
 */
export interface BoundingBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** Edges include places that are this close to them, in degrees: coordinates are computed, or stored as float32. */
const TOLERANCE = 1e-6;

/** Throws OptionError about `subject` unless `box` is a box on the globe. */
export function checkBoundingBox(box: BoundingBox, subject = 'bbox'): void {
  assertObject(subject, box, '{ south: 35, west: -10, north: 60, east: 30 }');
  const { south, west, north, east } = box;
  checkDegrees(subject, 'south', south, -90, 90);
  checkDegrees(subject, 'west', west, -180, 360);
  checkDegrees(subject, 'north', north, -90, 90);
  checkDegrees(subject, 'east', east, -180, 360);
  if (south <= north) return;
  throw new OptionError({
    ...{ subject, problem: 'its south is greater than its north', received: `south ${south}, north ${north}` },
    allowed: 'south, west, north, east, in this order',
  });
}

/** Whether a latitude is within a box. */
export function hasLatitude({ south, north }: BoundingBox, latitude: number): boolean {
  return latitude >= south - TOLERANCE && latitude <= north + TOLERANCE;
}

/** The degrees from the western edge of a box to a longitude, eastwards; undefined where it is not within the box. */
export function degreesFromWest({ west, east }: BoundingBox, longitude: number): number | undefined {
  const width = east - west >= 360 ? 360 : eastwards(east - west);
  const distance = eastwards(longitude - west);
  if (distance <= width + TOLERANCE) return distance;
  return distance >= 360 - TOLERANCE ? 0 : undefined;
}

/** Whether a place is within a box. */
export function isWithinBox(box: BoundingBox, latitude: number, longitude: number): boolean {
  return hasLatitude(box, latitude) && degreesFromWest(box, longitude) !== undefined;
}

/** Whether a box contains all longitudes. */
export function isAround({ west, east }: BoundingBox): boolean {
  return east - west >= 360 - TOLERANCE;
}

/** A difference of longitudes as degrees from 0 to 360. */
function eastwards(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/** A box for people: `latitude 35 to 60, longitude -10 to 30`. */
export function boxText({ south, west, north, east }: BoundingBox): string {
  return `latitude ${south} to ${north}, longitude ${west} to ${east}`;
}

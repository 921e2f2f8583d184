import { DataError, unusable } from '../errors.js';
import type { PlaceLabels } from './place-labels.js';

/** A place on the globe, in degrees; longitudes count from -180 or from 0. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Places by their coordinates in degrees; NaN where they are not known. */
export interface Places {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Ids, names and the like, where there are some. */
  readonly labels?: PlaceLabels | undefined;
}

/** The places from `from` up to, not including, `to`. */
export function somePlaces({ latitude, longitude, labels }: Places, from: number, to: number): Places {
  return {
    latitude: latitude.subarray(from, to),
    longitude: longitude.subarray(from, to),
    labels: labels && { ...labels, of: labels.of.subarray(from, to) },
  };
}

/** A place by its index, and its great-circle distance from a point in degrees. */
export interface Nearest {
  readonly place: number;
  readonly distance: number;
}

/** The steps between places, in degrees of latitude and longitude; undefined for a place without neighbours. */
export type GridStep = Point | undefined;

/** How far a point may be from a place without neighbours, and so without a grid step, in degrees. */
export const LONE_REACH = 1;

/** Coordinates are rounded to this many parts of a degree before they are compared. */
export const PARTS = 1e6;

const DEGREE = Math.PI / 180;

/**
 * The place nearest to a point, by great-circle distance, longitudes wrapped: the first of several at the same
 * position. It looks at all places: for one point that is less work than an index. Undefined if no place has
 * coordinates.
 */
export function findNearest(places: Places, point: Point): Nearest | undefined {
  const { latitude, longitude } = places;
  const at = onSphere(point);
  let [place, distance] = [-1, Number.POSITIVE_INFINITY];
  for (let i = 0; i < latitude.length; i++) {
    // The difference in latitude alone may be too much.
    if (Math.abs(latitude[i] - point.latitude) > distance) continue;
    const away = distanceFrom(at, latitude[i], longitude[i]);
    if (away < distance && !(place >= 0 && areSame(places, place, i))) [place, distance] = [i, away];
  }
  return place < 0 ? undefined : { place, distance };
}

function areSame({ latitude, longitude }: Places, a: number, b: number): boolean {
  return northParts(latitude[a]) === northParts(latitude[b]) && eastParts(longitude[a]) === eastParts(longitude[b]);
}

/** The steps from a place to those nearest to it on its latitude and its longitude. */
export function findGridStep({ latitude, longitude }: Places, place: number): GridStep {
  const [north, east] = [northParts(latitude[place]), eastParts(longitude[place])];
  const step = { latitude: Number.POSITIVE_INFINITY, longitude: Number.POSITIVE_INFINITY };
  for (let i = 0; i < latitude.length; i++) {
    const [isLevel, isBelow] = [northParts(latitude[i]) === north, eastParts(longitude[i]) === east];
    if (isLevel === isBelow) continue;
    const [away, along] = [latitude[i] - latitude[place], wrapLongitude(longitude[i] - longitude[place])].map(Math.abs);
    // Unknown coordinates are no step.
    if (isBelow && away < step.latitude) step.latitude = away;
    if (isLevel && along < step.longitude) step.longitude = along;
  }
  return gridStep(step.latitude, step.longitude);
}

/** Whether a shape is that of a grid with rows and columns of its own, whose neighbours are those of the array. */
export function isCurvilinear(shape: readonly number[] | undefined): shape is readonly [number, number] {
  return shape?.length === 2 && shape[0] > 1 && shape[1] > 1;
}

/**
 * The steps from a cell of a curvilinear grid to the cells around it, the longest in latitude and in longitude: cells on
 * the same latitude may be far away, as on both sides of the middle of a projection.
 */
export function curvilinearStep(places: Places, [rows, columns]: readonly [number, number], place: number): GridStep {
  const { latitude, longitude } = places;
  const [row, column] = [Math.floor(place / columns), place % columns];
  const step = { latitude: 0, longitude: 0 };
  for (let y = Math.max(0, row - 1); y <= Math.min(rows - 1, row + 1); y++) {
    for (let x = Math.max(0, column - 1); x <= Math.min(columns - 1, column + 1); x++) {
      const other = y * columns + x;
      const [up, along] = [latitude[other] - latitude[place], wrapLongitude(longitude[other] - longitude[place])];
      // Unknown coordinates are no step.
      if (Math.abs(up) > step.latitude) step.latitude = Math.abs(up);
      if (Math.abs(along) > step.longitude) step.longitude = Math.abs(along);
    }
  }
  return step.latitude + step.longitude > 0 ? step : undefined;
}

/** The steps in latitude and longitude; an infinite one is that of the other, and both stand for no neighbours. */
export function gridStep(latitude: number, longitude: number): GridStep {
  const least = Math.min(latitude, longitude);
  const known = (step: number) => (Number.isFinite(step) ? step : least);
  return Number.isFinite(least) ? { latitude: known(latitude), longitude: known(longitude) } : undefined;
}

/** Whether a point lies within a grid step of the place nearest to it. */
export function covers(places: Places, { place, distance }: Nearest, point: Point, step: GridStep): boolean {
  if (distance <= 1 / PARTS) return true;
  const [latitude, longitude] = [places.latitude[place], places.longitude[place]];
  const reach = step ?? { latitude: LONE_REACH, longitude: LONE_REACH };
  // Close to a pole, all longitudes are near each other.
  if (Math.abs(point.latitude) >= 90 - reach.latitude && distance <= reach.latitude + 1e-9) return true;
  const away = {
    latitude: Math.abs(latitude - point.latitude),
    // Near a pole a degree of longitude is short: there the distance counts.
    longitude: Math.min(
      Math.abs(wrapLongitude(longitude - point.longitude)),
      distance / Math.max(Math.cos(latitude * DEGREE), 1e-9),
    ),
  };
  return away.latitude <= reach.latitude + 1e-9 && away.longitude <= reach.longitude + 1e-9;
}

/** The error for a point that the nearest place does not cover. */
export function notCovered(places: Places, place: number, point: Point, step: GridStep, source?: string): DataError {
  const within =
    step === undefined
      ? `${LONE_REACH} degree of latitude and longitude`
      : `one grid step (${shown(step.latitude)} by ${shown(step.longitude)} degrees)`;
  return new DataError({
    source,
    subject: 'point',
    problem: 'is not covered',
    received: `${point.latitude}, ${point.longitude}`,
    allowed: `within ${within} of the data; the nearest is ${places.latitude[place]}, ${places.longitude[place]}`,
  });
}

/** A place as a point with a longitude from -180 to 180 as in requests, also where places count from 0 to 360. */
export function pointOf({ latitude, longitude }: Pick<Places, 'latitude' | 'longitude'>, place: number): Point {
  const east = longitude[place];
  // Adding 0 turns -0 into 0.
  return { latitude: latitude[place], longitude: east > 180 ? Math.round((east - 360) * PARTS) / PARTS + 0 : east };
}

/** Degrees of longitude between -180 and 180. */
export function wrapLongitude(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/** A latitude as a whole number, by which places are compared. */
export function northParts(latitude: number): number {
  return Math.round(latitude * PARTS);
}

/** The same of a longitude, from 0 on. */
export function eastParts(longitude: number): number {
  const around = 360 * PARTS;
  return ((Math.round(longitude * PARTS) % around) + around) % around;
}

function shown(degrees: number): string {
  return String(Number(degrees.toPrecision(6)));
}

/** A point on a sphere of radius 1. Throws OptionError for what is not a point. */
export function onSphere(point: Point): readonly number[] {
  const { latitude, longitude }: Partial<Point> = point ?? {};
  if (typeof latitude !== 'number' || typeof longitude !== 'number')
    throw unusable('point', point, '{ latitude, longitude } in degrees');
  const [up, along] = [latitude * DEGREE, longitude * DEGREE];
  return [Math.cos(up) * Math.cos(along), Math.cos(up) * Math.sin(along), Math.sin(up)];
}

/** The great-circle distance of a place from a point on a sphere of radius 1, in degrees. */
export function distanceFrom(at: readonly number[], latitude: number, longitude: number): number {
  const [up, along] = [latitude * DEGREE, longitude * DEGREE];
  const level = Math.cos(up);
  const [x, y, z] = [level * Math.cos(along), level * Math.sin(along), Math.sin(up)];
  const square = (at[0] - x) ** 2 + (at[1] - y) ** 2 + (at[2] - z) ** 2;
  return (2 * Math.asin(Math.min(1, Math.sqrt(square) / 2))) / DEGREE;
}

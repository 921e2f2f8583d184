import { DataError } from '../errors.js';

/** A place on the globe, in degrees; longitudes count from -180 or from 0. */
export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** Places by their coordinates in degrees; NaN where they are not known. */
export interface Places {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
}

/** How far a point may be from a place that has no neighbours to tell a grid step by, in degrees. */
const LONE_REACH = 1;

/** Coordinates that differ by less are the same. */
const SAME = 1e-6;

const DEGREE = Math.PI / 180;

/** Finds the nearest of places, by great-circle distance, longitudes wrapped. */
export class PlaceIndex {
  readonly #places: Places;
  /** The places on a sphere of radius 1: three numbers for each. */
  readonly #points: Float64Array;

  constructor(places: Places) {
    const { latitude, longitude } = places;
    this.#places = places;
    this.#points = new Float64Array(3 * latitude.length);
    for (let i = 0; i < latitude.length; i++) {
      this.#points.set(onSphere({ latitude: latitude[i], longitude: longitude[i] }), 3 * i);
    }
  }

  /**
   * The index of the place nearest to a point, the first of several; undefined where no place has coordinates. Throws a DataError
   * where the point lies farther from it than one grid step in latitude or longitude (one degree where the places are no grid).
   */
  nearest(point: Point, source?: string): number | undefined {
    const [x, y, z] = onSphere(point);
    const points = this.#points;
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < points.length; at += 3) {
      const square = (points[at] - x) ** 2 + (points[at + 1] - y) ** 2 + (points[at + 2] - z) ** 2;
      if (square < least) [nearest, least] = [at / 3, square];
    }
    const distance = 2 * Math.asin(Math.min(1, Math.sqrt(least) / 2));
    if (nearest !== undefined) refuseFar(this.#places, nearest, distance, point, source);
    return nearest;
  }
}

/** Degrees of longitude between -180 and 180. */
export function wrapLongitude(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

/** Throws where a point, `distance` in radians from a place, is farther from it than a grid step. */
function refuseFar(places: Places, place: number, distance: number, point: Point, source?: string): void {
  if (distance < SAME * DEGREE) return;
  const found = { latitude: places.latitude[place], longitude: places.longitude[place] };
  const reach = gridStep(places, found);
  const away = {
    latitude: Math.abs(found.latitude - point.latitude),
    // Near a pole a degree of longitude is short: what counts is how far apart the places are.
    longitude: Math.min(
      Math.abs(wrapLongitude(found.longitude - point.longitude)),
      distance / DEGREE / Math.max(Math.cos(found.latitude * DEGREE), 1e-9),
    ),
  };
  if (away.latitude > reach.latitude + 1e-9 || away.longitude > reach.longitude + 1e-9) {
    throw new DataError({
      source,
      problem: 'location is not covered',
      received: `${point.latitude}, ${point.longitude}`,
      allowed: `a point within one grid step (${shown(reach.latitude)} by ${shown(reach.longitude)} degrees) of the data; the nearest is ${found.latitude}, ${found.longitude}`,
    });
  }
}

function shown(degrees: number): string {
  return String(Number(degrees.toPrecision(6)));
}

/** The steps from a place to its neighbours north or south and east or west; where it has none, it is no grid. */
function gridStep(places: Places, { latitude, longitude }: Point): Point {
  let [north, east] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < places.latitude.length; i++) {
    const up = Math.abs(places.latitude[i] - latitude);
    if (up >= north) continue;
    const along = Math.abs(wrapLongitude(places.longitude[i] - longitude));
    if (along < SAME && up > SAME) north = up;
    if (up < SAME && along > SAME && along < east) east = along;
  }
  const either = Math.min(north, east);
  const fallback = either === Number.POSITIVE_INFINITY ? LONE_REACH : either;
  return {
    latitude: north === Number.POSITIVE_INFINITY ? fallback : north,
    longitude: east === Number.POSITIVE_INFINITY ? fallback : east,
  };
}

function onSphere({ latitude, longitude }: Point): [number, number, number] {
  const [up, along] = [latitude * DEGREE, longitude * DEGREE];
  return [Math.cos(up) * Math.cos(along), Math.cos(up) * Math.sin(along), Math.sin(up)];
}

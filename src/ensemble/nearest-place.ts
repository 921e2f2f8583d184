import { DataError, unusable } from '../errors.js';
import { firstFrom, neighbours, type PlaceLine, placesBeside, placesInLines } from './place-lines.js';

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

interface Nearest {
  readonly place: number;
  readonly distance: number;
}

/** How far a point may be from a place without neighbours, and so without a grid step, in degrees. */
const LONE_REACH = 1;

/** Coordinates are rounded to this many parts of a degree before they are compared. */
const PARTS = 1e6;

const DEGREE = Math.PI / 180;

/** Finds the nearest place, by great-circle distance, longitudes wrapped. Places within a millionth of a degree are the same. */
export class PlaceIndex implements Places {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** The places on a sphere of radius 1: three numbers for each. */
  readonly #points: Float64Array;
  /** Coordinates as whole numbers of parts, longitudes from 0 on. */
  readonly #north: Float64Array;
  readonly #east: Float64Array;
  /** The places of each latitude from west to east, southern latitudes first. */
  readonly #rows: readonly PlaceLine[];
  /** The places of each longitude from south to north; made when a grid step is first needed. */
  #columns?: ReadonlyMap<number, PlaceLine>;

  constructor(places: Places) {
    const { latitude, longitude }: Partial<Places> = places ?? {};
    if (
      !(latitude instanceof Float64Array && longitude instanceof Float64Array && latitude.length === longitude.length)
    ) {
      throw unusable('places', places, 'Float64Arrays `latitude` and `longitude` of the same length');
    }
    this.latitude = latitude;
    this.longitude = longitude;
    this.#points = new Float64Array(3 * latitude.length);
    for (let i = 0; i < latitude.length; i++) {
      this.#points.set(onSphere({ latitude: latitude[i], longitude: longitude[i] }), 3 * i);
    }
    this.#north = latitude.map(northParts);
    this.#east = longitude.map(eastParts);
    const rows = [...placesInLines(this.#north, this.#east).values()];
    this.#rows = rows.sort(([a], [b]) => this.#north[a] - this.#north[b]);
  }

  /**
   * The index of the place nearest to a point, the first of several; undefined if no place has coordinates. Throws a DataError
   * if the point is more than one grid step away in latitude or longitude (one degree if the place has no neighbours).
   */
  nearest(point: Point, source?: string): number | undefined {
    const found = this.#nearest(point);
    if (found !== undefined && !this.#covers(found, point)) throw this.#notCovered(found.place, point, source);
    return found?.place;
  }

  /** Like `nearest`, but undefined if the point is too far away. */
  covering(point: Point): number | undefined {
    const found = this.#nearest(point);
    return found !== undefined && this.#covers(found, point) ? found.place : undefined;
  }

  /** The nearest place and its great-circle distance in degrees. */
  #nearest(point: Point): Nearest | undefined {
    const at = onSphere(point);
    const east = eastParts(point.longitude);
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    // Rows from the point's latitude outwards, until the difference in latitude alone is more than the best distance.
    const rows = this.#rows;
    const gap = (row: number) =>
      rows[row] === undefined ? Number.POSITIVE_INFINITY : Math.abs(this.#north[rows[row][0]] / PARTS - point.latitude);
    let above = this.#firstRow(northParts(point.latitude));
    let below = above - 1;
    while (below >= 0 || above < rows.length) {
      const row = below < 0 || gap(above) < gap(below) ? above++ : below--;
      if (gap(row) > least + 1 / PARTS) break;
      for (const place of placesBeside(rows[row], this.#east, east)) {
        const away = this.#distance(place, at);
        if (away < least || (away === least && place < (nearest as number))) [nearest, least] = [place, away];
      }
    }
    return nearest === undefined ? undefined : { place: nearest, distance: least };
  }

  /** The first row that is not south of a latitude. */
  #firstRow(north: number): number {
    return firstFrom(this.#rows.length, (row) => this.#north[this.#rows[row][0]], north);
  }

  /** The great-circle distance of a place from a point on the sphere, in degrees. */
  #distance(place: number, [x, y, z]: readonly number[]): number {
    const points = this.#points;
    const at = 3 * place;
    const square = (points[at] - x) ** 2 + (points[at + 1] - y) ** 2 + (points[at + 2] - z) ** 2;
    return (2 * Math.asin(Math.min(1, Math.sqrt(square) / 2))) / DEGREE;
  }

  /** Whether a point lies within a grid step of the place nearest to it. */
  #covers({ place, distance }: Nearest, point: Point): boolean {
    if (distance <= 1 / PARTS) return true;
    const [latitude, longitude] = [this.latitude[place], this.longitude[place]];
    const reach = this.#gridStep(place) ?? { latitude: LONE_REACH, longitude: LONE_REACH };
    // Close to a pole, all longitudes are near each other.
    if (Math.abs(point.latitude) >= 90 - reach.latitude && distance <= reach.latitude) return true;
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

  #notCovered(place: number, point: Point, source?: string): DataError {
    const step = this.#gridStep(place);
    const within =
      step === undefined
        ? `${LONE_REACH} degree of latitude and longitude`
        : `one grid step (${shown(step.latitude)} by ${shown(step.longitude)} degrees)`;
    return new DataError({
      source,
      problem: 'location is not covered',
      received: `${point.latitude}, ${point.longitude}`,
      allowed: `a point within ${within} of the data; the nearest is ${this.latitude[place]}, ${this.longitude[place]}`,
    });
  }

  /** The steps from a place to its neighbours in latitude and longitude; if it has only one kind, its step for both. */
  #gridStep(place: number): Point | undefined {
    const { latitude, longitude } = this;
    this.#columns ??= placesInLines(this.#east, this.#north);
    const row = this.#rows[this.#firstRow(this.#north[place])];
    const column = this.#columns.get(this.#east[place]) as PlaceLine;
    const north = neighbours(column, this.#north, place).map((other) => Math.abs(latitude[other] - latitude[place]));
    const east = neighbours(row, this.#east, place).map((other) =>
      Math.abs(wrapLongitude(longitude[other] - longitude[place])),
    );
    if (north.length + east.length === 0) return undefined;
    return {
      latitude: Math.min(...(north.length > 0 ? north : east)),
      longitude: Math.min(...(east.length > 0 ? east : north)),
    };
  }
}

/** Degrees of longitude between -180 and 180. */
export function wrapLongitude(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180;
}

function northParts(latitude: number): number {
  return Math.round(latitude * PARTS);
}

function eastParts(longitude: number): number {
  const around = 360 * PARTS;
  return ((Math.round(longitude * PARTS) % around) + around) % around;
}

function shown(degrees: number): string {
  return String(Number(degrees.toPrecision(6)));
}

function onSphere(point: Point): [number, number, number] {
  const { latitude, longitude }: Partial<Point> = point ?? {};
  if (typeof latitude !== 'number' || typeof longitude !== 'number') {
    throw unusable('point', point, 'numbers `latitude` and `longitude`');
  }
  const [up, along] = [latitude * DEGREE, longitude * DEGREE];
  return [Math.cos(up) * Math.cos(along), Math.cos(up) * Math.sin(along), Math.sin(up)];
}

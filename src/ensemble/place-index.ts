import type { DataError } from '../errors.js';
import { unusable } from '../errors.js';
import {
  covers,
  curvilinearStep,
  distanceFrom,
  eastParts,
  type GridStep,
  gridStep,
  isCurvilinear,
  LONE_REACH,
  type Nearest,
  northParts,
  notCovered,
  onSphere,
  PARTS,
  type Places,
  type Point,
  wrapLongitude,
} from './nearest-place.js';
import {
  type Coordinate,
  firstFrom,
  leastGap,
  neighbours,
  type PlaceLine,
  placesBeside,
  placesInLines,
} from './place-lines.js';

/**
 * Finds the nearest place for many points, by great-circle distance, longitudes wrapped. Places within a millionth of a
 * degree are the same.
 */
export class PlaceIndex implements Places {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly #north: Coordinate;
  readonly #east: Coordinate;
  /** The places of each latitude from west to east, southern latitudes first; and these latitudes. */
  readonly #rows: readonly PlaceLine[];
  readonly #norths: readonly number[];
  /** The places of each longitude from south to north; made when a grid step is first needed. */
  #columns?: ReadonlyMap<number, PlaceLine>;
  /** No grid step of a place is smaller, in degrees of latitude or longitude; found when first needed. */
  #leastStep?: number;

  /** The rows and columns of a curvilinear grid. */
  readonly #shape?: readonly [number, number];

  /** `shape` has the lengths of the dimensions of a grid whose cells have both coordinates each. */
  constructor(places: Places, shape?: readonly number[]) {
    const { latitude, longitude }: Partial<Places> = places ?? {};
    if (
      !(latitude instanceof Float64Array && longitude instanceof Float64Array && latitude.length === longitude.length)
    ) {
      throw unusable('places', places, 'Float64Arrays `latitude` and `longitude` of the same length');
    }
    if (isCurvilinear(shape)) this.#shape = shape;
    this.latitude = latitude;
    this.longitude = longitude;
    this.#north = { degrees: latitude, position: northParts };
    this.#east = { degrees: longitude, position: eastParts };
    this.#rows = placesInLines(this.#north, this.#east);
    this.#norths = this.#rows.map(({ at }) => at);
  }

  /**
   * The index of the place nearest to a point, the first of several; undefined if no place has coordinates. Throws a
   * DataError if the point is more than one grid step away in latitude or longitude (one degree if the place has no
   * neighbours).
   */
  nearest(point: Point, source?: string): number | undefined {
    const found = this.#nearest(point);
    if (found === undefined || this.#covers(found, point)) return found?.place;
    throw this.#notCovered(found.place, point, source);
  }

  /** Like `nearest`, but undefined if the point is too far away. */
  covering(point: Point): number | undefined {
    const found = this.#nearest(point);
    return found !== undefined && this.#covers(found, point) ? found.place : undefined;
  }

  #nearest(point: Point): Nearest | undefined {
    const at = onSphere(point);
    const east = eastParts(point.longitude);
    let nearest: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    // Rows from the point's latitude outwards, until the difference in latitude alone is more than the best distance.
    const norths = this.#norths;
    const gap = (row: number) => Math.abs((norths[row] ?? Number.POSITIVE_INFINITY) / PARTS - point.latitude);
    let above = firstFrom(norths, northParts(point.latitude));
    let below = above - 1;
    while (below >= 0 || above < norths.length) {
      const row = below < 0 || gap(above) < gap(below) ? above++ : below--;
      if (gap(row) > least + 1 / PARTS) break;
      for (const place of placesBeside(this.#rows[row], east)) {
        const away = distanceFrom(at, this.latitude[place], this.longitude[place]);
        if (away < least || (away === least && place < (nearest as number))) [nearest, least] = [place, away];
      }
    }
    return nearest === undefined ? undefined : { place: nearest, distance: least };
  }

  #covers(nearest: Nearest, point: Point): boolean {
    const { place } = nearest;
    if (this.#shape !== undefined) return covers(this, nearest, point, this.#gridStep(place));
    this.#leastStep ??= Math.min(LONE_REACH, leastGap(this.#rows, 360 * PARTS), leastGap(this.#columnLines().values()));
    const along = Math.abs(wrapLongitude(this.longitude[place] - point.longitude));
    const isClose = along <= this.#leastStep && Math.abs(this.latitude[place] - point.latitude) <= this.#leastStep;
    // Most points are so close that the step at the place need not be known.
    return isClose || covers(this, nearest, point, this.#gridStep(nearest.place));
  }

  #notCovered(place: number, point: Point, source?: string): DataError {
    return notCovered(this, place, point, this.#gridStep(place), source);
  }

  #columnLines(): ReadonlyMap<number, PlaceLine> {
    this.#columns ??= new Map(placesInLines(this.#east, this.#north).map((line) => [line.at, line]));
    return this.#columns;
  }

  /** The steps from a place to its neighbours on its latitude and its longitude. */
  #gridStep(place: number): GridStep {
    if (this.#shape !== undefined) return curvilinearStep(this, this.#shape, place);
    const { latitude, longitude } = this;
    const [north, east] = [northParts(latitude[place]), eastParts(longitude[place])];
    const column = this.#columnLines().get(east) as PlaceLine;
    const row = this.#rows[firstFrom(this.#norths, north)];
    return gridStep(
      Math.min(...neighbours(column, north, place).map((other) => Math.abs(latitude[other] - latitude[place]))),
      Math.min(
        ...neighbours(row, east, place).map((other) => Math.abs(wrapLongitude(longitude[other] - longitude[place]))),
      ),
    );
  }
}

import { type DataError, unusable } from '../errors.js';
import { firstFrom } from './first-from.js';
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
import { assertLabels } from './place-labels.js';

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
    const { latitude, longitude, labels }: Partial<Places> = places ?? {};
    if (
      !(latitude instanceof Float64Array && longitude instanceof Float64Array && latitude.length === longitude.length)
    ) {
      throw unusable('places', places, 'Float64Arrays `latitude` and `longitude` of the same length');
    }
    assertLabels(labels);
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
      for (const place of closestPlaces(this.#rows[row], east)) {
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

/** Gaps of rounded positions that differ by so little may be the same. */
const SAME = 2;

/** Places in ascending order of a coordinate. */
interface PlaceOrder {
  /** The places by index, counted from the first of their line. */
  readonly places: readonly number[];
  /** The position of each. */
  readonly along: readonly number[];
}

/** Places that share a coordinate, in the order of the other one: a row of one latitude, or a column. */
interface PlaceLine extends PlaceOrder {
  /** The position that they share. */
  readonly at: number;
  /** The index from which places are counted: the lines of a grid have the same order. */
  readonly first: number;
}

/** A coordinate of all places in degrees, and its positions: whole numbers, by which places are compared. */
interface Coordinate {
  readonly degrees: Float64Array;
  readonly position: (degrees: number) => number;
}

/**
 * Groups places into lines with the same position of `across`, in ascending order. Of places with the same positions
 * only the first is kept; places with unknown coordinates are left out.
 */
function placesInLines(across: Coordinate, along: Coordinate): readonly PlaceLine[] {
  return gridLines(across, along) ?? scatteredLines(across, along);
}

/** The lines of a grid, of which only the axes are sorted; undefined where places are not one. */
function gridLines(across: Coordinate, along: Coordinate): PlaceLine[] | undefined {
  const places = across.degrees.length;
  let length = runLength(across, along);
  let [step, lines] = [1, places / length];
  if (length === 0) {
    lines = runLength(along, across);
    if (lines === 0) return undefined;
    [length, step] = [places / lines, lines];
  }
  const [one, all] = [axis(along, length, step), axis(across, lines, step === 1 ? length : 1)];
  if (one === undefined || all === undefined) return undefined;
  return all.places.map((first, i) => ({ ...one, at: all.along[i], first }));
}

/** The length of the runs of equal values of `outer`, where `inner` repeats from run to run; 0 where they do not. */
function runLength({ degrees: outer }: Coordinate, { degrees: inner }: Coordinate): number {
  let length = 1;
  while (length < outer.length && outer[length] === outer[0]) length++;
  if (outer.length % length > 0) return 0;
  for (let i = length, start = length; i < outer.length; i++) {
    if (i === start + length) start = i;
    if (outer[i] !== outer[start] || inner[i] !== inner[i - length]) return 0;
  }
  return length;
}

/** Every `step`-th place from the first on, in order; undefined where one is unknown, or two have the same position. */
function axis({ degrees, position }: Coordinate, length: number, step: number): PlaceOrder | undefined {
  const at = (place: number) => position(degrees[place]);
  const places = Array.from({ length }, (_, i) => i * step).sort((a, b) => at(a) - at(b));
  const along = places.map(at);
  return along.every((each, i) => each > (along[i - 1] ?? Number.NEGATIVE_INFINITY)) ? { places, along } : undefined;
}

function scatteredLines(across: Coordinate, along: Coordinate): PlaceLine[] {
  const [ats, alongs] = [across, along].map(({ degrees, position }) => degrees.map(position));
  const lines = new Map<number, number[]>();
  for (const [place, at] of ats.entries()) {
    if (Number.isNaN(at) || Number.isNaN(alongs[place])) continue;
    const line = lines.get(at);
    if (line === undefined) lines.set(at, [place]);
    else line.push(place);
  }
  const ordered = [...lines].sort(([a], [b]) => a - b);
  return ordered.map(([at, line]) => {
    line.sort((a, b) => alongs[a] - alongs[b]);
    const places = line.filter((place, i) => i === 0 || alongs[place] !== alongs[line[i - 1]]);
    return { at, first: 0, places, along: places.map((place) => alongs[place]) };
  });
}

/**
 * The last place of a line before a position, and the first at or after it; beyond an end, the line continues at the
 * other.
 */
function placesBeside({ first, places, along }: PlaceLine, position: number): readonly number[] {
  const next = firstFrom(along, position);
  const { length } = places;
  const one = first + places[next % length];
  return length === 1 ? [one] : [first + places[(next || length) - 1], one];
}

/** The places of a row that may be nearest to a longitude: one, or two that are as far from it, but for rounding. */
function closestPlaces({ first, places, along }: PlaceLine, east: number): readonly number[] {
  const { length } = places;
  const next = firstFrom(along, east);
  const [before, behind] = [(next || length) - 1, next % length];
  const nearer = gapBetween(along[before], east) - gapBetween(along[behind], east);
  if (nearer < -SAME || length === 1) return [first + places[before]];
  return nearer > SAME ? [first + places[behind]] : [first + places[before], first + places[behind]];
}

/** How far two longitudes are apart, as positions. */
function gapBetween(one: number, other: number): number {
  const gap = Math.abs(one - other);
  return Math.min(gap, 360 * PARTS - gap);
}

/** The places of a line next to one of its places; beyond an end, the line continues at the other. */
function neighbours(line: PlaceLine, position: number, place: number): readonly number[] {
  const before = placesBeside(line, position)[0];
  // Positions are whole numbers.
  const behind = placesBeside(line, position + 1).at(-1) as number;
  return [before, behind].filter((other) => other !== place);
}

/**
 * A distance in degrees that no two neighbours on a line fall below; `around` is the length of lines that are closed.
 * Infinite where no line has two places.
 */
function leastGap(lines: Iterable<PlaceLine>, around = Number.POSITIVE_INFINITY): number {
  let least = Number.POSITIVE_INFINITY;
  let known: readonly number[] | undefined;
  for (const { along } of lines) {
    // The lines of a grid have the same positions.
    if (along === known || along.length < 2) continue;
    known = along;
    for (let i = 1; i < along.length; i++) least = Math.min(least, along[i] - along[i - 1]);
    least = Math.min(least, around - (along[along.length - 1] - along[0]));
  }
  // Positions are rounded.
  return (least - 1) / PARTS;
}

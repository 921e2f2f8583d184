import { PARTS } from './nearest-place.js';

/** Places in ascending order of a coordinate. */
interface PlaceOrder {
  /** The places by index. */
  readonly places: readonly number[];
  /** The position of each. */
  readonly along: readonly number[];
}

/** Places that share a coordinate, in the order of the other one: a row of one latitude, or a column. */
export interface PlaceLine extends PlaceOrder {
  /** The position that they share. */
  readonly at: number;
}

/** A coordinate of all places in degrees, and its positions: whole numbers, by which places are compared. */
export interface Coordinate {
  readonly degrees: Float64Array;
  readonly position: (degrees: number) => number;
}

/**
 * Groups places into lines with the same position of `across`, in ascending order. Of places with the same positions
 * only the first is kept; places with unknown coordinates are left out.
 */
export function placesInLines(across: Coordinate, along: Coordinate): readonly PlaceLine[] {
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
  return all.places.map((first, i) => ({
    at: all.along[i],
    places: one.places.map((place) => first + place),
    along: one.along,
  }));
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
    return { at, places, along: places.map((place) => alongs[place]) };
  });
}

/**
 * The last place of a line before a position, and the first at or after it; beyond an end, the line continues at the
 * other.
 */
export function placesBeside({ places, along }: PlaceLine, position: number): readonly number[] {
  const next = firstFrom(along, position);
  const { length } = places;
  return length === 1 ? places : [places[(next || length) - 1], places[next % length]];
}

/** The places of a line next to one of its places; beyond an end, the line continues at the other. */
export function neighbours(line: PlaceLine, position: number, place: number): readonly number[] {
  const before = placesBeside(line, position)[0];
  // Positions are whole numbers.
  const behind = placesBeside(line, position + 1).at(-1) as number;
  return [before, behind].filter((other) => other !== place);
}

/**
 * A distance in degrees that no two neighbours on a line fall below; `around` is the length of lines that are closed.
 * Infinite where no line has two places.
 */
export function leastGap(lines: Iterable<PlaceLine>, around = Number.POSITIVE_INFINITY): number {
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

/** The index of the first of ascending values that is at least `least`; their number if there is none. */
export function firstFrom(values: ArrayLike<number>, least: number): number {
  let [from, to] = [0, values.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (values[middle] < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

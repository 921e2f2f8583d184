/** Places that share a coordinate, by index, in ascending order of the other coordinate: a row of one latitude, or a column. */
export type PlaceLine = readonly number[];

/**
 * Groups places into lines with the same value of `across`, sorted by `along`. Of places with the same coordinates only the
 * first is kept; places with unknown coordinates are left out.
 */
export function placesInLines(across: Float64Array, along: Float64Array): Map<number, PlaceLine> {
  const lines = new Map<number, number[]>();
  for (let place = 0; place < across.length; place++) {
    if (!Number.isFinite(across[place]) || !Number.isFinite(along[place])) continue;
    const line = lines.get(across[place]);
    if (line === undefined) lines.set(across[place], [place]);
    else line.push(place);
  }
  for (const [value, line] of lines) {
    line.sort((a, b) => along[a] - along[b]);
    lines.set(
      value,
      line.filter((place, i) => i === 0 || along[place] !== along[line[i - 1]]),
    );
  }
  return lines;
}

/** The last place of a line before a position, and the first at or after it; beyond an end, the line continues at the other. */
export function placesBeside(line: PlaceLine, along: Float64Array, position: number): PlaceLine {
  if (line.length === 1) return line;
  const next = firstFrom(line.length, (i) => along[line[i]], position);
  return [line[(next || line.length) - 1], line[next % line.length]];
}

/** The places of a line next to one of its places; beyond an end, the line continues at the other. */
export function neighbours(line: PlaceLine, along: Float64Array, place: number): PlaceLine {
  const before = placesBeside(line, along, along[place])[0];
  // Positions are whole numbers.
  const behind = placesBeside(line, along, along[place] + 1).at(-1) as number;
  return [before, behind].filter((other) => other !== place);
}

/** The index of the first of `count` ascending values that is at least `least`; `count` if there is none. */
export function firstFrom(count: number, value: (index: number) => number, least: number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (value(middle) < least) from = middle + 1;
    else to = middle;
  }
  return from;
}

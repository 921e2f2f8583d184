import { rounded } from './svg.js';

/** A function from days or values to pixels. */
export type Scale = (value: number) => number;

/** Points of one line or band, without gaps. */
interface Run {
  readonly from: number;
  readonly to: number;
}

/** Half the width of a band of one value, in days. */
const LONE_HALF = 0.35;

/** Half the length of a line of one value, in pixels: a thin line has no dots that are seen. */
const LONE_PIXELS = 2;

/** Points of a line for each pixel at most: more are not seen. */
const MAX_POINTS = 4;

/** The path of a line through values, with gaps where they are missing; a lone value is a short line. */
export function linePath(at: Float64Array, values: Float64Array, x: Scale, y: Scale): string {
  let path = '';
  for (const run of runsOf([values])) {
    const points = seenPoints(run, at, values, x);
    if (points.length === 1) {
      const [middle, height] = [x(at[run.from]), y(values[run.from])];
      path += pointOf(0, middle - LONE_PIXELS, height) + pointOf(1, middle + LONE_PIXELS, height);
    } else for (let p = 0; p < points.length; p++) path += pointOf(p, x(at[points[p]]), y(values[points[p]]));
  }
  return path;
}

/**
 * Like `linePath`, in whole pixels from point to point, in less than half of the characters: for a crowd of lines, of
 * which none is seen by itself.
 */
export function coarseLinePath(at: Float64Array, values: Float64Array, x: Scale, y: Scale): string {
  let path = '';
  for (const { from, to } of runsOf([values])) {
    let [fromX, fromY] = [Math.round(x(at[from])), Math.round(y(values[from]))];
    path += `M${fromX},${fromY}`;
    let isFirst = true;
    const add = (toX: number, toY: number) => {
      const [dx, dy] = [toX - fromX, toY - fromY];
      if (dx === 0 && dy === 0) return;
      path += `${isFirst ? 'l' : dx < 0 ? '' : ' '}${dx}${dy < 0 ? '' : ' '}${dy}`;
      [fromX, fromY, isFirst] = [toX, toY, false];
    };
    for (let i = from + 1; i < to; i++) add(Math.round(x(at[i])), Math.round(y(values[i])));
    // A lone value, or several within a pixel, are a short line.
    if (isFirst) path += `h${LONE_PIXELS}`;
  }
  return path;
}

/** The path of a band between two lines, with gaps where either is missing; a lone value is a short bar. */
export function bandPath(at: Float64Array, lower: Float64Array, upper: Float64Array, x: Scale, y: Scale): string {
  let path = '';
  for (const { from, to } of runsOf([lower, upper])) {
    const isLone = to - from === 1;
    const days = isLone ? [at[from] - LONE_HALF, at[from] + LONE_HALF] : at.subarray(from, to);
    const last = days.length - 1;
    const index = (k: number) => (isLone ? from : from + k);
    for (let k = 0; k <= last; k++) path += pointOf(k, x(days[k]), y(upper[index(k)]));
    for (let k = last; k >= 0; k--) path += pointOf(1, x(days[k]), y(lower[index(k)]));
    path += 'Z';
  }
  return path;
}

/** Moves to the first point of a line, and draws to the others. */
function pointOf(index: number, x: number, y: number): string {
  return `${index === 0 ? 'M' : 'L'}${rounded(x)},${rounded(y)}`;
}

/** The runs of windows in which no line has a missing value. */
function runsOf(lines: readonly Float64Array[]): Run[] {
  const runs: Run[] = [];
  const [{ length }] = lines;
  const isMissing = (i: number) => lines.some((values) => Number.isNaN(values[i]));
  for (let i = 0; i < length; i++) {
    if (isMissing(i)) continue;
    const from = i;
    while (i < length && !isMissing(i)) i++;
    runs.push({ from, to: i });
  }
  return runs;
}

function indices({ from, to }: Run): number[] {
  return Array.from({ length: to - from }, (_, k) => from + k);
}

/** The points of a run that are seen: of those in one pixel the first, the last, the lowest and the highest. */
function seenPoints(run: Run, at: Float64Array, values: Float64Array, x: Scale): number[] {
  const { from, to } = run;
  if (to - from === 1 || to - from <= MAX_POINTS * (x(at[to - 1]) - x(at[from]))) return indices(run);
  const points: number[] = [];
  for (let i = from; i < to; ) {
    const pixel = Math.floor(x(at[i]));
    let [low, high] = [i, i];
    const first = i;
    for (; i < to && Math.floor(x(at[i])) === pixel; i++) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    points.push(...[...new Set([first, low, high, i - 1])].sort((a, b) => a - b));
  }
  return points;
}

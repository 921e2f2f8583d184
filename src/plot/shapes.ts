import { area, line } from 'd3-shape';
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

/** Points of a line for each pixel at most: more are not seen. */
const MAX_POINTS = 4;

/** The path of a line through values, with gaps where they are missing; a lone value is a dot. */
export function linePath(at: Float64Array, values: Float64Array, x: Scale, y: Scale): string {
  const draw = line<number>()
    .x((i) => x(at[i]))
    .y((i) => y(values[i]))
    .digits(1);
  return runsOf([values])
    .map((run) =>
      run.to - run.from === 1 ? dot(x(at[run.from]), y(values[run.from])) : draw(seenPoints(run, at, values, x)),
    )
    .join('');
}

function dot(x: number, y: number): string {
  const text = `${rounded(x)},${rounded(y)}`;
  return `M${text}L${text}`;
}

/** The path of a band between two lines, with gaps where either is missing; a lone value is a short bar. */
export function bandPath(at: Float64Array, lower: Float64Array, upper: Float64Array, x: Scale, y: Scale): string {
  const draw = area<readonly [number, number]>()
    .x(([day]) => x(day))
    .y0(([, i]) => y(lower[i]))
    .y1(([, i]) => y(upper[i]))
    .digits(1);
  return runsOf([lower, upper])
    .map((run) => {
      const points = indices(run).map((i) => [at[i], i] as const);
      const [[day, i]] = points;
      return draw(
        points.length > 1
          ? points
          : [
              [day - LONE_HALF, i],
              [day + LONE_HALF, i],
            ],
      );
    })
    .join('');
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
  if (to - from <= MAX_POINTS * (x(at[to - 1]) - x(at[from]))) return indices(run);
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

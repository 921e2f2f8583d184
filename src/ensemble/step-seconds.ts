import { DataError } from '../errors.js';
import { DAY_SECONDS } from '../period/day.js';

/** Times that are rounded to seconds may differ by this many. */
const ROUNDING = 2;

/**
 * The length in seconds of each step of an axis of ascending times (in seconds): to the next time, or from the one
 * before.
 *
 * The step may change along the axis, as from 3 to 6 hours in forecasts. A distance is a gap if the axis has shorter
 * steps both before and after it, if it differs from both neighbours and one of them is shorter, or if it is longer
 * than a day; steps beyond a gap of days do not count for this. A step at a gap is as long as its neighbour. A single
 * time is a day. Throws DataError if all steps are longer than a day.
 */
export function stepSeconds(times: Float64Array, stamps: 'start' | 'end'): Float64Array {
  if (times.length === 1) return Float64Array.of(DAY_SECONDS);
  const distances = Float64Array.from({ length: times.length - 1 }, (_, i) => times[i + 1] - times[i]);
  const before = shortestSoFar(distances);
  const after = shortestSoFar(distances.toReversed()).reverse();
  const isStep = distances.map((distance, i) => {
    const isBetweenShorter = Math.max(before[i], after[i]) < distance - ROUNDING;
    return distance <= DAY_SECONDS + ROUNDING && !isBetweenShorter && !standsAlone(distances, i) ? 1 : 0;
  });
  if (!isStep.includes(1)) {
    throw new DataError({
      subject: 'time',
      problem: 'steps are longer than a day',
      received: `${distances.reduce((a, b) => Math.min(a, b)) / DAY_SECONDS} days between two times`,
      allowed: 'daily or sub-daily values',
    });
  }
  const seconds = new Float64Array(times.length);
  if (stamps === 'start') {
    let length = distances[isStep.indexOf(1)];
    for (let i = 0; i < times.length; i++) seconds[i] = length = isStep[i] === 1 ? distances[i] : length;
  } else {
    let length = distances[isStep.lastIndexOf(1)];
    for (let i = times.length - 1; i >= 0; i--) seconds[i] = length = isStep[i - 1] === 1 ? distances[i - 1] : length;
  }
  return seconds;
}

/** For each distance, the shortest one since the last gap of days. */
function shortestSoFar(distances: Float64Array): Float64Array {
  let shortest = Number.POSITIVE_INFINITY;
  return distances.map((distance) => {
    shortest = distance > DAY_SECONDS + ROUNDING ? Number.POSITIVE_INFINITY : Math.min(shortest, distance);
    return shortest;
  });
}

/** Whether a distance differs from both its neighbours, and one of them is shorter. */
function standsAlone(distances: Float64Array, i: number): boolean {
  const neighbours = [i - 1, i + 1].filter((k) => k >= 0 && k < distances.length);
  const isUnlike = neighbours.every((k) => Math.abs(distances[k] - distances[i]) > ROUNDING);
  return isUnlike && neighbours.some((k) => distances[k] < distances[i]);
}

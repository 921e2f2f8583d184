import { DataError } from '../errors.js';

const DAY = 86_400;
/** Times that are rounded to seconds may differ by this much. */
const ROUNDING = 2;

/**
 * The seconds that each step of an axis of ascending times (in seconds) holds for: up to the next time, or from the one before.
 *
 * The step may change along the axis, as from 3 to 6 hours in forecasts. A longer distance is a gap, and the step beside it as long
 * as its neighbour, where steps within a day before and after it are shorter, where it stands alone beside a shorter one, and where
 * it is longer than a day. A single time holds for a day. Throws DataError where all steps are longer than a day.
 */
export function stepSeconds(times: Float64Array, stamps: 'start' | 'end'): Float64Array {
  if (times.length === 1) return Float64Array.of(DAY);
  const distances = Float64Array.from({ length: times.length - 1 }, (_, i) => times[i + 1] - times[i]);
  const isStep = distances.map((distance, i) => (distance <= DAY + ROUNDING && !isGap(distances, i) ? 1 : 0));
  if (!isStep.includes(1)) {
    throw new DataError({
      subject: 'time',
      problem: 'steps are longer than a day',
      received: `${distances.reduce((a, b) => Math.min(a, b)) / DAY} days between two times`,
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

function isGap(distances: Float64Array, i: number): boolean {
  const shorter = (k: number) => distances[k] < distances[i] - ROUNDING;
  const alike = (k: number) => Math.abs(distances[k] - distances[i]) <= ROUNDING;
  if (!alike(i - 1) && !alike(i + 1)) return shorter(i - 1) || shorter(i + 1);
  return shorterWithinDay(distances, i, -1) && shorterWithinDay(distances, i, 1);
}

function shorterWithinDay(distances: Float64Array, i: number, direction: 1 | -1): boolean {
  let passed = 0;
  for (let k = i + direction; passed < DAY && k >= 0 && k < distances.length; k += direction) {
    if (distances[k] < distances[i] - ROUNDING) return true;
    passed += distances[k];
  }
  return false;
}

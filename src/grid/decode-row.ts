import type { NumberValues } from './stored-values.js';
import { isPlain, marksMissing, type ValueCoding } from './value-coding.js';

/**
 * Writes `count` stored numbers, from `at` on and `stride` apart, to the first elements of `row` as the values that they stand for: NaN where missing.
 */
export function decodeRow(
  stored: NumberValues,
  at: number,
  stride: number,
  count: number,
  row: Float64Array,
  coding: ValueCoding,
): void {
  if (!marksMissing(coding)) {
    for (let i = 0; i < count; i++, at += stride) row[i] = stored[at];
  } else if (coding.fills.length === 1 && !isRanged(coding)) {
    const [fill] = coding.fills;
    for (let i = 0; i < count; i++, at += stride) row[i] = stored[at] === fill ? Number.NaN : stored[at];
  } else {
    for (let i = 0; i < count; i++, at += stride) row[i] = isMissing(stored[at], coding) ? Number.NaN : stored[at];
  }
  if (isPlain(coding)) return;
  const { scale, offset } = coding;
  for (let i = 0; i < count; i++) row[i] = row[i] * scale + offset;
}

/** Writes NaN over the values of an array that its coding declares to be missing. */
export function clearMissing(values: Float32Array | Float64Array, coding: ValueCoding): void {
  if (!marksMissing(coding)) return;
  if (coding.fills.length === 1 && !isRanged(coding)) {
    const [fill] = coding.fills;
    for (let i = 0; i < values.length; i++) if (values[i] === fill) values[i] = Number.NaN;
  } else {
    for (let i = 0; i < values.length; i++) if (isMissing(values[i], coding)) values[i] = Number.NaN;
  }
}

function isRanged({ lowest, highest }: ValueCoding): boolean {
  return lowest !== Number.NEGATIVE_INFINITY || highest !== Number.POSITIVE_INFINITY;
}

function isMissing(stored: number, { fills, lowest, highest }: ValueCoding): boolean {
  return stored < lowest || stored > highest || fills.includes(stored);
}

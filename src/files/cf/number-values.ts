import { NUMBER_ARRAYS, type NumberType } from '../../core/number-types.js';
import type { ArrayType, ArrayValues, Box } from '../array/array-file.js';

/** The numbers from which values are computed: 64-bit integers become float64 when they are read. */
export type NumberValues = Exclude<ArrayValues, BigInt64Array | BigUint64Array>;

/** Creates an array for `length` elements of a type, at the beginning of `buffer` where one is given. */
export function createArray(type: ArrayType, length: number, buffer?: ArrayBuffer): ArrayValues {
  const TypedArray = NUMBER_ARRAYS[type as NumberType];
  return buffer === undefined ? new TypedArray(length) : new TypedArray(buffer, 0, length);
}

/** Writes `value` where the boxes `parts` of an array overlap `values`, which hold its box `whole`. */
export function fillParts(values: Float32Array | Float64Array, whole: Box, parts: readonly Box[], value: number): void {
  for (const { start, count } of parts) fillPart(values, whole, { start, count }, value, 0, 0);
}

function fillPart(
  values: Float32Array | Float64Array,
  whole: Box,
  part: Box,
  value: number,
  dimension: number,
  row: number,
): void {
  const rank = whole.count.length;
  if (rank === 0) {
    values.fill(value, 0, 1);
    return;
  }
  const from = Math.max(0, part.start[dimension] - whole.start[dimension]);
  const end = part.start[dimension] + part.count[dimension] - whole.start[dimension];
  const to = Math.min(whole.count[dimension], end);
  const base = row * whole.count[dimension];
  if (dimension === rank - 1) {
    if (to > from) values.fill(value, base + from, base + to);
    return;
  }
  for (let i = from; i < to; i++) fillPart(values, whole, part, value, dimension + 1, base + i);
}

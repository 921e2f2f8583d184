import type { GribKernels } from '../../../core/grib-kernels.js';
import { unusable } from '../../../errors.js';

/** What gives the points of a field their values. */
export interface PointValues {
  /** The number of points of the grid. */
  readonly points: number;
  /** A bit for each point, 1 where it has a value; undefined where all have one. */
  readonly bitmap: Uint8Array | undefined;
  /** The value of all points, where it is the same; undefined where values are packed. */
  readonly constant: number | undefined;
  /** Unpacks so many values, those of the points that have one, to float64 at `out`. Throws FormatError. */
  readonly unpack: (count: number, out: number) => void;
}

/** Bytes behind an array that kernels may read or write. */
const MARGIN = 64;

/**
 * Unpacks values into `into`, which has an element for each point, in the order in which they are stored; NaN where a
 * value is missing. They are computed in float64, and rounded once where `into` is a Float32Array.
 */
export function unpackPoints(
  { memory, kernels }: GribKernels,
  { points, bitmap, constant, unpack }: PointValues,
  into: Float32Array | Float64Array,
): void {
  if (into.length !== points) throw unusable('array of values', into.length, `an array of ${points} elements`);
  if (bitmap === undefined && constant !== undefined) {
    into.fill(constant);
    return;
  }
  const mark = memory.mark();
  try {
    const out = memory.scratch(8 * points + MARGIN);
    if (bitmap === undefined) unpack(points, out);
    else {
      const bits = memory.scratch(bitmap.length + MARGIN);
      memory.bytes(bits, bitmap.length).set(bitmap);
      const ones = kernels.countBits(bits, points);
      const values = out + 8 * (points - ones);
      if (constant !== undefined) memory.float64(values, ones).fill(constant);
      else unpack(ones, values);
      kernels.spreadValues(bits, points, values, out);
    }
    if (into instanceof Float32Array) {
      kernels.narrowValues(out, points);
      into.set(memory.float32(out, points));
    } else into.set(memory.float64(out, points));
  } finally {
    memory.release(mark);
  }
}

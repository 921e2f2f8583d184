import type { GribKernels } from '../../../core/grib-kernels.js';
import { copyPacked } from './packed-bytes.js';
import { fieldError, type PackedField, type Packing } from './packed-field.js';

/**
 * Unpacks numbers that lie one after the other (template 5.0, and the pixels of images) to float64 at `out`. Throws
 * FormatError where there are too few.
 */
export function unpackSimple(
  tools: GribKernels,
  field: PackedField,
  packing: Packing,
  numbers: Uint8Array,
  out: number,
): void {
  const { count, reference, binary, decimal, bits } = packing;
  const needed = Math.ceil((count * bits) / 8);
  if (numbers.length < needed) {
    const allowed = `${needed} bytes for ${count} numbers of ${bits} bits`;
    throw fieldError(field, 7, { problem: 'has too few bytes', received: numbers.length, allowed });
  }
  const { stream } = copyPacked(tools, numbers.subarray(0, needed));
  tools.kernels.unpackSimple(stream, count, bits, reference, binary, decimal, out);
}

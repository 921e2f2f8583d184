import type { GribKernels } from '../../../core/grib-kernels.js';
import type { ErrorParts, FormatError } from '../../../errors.js';
import { copyPacked } from './packed-bytes.js';
import type { Packing } from './packed-field.js';

/**
 * Unpacks numbers that lie one after the other (template 5.0, simple packing of edition 1, and the pixels of images) to
 * float64 at `out`. Throws what `fault` makes where there are too few.
 */
export function unpackSimple(
  tools: GribKernels,
  numbers: Uint8Array,
  { count, reference, binary, decimal, bits }: Packing,
  fault: (parts: Omit<ErrorParts, 'subject'>) => FormatError,
  out: number,
): void {
  const needed = Math.ceil((count * bits) / 8);
  if (numbers.length < needed) {
    const allowed = `${needed} bytes for ${count} numbers of ${bits} bits`;
    throw fault({ problem: 'has too few bytes', received: numbers.length, allowed });
  }
  const { stream } = copyPacked(tools, numbers.subarray(0, needed));
  tools.kernels.unpackSimple(stream, count, bits, reference, binary, decimal, out);
}

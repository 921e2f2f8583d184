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
  packing: Packing,
  fault: (parts: Omit<ErrorParts, 'subject'>) => FormatError,
  out: number,
): void {
  const { count, reference, binary, decimal, bits } = packing;
  const { stream } = copyPacked(tools, numbers.subarray(0, simpleBytes(packing, numbers.length, fault)));
  tools.kernels.unpackSimple(stream, count, bits, reference, binary, decimal, out);
}

/** The bytes of all numbers, which must be there. Throws what `fault` makes. */
export function simpleBytes(
  { count, bits }: Packing,
  length: number,
  fault: (parts: Omit<ErrorParts, 'subject'>) => FormatError,
): number {
  const needed = Math.ceil((count * bits) / 8);
  if (length >= needed) return needed;
  const allowed = `${needed} bytes for ${count} numbers of ${bits} bits`;
  throw fault({ problem: 'has too few bytes', received: length, allowed });
}

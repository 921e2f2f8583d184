import type { GribKernels } from '../../../core/grib-kernels.js';
import { copyPacked } from './packed-bytes.js';
import { fieldError, type PackedField, type Packing } from './packed-field.js';

/** Unpacks numbers that lie one after the other (template 5.0) to float64 at `out`. Throws FormatError where there are too few. */
export function unpackSimple(tools: GribKernels, field: PackedField, packing: Packing, out: number): void {
  unpackNumbers(tools, field, packing, field.section7.subarray(5), out);
}

/** The same for numbers in other bytes than those of section 7. */
export function unpackNumbers(
  tools: GribKernels,
  field: PackedField,
  { count, reference, binary, decimal, bits }: Packing,
  numbers: Uint8Array,
  out: number,
): void {
  const needed = Math.ceil((count * bits) / 8);
  if (numbers.length < needed) {
    const allowed = `${needed} bytes for ${count} numbers of ${bits} bits`;
    throw fieldError(field, 7, { problem: 'has too few bytes', received: numbers.length, allowed });
  }
  const { stream } = copyPacked(tools, numbers.subarray(0, needed));
  tools.kernels.unpackSimple(stream, count, bits, reference, binary, decimal, out);
}

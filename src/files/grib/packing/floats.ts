import type { GribKernels } from '../../../core/grib-kernels.js';
import { copyPacked } from './packed-bytes.js';
import { type FieldHead, fieldError, type PackedField, section5View } from './packed-field.js';

/** The bytes of a number by its precision (code table 5.7). */
const BYTES: Record<number, number | undefined> = { 1: 4, 2: 8 };

/**
 * Copies IEEE numbers (template 5.4) to float64 at `out`. Throws FormatError for other precisions, and where there
 * are too few.
 */
export function unpackFloats(tools: GribKernels, field: PackedField, count: number, out: number): void {
  const numbers = field.section7.subarray(5);
  const bytes = floatBytes(field, count, numbers.length);
  const { stream } = copyPacked(tools, numbers.subarray(0, count * bytes));
  tools.kernels.unpackFloats(stream, count, bytes, out);
}

/** The bytes of each of so many numbers among `length` bytes. Throws FormatError as `unpackFloats`. */
export function floatBytes(field: FieldHead, count: number, length: number): number {
  const precision = section5View(field, 12).getUint8(11);
  const bytes = BYTES[precision];
  if (bytes === undefined) {
    const allowed = '1 (32 bits) or 2 (64 bits)';
    throw fieldError(field, 5, {
      problem: 'has numbers of a precision that is not read',
      received: precision,
      allowed,
    });
  }
  if (length >= count * bytes) return bytes;
  const allowed = `${count * bytes} bytes for ${count} numbers`;
  throw fieldError(field, 7, { problem: 'has too few bytes', received: length, allowed });
}

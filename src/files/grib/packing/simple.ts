import type { GribKernels } from '../../../core/grib-kernels.js';
import { type Fault, type FieldHead, fieldError, type Packing, section5View } from './packed-field.js';
import { scratchFor, type WantedValues } from './read-points.js';
import { copyPacked, type SectionBytes } from './section-bytes.js';

/** The bytes of an IEEE number by its precision (code table 5.7). */
const FLOAT_BYTES: Record<number, number | undefined> = { 1: 4, 2: 8 };

/**
 * Unpacks numbers that lie one after the other (template 5.0, simple packing of edition 1, and the pixels of images);
 * returns the address of their values. Throws what `fault` makes where there are too few.
 */
export async function unpackSimple(
  tools: GribKernels,
  numbers: SectionBytes,
  packing: Packing,
  fault: Fault,
  { from, to, spare }: WantedValues,
): Promise<number> {
  const { count, bits, reference, binary, decimal } = packing;
  assertBytes(numbers, Math.ceil((count * bits) / 8), `${count} numbers of ${bits} bits`, fault);
  // Every eighth number begins a byte.
  const first = from - (from % 8);
  const packed = await numbers.read((first * bits) / 8, Math.ceil((to * bits) / 8));
  const { stream } = copyPacked(tools, packed);
  numbers.reuse?.(packed);
  const values = scratchFor(tools.memory, to - first, spare);
  tools.kernels.unpackSimple(stream, to - first, bits, reference, binary, decimal, values);
  return values + 8 * (from - first);
}

/**
 * Copies IEEE numbers (template 5.4), of which there are `count`; returns the address of their values. Throws
 * FormatError for other precisions, and where there are too few.
 */
export async function unpackFloats(
  tools: GribKernels,
  field: FieldHead,
  numbers: SectionBytes,
  count: number,
  { from, to, spare }: WantedValues,
): Promise<number> {
  const precision = section5View(field, 12).getUint8(11);
  const bytes = FLOAT_BYTES[precision];
  if (bytes === undefined) {
    const problem = 'has numbers of a precision that is not read';
    throw fieldError(field, 5, { problem, received: precision, allowed: '1 (32 bits) or 2 (64 bits)' });
  }
  assertBytes(numbers, count * bytes, `${count} numbers`, (parts) => fieldError(field, 7, parts));
  const { stream } = copyPacked(tools, await numbers.read(from * bytes, to * bytes));
  const values = scratchFor(tools.memory, to - from, spare);
  tools.kernels.unpackFloats(stream, to - from, bytes, values);
  return values;
}

function assertBytes({ length }: SectionBytes, needed: number, what: string, fault: Fault): void {
  if (length >= needed) return;
  throw fault({ problem: 'has too few bytes', received: length, allowed: `${needed} bytes for ${what}` });
}

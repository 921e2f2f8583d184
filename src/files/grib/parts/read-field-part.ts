import type { GribKernels } from '../../../core/grib-kernels.js';
import type { ErrorParts } from '../../../errors.js';
import type { RandomAccess } from '../../array/random-access.js';
import type { GribField } from '../messages.js';
import {
  BITMAP_START,
  bitmapBytes,
  CCSDS,
  COMPLEX,
  COMPLEX_DIFFERENCES,
  constantOf,
  FLOATS,
  SIMPLE,
  wrongCount,
} from '../packing/data-representation.js';
import { type FieldHead, fieldError, readPacking, section5View } from '../packing/packed-field.js';
import { countPoints } from '../unpack-field.js';
import { unpackCcsdsPart } from './ccsds-part.js';
import { unpackComplexPart } from './complex-part.js';
import type { FieldIndex, StoredRange } from './field-index.js';
import { type SectionBytes, sectionBytes } from './section-bytes.js';
import { unpackFloatsPart, unpackSimplePart } from './simple-part.js';
import { unpackPart } from './unpack-part.js';

/** The bytes of section 7 before the numbers. */
const NUMBERS_START = 5;

/** Whether parts of a field of edition 2 can be read, at a cost in proportion: images cannot. */
export function hasParts({ section5 }: GribField): boolean {
  return [SIMPLE, COMPLEX, COMPLEX_DIFFERENCES, FLOATS, CCSDS].includes(256 * section5[9] + section5[10]);
}

/**
 * Reads the values of some points of a field that has parts into the first elements of `into`: those of
 * `readFieldValues`, to the bit. `index` is what earlier parts of the field have left, and is filled.
 *
 * Throws as `readFieldValues` does. What is wrong with numbers is found when the first part is read, whichever it is.
 */
export async function readFieldPart(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField,
  index: FieldIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  const points = countPoints(field);
  const { section5, section6, section7, bitmapIndicator } = field;
  const head: FieldHead = { place: field, points, section5, bitmapIndicator };
  const view = section5View(head, 11);
  const [count, template] = [view.getUint32(5), view.getUint16(9)];
  const constant = constantOf(head, template);
  const hasBitmap = bitmapBytes(head, section6.length) !== undefined;
  if (!hasBitmap && count !== points && constant === undefined) throw wrongCount(head, count, points, 'points');
  const numbers = sectionBytes(access, section7, NUMBERS_START);
  const values = {
    ...{ points, constant },
    bitmap: hasBitmap ? sectionBytes(access, section6, BITMAP_START) : undefined,
    assertCount: (ones: number) => {
      if (ones !== count) throw wrongCount(head, count, ones, 'ones in the bitmap');
    },
    unpack: (some: StoredRange) => unpackNumbers(tools, head, template, numbers, index, some),
  };
  await unpackPart(tools, values, index, range, into);
}

/** Unpacks some numbers to float64 in scratch, and returns their address. */
async function unpackNumbers(
  tools: GribKernels,
  field: FieldHead,
  template: number,
  numbers: SectionBytes,
  index: FieldIndex,
  range: StoredRange,
): Promise<number> {
  if (template === FLOATS) {
    return unpackFloatsPart(tools, field, numbers, section5View(field, 11).getUint32(5), range);
  }
  const packing = readPacking(field);
  const fault = (parts: Omit<ErrorParts, 'subject'>) => fieldError(field, 7, parts);
  if (template === SIMPLE) return unpackSimplePart(tools, numbers, packing, fault, range);
  if (template === CCSDS) return unpackCcsdsPart(tools, field, packing, numbers, index, range);
  return unpackComplexPart(tools, field, packing, numbers, index, range);
}

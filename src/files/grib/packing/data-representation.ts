import { type FieldHead, fieldError, type Packing, readPacking, section5View } from './packed-field.js';

/** The templates of section 5 that are read. */
export const SIMPLE = 0;
export const COMPLEX = 2;
export const COMPLEX_DIFFERENCES = 3;
export const FLOATS = 4;
export const JPEG_2000 = 40;
export const PNG = 41;
export const CCSDS = 42;
const PACKED = [SIMPLE, COMPLEX, COMPLEX_DIFFERENCES, JPEG_2000, PNG, CCSDS];
const READ = '5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42';
const NO_BITMAP = 255;
/** Bytes of section 6 before the bitmap. */
export const BITMAP_START = 6;

/**
 * The value of a field whose values are all the same: numbers of no bits, or no groups. It is the reference value,
 * which writers do not scale by the decimal factor, and ecCodes neither.
 */
export function constantOf(field: FieldHead, template: number): number | undefined {
  if (template === FLOATS) return undefined;
  if (!PACKED.includes(template)) {
    const parts = { received: `5.${template}`, allowed: READ };
    throw fieldError(field, 5, { problem: 'has a data representation template that is not read', ...parts });
  }
  const packing: Packing = readPacking(field);
  const isGrouped = template === COMPLEX || template === COMPLEX_DIFFERENCES;
  const isConstant = isGrouped ? section5View(field, 47).getUint32(31) === 0 : packing.bits === 0;
  return isConstant ? packing.reference : undefined;
}

/**
 * The bytes of the bitmap, of a section 6 of so many bytes; undefined where each point has a value. Throws FormatError
 * for a bitmap that is not in the file, and one that is too short.
 */
export function bitmapBytes(field: FieldHead, section6Length: number): number | undefined {
  const { bitmapIndicator, points } = field;
  if (bitmapIndicator === NO_BITMAP) return undefined;
  if (bitmapIndicator !== 0) {
    throw fieldError(field, 6, {
      problem: 'refers to a bitmap that the centre has defined, which is not in the file',
      received: bitmapIndicator,
      allowed: '0 (a bitmap), 254 (the previous bitmap) or 255 (none)',
    });
  }
  const needed = Math.ceil(points / 8);
  const bytes = Math.max(0, section6Length - BITMAP_START);
  if (bytes >= needed) return needed;
  const allowed = `${needed} bytes for ${points} points`;
  throw fieldError(field, 6, { problem: 'has too short a bitmap', received: bytes, allowed });
}

/** The error for another number of values than there are points, or ones in the bitmap. */
export function wrongCount(field: FieldHead, count: number, expected: number, what: string) {
  return fieldError(field, 5, {
    problem: `has another number of values than there are ${what}`,
    received: count,
    allowed: `${expected}`,
  });
}

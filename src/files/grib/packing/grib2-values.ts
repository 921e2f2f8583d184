import type { GribKernels } from '../../../core/grib-kernels.js';
import type { RandomAccess } from '../../array/random-access.js';
import { messageError } from '../message-error.js';
import type { GribField } from '../messages.js';
import { unpackCcsds } from './ccsds.js';
import { unpackComplex } from './complex.js';
import type { ImageNumbers } from './image.js';
import {
  type Fault,
  type FieldHead,
  fieldError,
  MAX_POINTS,
  type Packing,
  readPacking,
  section5View,
} from './packed-field.js';
import type { PackingIndex, StoredRange } from './packing-index.js';
import { readPoints, type WantedValues } from './read-points.js';
import { bytesBehind, bytesInMemory, type SectionBytes, storedBytes } from './section-bytes.js';
import { unpackFloats, unpackSimple } from './simple.js';

/** The templates of section 5 that are read. */
const SIMPLE = 0;
const COMPLEX = 2;
const COMPLEX_DIFFERENCES = 3;
const FLOATS = 4;
const JPEG_2000 = 40;
const PNG = 41;
const CCSDS = 42;
const PACKED = [SIMPLE, COMPLEX, COMPLEX_DIFFERENCES, JPEG_2000, PNG, CCSDS];
const READ = '5.0, 5.2, 5.3, 5.4, 5.40, 5.41 and 5.42';
const NO_BITMAP = 255;
/** The bytes of section 6 before the bitmap, and of section 7 before the numbers. */
const BITMAP_START = 6;
const NUMBERS_START = 5;

/** The number of points of a field's grid. Throws FormatError beyond 134,217,728. */
export function countPoints(field: GribField): number {
  const { section3 } = field;
  const points = new DataView(section3.buffer, section3.byteOffset, section3.byteLength).getUint32(6);
  if (points <= MAX_POINTS) return points;
  const parts = { problem: 'has more points than are read', received: points, allowed: `at most ${MAX_POINTS}` };
  throw messageError(field, 3, parts);
}

/** Whether parts of a field can be read at a cost in proportion: images cannot. */
export function hasParts({ section5 }: GribField): boolean {
  return [SIMPLE, COMPLEX, COMPLEX_DIFFERENCES, FLOATS, CCSDS].includes(256 * section5[9] + section5[10]);
}

/**
 * Reads the values of some points of a field of edition 2 into `into`, an element for each, in the order in which they
 * are stored; NaN where a value is missing. They are computed in float64, to the bit as ecCodes does. `index` is what
 * earlier parts of the field have left, and is filled.
 *
 * Throws FormatError, with the file, the message, its offset and the section, where the field is damaged or its packing
 * is not read, CoreError where memory is exhausted, FileError where the file cannot be read, and PackageError where the
 * library for JPEG 2000 is missing. What is wrong with numbers is found when the first part is read, whichever it is.
 */
export async function readGrib2Values(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField,
  index: PackingIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  const points = countPoints(field);
  const { section5, section6, section7, bitmapIndicator } = field;
  const head: FieldHead = { place: field, points, section5, bitmapIndicator };
  const view = section5View(head, 11);
  const [count, template] = [view.getUint32(5), view.getUint16(9)];
  const constant = constantOf(head, template);
  const bitmap = hasBitmap(head, section6.length)
    ? bytesBehind(storedBytes(access, section6), BITMAP_START)
    : undefined;
  if (bitmap === undefined && count !== points && constant === undefined)
    throw wrongCount(head, count, points, 'points');
  const numbers = bytesBehind(storedBytes(access, section7), NUMBERS_START);
  const values = {
    ...{ points, constant, bitmap },
    assertCount: (ones: number) => {
      if (ones !== count) throw wrongCount(head, count, ones, 'ones in the bitmap');
    },
    unpack: (wanted: WantedValues) => unpackNumbers(tools, head, template, numbers, index, wanted),
  };
  await readPoints(tools, values, index, range, into);
}

/** Unpacks some numbers to float64 in scratch, and returns their address. */
async function unpackNumbers(
  tools: GribKernels,
  field: FieldHead,
  template: number,
  numbers: SectionBytes,
  index: PackingIndex,
  wanted: WantedValues,
): Promise<number> {
  if (template === FLOATS) return unpackFloats(tools, field, numbers, section5View(field, 11).getUint32(5), wanted);
  const packing = readPacking(field);
  const fault: Fault = (parts) => fieldError(field, 7, parts);
  if (template === SIMPLE) return unpackSimple(tools, numbers, packing, fault, wanted);
  if (template === CCSDS) return unpackCcsds(tools, field, packing, numbers, index, wanted);
  if (template !== PNG && template !== JPEG_2000) return unpackComplex(tools, field, packing, numbers, index, wanted);
  const { bytes, bits } = await readImage(field, packing, await numbers.read(0, numbers.length));
  return unpackSimple(tools, bytesInMemory(bytes), { ...packing, bits }, fault, wanted);
}

/** The numbers of a field that is packed as an image. */
async function readImage(field: FieldHead, packing: Packing, image: Uint8Array): Promise<ImageNumbers> {
  if (packing.template === PNG) {
    const { readPng } = await import('./png.js');
    return readPng(field, packing, image);
  }
  const { readJpeg2000 } = await import('./jpeg2000.js');
  return readJpeg2000(field, packing, image);
}

/**
 * The value of a field whose values are all the same: numbers of no bits, or no groups. It is the reference value,
 * which writers do not scale by the decimal factor, and ecCodes neither.
 */
function constantOf(field: FieldHead, template: number): number | undefined {
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
 * Whether a section 6 of so many bytes has a bitmap; each point has a value where it has none. Throws FormatError for a
 * bitmap that is not in the file, and one that is too short.
 */
function hasBitmap(field: FieldHead, section6Length: number): boolean {
  const { bitmapIndicator, points } = field;
  if (bitmapIndicator === NO_BITMAP) return false;
  if (bitmapIndicator !== 0) {
    throw fieldError(field, 6, {
      problem: 'refers to a bitmap that the centre has defined, which is not in the file',
      received: bitmapIndicator,
      allowed: '0 (a bitmap), 254 (the previous bitmap) or 255 (none)',
    });
  }
  const needed = Math.ceil(points / 8);
  const bytes = Math.max(0, section6Length - BITMAP_START);
  if (bytes >= needed) return true;
  const allowed = `${needed} bytes for ${points} points`;
  throw fieldError(field, 6, { problem: 'has too short a bitmap', received: bytes, allowed });
}

/** The error for another number of values than there are points, or ones in the bitmap. */
function wrongCount(field: FieldHead, count: number, expected: number, what: string) {
  return fieldError(field, 5, {
    problem: `has another number of values than there are ${what}`,
    received: count,
    allowed: `${expected}`,
  });
}

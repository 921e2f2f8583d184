import type { GribKernels } from '../../core/grib-kernels.js';
import type { ErrorParts } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import { messageError } from './message-error.js';
import type { ByteRange, GribField } from './messages.js';
import { unpackCcsds } from './packing/ccsds.js';
import { unpackComplex } from './packing/complex.js';
import { unpackFloats } from './packing/floats.js';
import type { ImageNumbers } from './packing/image.js';
import {
  fieldError,
  MAX_POINTS,
  type PackedField,
  type Packing,
  readPacking,
  section5View,
} from './packing/packed-field.js';
import { unpackSimple } from './packing/simple.js';
import { unpackPoints } from './packing/unpack-points.js';

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

/** The number of points of a field's grid. Throws FormatError beyond 134,217,728. */
export function countPoints(field: GribField): number {
  const { section3 } = field;
  const points = new DataView(section3.buffer, section3.byteOffset, section3.byteLength).getUint32(6);
  if (points <= MAX_POINTS) return points;
  const parts = { problem: 'has more points than are read', received: points, allowed: `at most ${MAX_POINTS}` };
  throw messageError(field, 3, parts);
}

/**
 * Reads the values of a field of edition 2 into `into`, an element for each point, in the order in which they are stored;
 * NaN where a value is missing. They are computed in float64, to the bit as ecCodes does, and rounded once where `into` is
 * a Float32Array.
 *
 * Throws FormatError, with the file, the message, its offset and the section, where the field is damaged or its packing
 * is not read, CoreError where memory is exhausted, FileError where the file cannot be read, and PackageError where the
 * library for JPEG 2000 is missing.
 */
export async function readFieldValues(
  tools: GribKernels,
  access: RandomAccess,
  field: GribField,
  into: Float32Array | Float64Array,
): Promise<void> {
  const points = countPoints(field);
  const { section5, bitmapIndicator } = field;
  const section6 = bitmapIndicator === 0 ? await readRange(access, field.section6) : undefined;
  const section7 = await readRange(access, field.section7);
  const packed = { place: field, points, section5, bitmapIndicator, section6, section7 };
  unpackField(tools, packed, await readImage(packed), into);
}

/** The numbers of a field that is packed as an image; undefined for other packings, and for constant fields. */
async function readImage(field: PackedField): Promise<ImageNumbers | undefined> {
  const template = section5View(field, 11).getUint16(9);
  if (template !== PNG && template !== JPEG_2000) return undefined;
  const packing = readPacking(field);
  if (packing.bits === 0) return undefined;
  if (packing.count > field.points) throw wrongCount(field, packing.count, field.points, 'points');
  if (template === PNG) {
    const { readPng } = await import('./packing/png.js');
    return readPng(field, packing);
  }
  const { readJpeg2000 } = await import('./packing/jpeg2000.js');
  return readJpeg2000(field, packing);
}

/** The bytes of a section. */
export async function readRange(access: RandomAccess, { offset, length }: ByteRange): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  await access.read(offset, bytes);
  return bytes;
}

/** Unpacks the values of a field of edition 2, as `readFieldValues` describes. */
function unpackField(
  tools: GribKernels,
  field: PackedField,
  image: ImageNumbers | undefined,
  into: Float32Array | Float64Array,
): void {
  const { points } = field;
  const view = section5View(field, 11);
  const [count, template] = [view.getUint32(5), view.getUint16(9)];
  const constant = constantOf(field, template);
  const bitmap = bitmapOf(field);
  if (bitmap === undefined && count !== points && constant === undefined) {
    throw wrongCount(field, count, points, 'points');
  }
  const unpack = (ones: number, out: number) => {
    if (ones !== count) throw wrongCount(field, count, ones, 'ones in the bitmap');
    unpackValues(tools, field, template, image, out);
  };
  unpackPoints(tools, { points, bitmap, constant, unpack }, into);
}

/** Unpacks the values that are stored to float64 at `out`. */
function unpackValues(
  tools: GribKernels,
  field: PackedField,
  template: number,
  image: ImageNumbers | undefined,
  out: number,
): void {
  if (template === FLOATS) {
    unpackFloats(tools, field, section5View(field, 11).getUint32(5), out);
    return;
  }
  const packing = readPacking(field);
  const fault = (parts: Omit<ErrorParts, 'subject'>) => fieldError(field, 7, parts);
  if (image !== undefined) unpackSimple(tools, image.bytes, { ...packing, bits: image.bits }, fault, out);
  else if (template === SIMPLE) unpackSimple(tools, field.section7.subarray(5), packing, fault, out);
  else if (template === CCSDS) unpackCcsds(tools, field, packing, out);
  else unpackComplex(tools, field, packing, out);
}

/**
 * The value of a field whose values are all the same: numbers of no bits, or no groups. It is the reference value,
 * which writers do not scale by the decimal factor, and ecCodes neither.
 */
function constantOf(field: PackedField, template: number): number | undefined {
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

/** The bytes of the bitmap; undefined where there is none. */
function bitmapOf(field: PackedField): Uint8Array | undefined {
  const { bitmapIndicator, section6, points } = field;
  if (bitmapIndicator === NO_BITMAP) return undefined;
  if (bitmapIndicator !== 0 || section6 === undefined) {
    throw fieldError(field, 6, {
      problem: 'refers to a bitmap that the centre has defined, which is not in the file',
      received: bitmapIndicator,
      allowed: '0 (a bitmap), 254 (the previous bitmap) or 255 (none)',
    });
  }
  const needed = Math.ceil(points / 8);
  const bytes = section6.subarray(6);
  if (bytes.length >= needed) return bytes.subarray(0, needed);
  const allowed = `${needed} bytes for ${points} points`;
  throw fieldError(field, 6, { problem: 'has too short a bitmap', received: bytes.length, allowed });
}

function wrongCount(field: PackedField, count: number, expected: number, what: string) {
  return fieldError(field, 5, {
    problem: `has another number of values than there are ${what}`,
    received: count,
    allowed: `${expected}`,
  });
}

import type { GribKernels } from '../../core/grib-kernels.js';
import type { ErrorParts } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import { messageError } from './message-error.js';
import type { ByteRange, GribField } from './messages.js';
import { unpackCcsds } from './packing/ccsds.js';
import { unpackComplex } from './packing/complex.js';
import {
  BITMAP_START,
  bitmapBytes,
  CCSDS,
  constantOf,
  FLOATS,
  JPEG_2000,
  PNG,
  SIMPLE,
  wrongCount,
} from './packing/data-representation.js';
import { unpackFloats } from './packing/floats.js';
import type { ImageNumbers } from './packing/image.js';
import { fieldError, MAX_POINTS, type PackedField, readPacking, section5View } from './packing/packed-field.js';
import { unpackSimple } from './packing/simple.js';
import { unpackPoints } from './packing/unpack-points.js';

/** The number of points of a field's grid. Throws FormatError beyond 134,217,728. */
export function countPoints(field: GribField): number {
  const { section3 } = field;
  const points = new DataView(section3.buffer, section3.byteOffset, section3.byteLength).getUint32(6);
  if (points <= MAX_POINTS) return points;
  const parts = { problem: 'has more points than are read', received: points, allowed: `at most ${MAX_POINTS}` };
  throw messageError(field, 3, parts);
}

/**
 * Reads the values of a field of edition 2 into `into`, an element for each point, in the order in which they are
 * stored; NaN where a value is missing. They are computed in float64, to the bit as ecCodes does, and rounded once
 * where `into` is a Float32Array.
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
  const length = bitmapBytes(field, field.section6?.length ?? 0);
  const bitmap = length === undefined ? undefined : field.section6?.subarray(BITMAP_START, BITMAP_START + length);
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

import type { GribKernels } from '../../core/grib-kernels.js';
import type { ErrorParts } from '../../errors.js';
import type { RandomAccess } from '../array/random-access.js';
import type { GribGrid } from './grid/grid.js';
import { messageError } from './message-error.js';
import type { Grib1Field } from './messages.js';
import { Octets } from './octets.js';
import { MAX_BITS, type Packing, readScale } from './packing/packed-field.js';
import { isBoustrophedonic, unpackSecondOrder } from './packing/second-order.js';
import { unpackSimple } from './packing/simple.js';
import { unpackPoints } from './packing/unpack-points.js';
import { linesOf, turnEverySecond } from './scan-order.js';
import { readRange } from './unpack-field.js';

/** A field of edition 1 with the bytes of its sections. */
interface PackedGrib1 {
  readonly field: Grib1Field;
  readonly grid: GribGrid;
  readonly section3: Uint8Array | undefined;
  readonly section4: Uint8Array;
}

/** Flags of octet 4 of section 4; its other bits count unused bits. */
const SPHERICAL_HARMONICS = 0x80;
const SECOND_ORDER = 0x40;
const MORE_FLAGS = 0x10;
/** The bytes of section 3 before the bitmap, and of section 4 before the numbers of simple packing. */
export const BITMAP_START = 6;
export const NUMBERS_START = 11;
/** A binary scale of ECMWF for fields without values. */
const NO_VALUES = -32_767;

/**
 * Reads the values of a field of edition 1 into `into`, an element for each point of its grid; as `readFieldValues`
 * does for edition 2.
 */
export async function readGrib1Values(
  tools: GribKernels,
  access: RandomAccess,
  field: Grib1Field,
  grid: GribGrid,
  into: Float32Array | Float64Array,
): Promise<void> {
  const section3 = field.section3 && (await readRange(access, field.section3));
  unpackGrib1(tools, { field, grid, section3, section4: await readRange(access, field.section4) }, into);
}

function unpackGrib1(tools: GribKernels, packed: PackedGrib1, into: Float32Array | Float64Array): void {
  const { field, grid, section4 } = packed;
  const fault = (parts: Omit<ErrorParts, 'subject'>) => messageError(field, 4, parts);
  const octets = new Octets(field, 4, section4);
  const flags = octets.unsigned(4);
  const isSecondOrder = (flags & SECOND_ORDER) !== 0;
  if (flags & SPHERICAL_HARMONICS || (flags & MORE_FLAGS && !isSecondOrder)) {
    const isHarmonic = (flags & SPHERICAL_HARMONICS) !== 0;
    const received = isHarmonic ? 'spherical harmonics' : 'matrices of values, or IEEE numbers';
    throw fault({ problem: 'has a packing that is not read', received, allowed: 'simple or second-order packing' });
  }
  const points = grid.shape.reduce((product, length) => product * length, 1);
  const bitmap = bitmapOf(packed, points);
  const packing = readGrib1Packing(field, octets);
  const numbers = section4.subarray(NUMBERS_START);
  const constant = constantOf(octets, packing, isSecondOrder);
  const unpack = (count: number, out: number) => {
    if (!isSecondOrder) return unpackSimple(tools, numbers, { ...packing, count }, fault, out);
    const valuesPerRow = () => countPerLine(grid, bitmap);
    unpackSecondOrder(tools, { section4, packing: { ...packing, count }, valuesPerRow, fault }, out);
  };
  unpackPoints(tools, { points, bitmap, constant, unpack }, into);
  if (isSecondOrder && isBoustrophedonic(section4)) turnEverySecond(into, linesOf(grid));
}

/** Whether values have simple packing, by the first bytes of section 4. */
export function isSimple(octets: Octets): boolean {
  return (octets.unsigned(4) & (SPHERICAL_HARMONICS | SECOND_ORDER | MORE_FLAGS)) === 0;
}

/** The value of a field whose values are all the same, NaN where it has none; undefined where they are packed. */
export function constantOf(octets: Octets, packing: Packing, isSecondOrder: boolean): number | undefined {
  if (octets.signed(5, 2) === NO_VALUES) return Number.NaN;
  return !isSecondOrder && packing.bits === 0 ? packing.reference : undefined;
}

/** Reads how numbers become values; the number of values depends on the bitmap. */
export function readGrib1Packing(field: Grib1Field, octets: Octets): Packing {
  const fault = (parts: Omit<ErrorParts, 'subject'>) => messageError(field, 4, parts);
  const bits = octets.unsigned(11);
  if (bits > MAX_BITS) {
    throw fault({ problem: 'has too many bits per value', received: bits, allowed: `0 to ${MAX_BITS}` });
  }
  const decimalFactor = new Octets(field, 1, field.section1).signed(27, 2);
  const binaryFactor = octets.signed(5, 2);
  const scale = readScale(octets.ibmFloat(7), binaryFactor === NO_VALUES ? 0 : binaryFactor, decimalFactor, fault);
  return { template: 0, count: 0, bits, ...scale };
}

/** The bytes of the bitmap; undefined where there is none. */
function bitmapOf({ field, section3 }: PackedGrib1, points: number): Uint8Array | undefined {
  if (section3 === undefined) return undefined;
  assertBitmap(field, section3, section3.length, points);
  return section3.subarray(BITMAP_START, BITMAP_START + Math.ceil(points / 8));
}

/** Throws FormatError unless a section 3 of so many bytes, of which `head` has the first, has a bit for each point. */
export function assertBitmap(field: Grib1Field, head: Uint8Array, length: number, points: number): void {
  const octets = new Octets(field, 3, head);
  const predefined = octets.unsigned(5, 2);
  if (predefined !== 0) {
    const problem = 'refers to a bitmap that the centre has defined, which is not in the file';
    throw messageError(field, 3, { problem, received: predefined, allowed: 'a bitmap in the message' });
  }
  const bits = 8 * (length - BITMAP_START) - octets.unsigned(4);
  if (bits >= points) return;
  throw messageError(field, 3, { problem: 'has too short a bitmap', received: bits, allowed: `${points} bits` });
}

/** The number of values of each row, or column where these are stored one after the other. */
function countPerLine(grid: GribGrid, bitmap: Uint8Array | undefined): number[] {
  const lines = Array.from(linesOf(grid));
  if (bitmap === undefined) return lines;
  let at = 0;
  return lines.map((length) => {
    let count = 0;
    for (const end = at + length; at < end; at++) if (bitmap[at >> 3] & (128 >> (at & 7))) count++;
    return count;
  });
}

import type { GribKernels } from '../../../core/grib-kernels.js';
import type { RandomAccess } from '../../array/random-access.js';
import type { GribGrid } from '../grid/grid.js';
import { messageError } from '../message-error.js';
import type { ByteRange, Grib1Field } from '../messages.js';
import { Octets } from '../octets.js';
import { linesOf, turnEverySecond } from '../scan-order.js';
import { type Fault, MAX_BITS, type Packing, readScale } from './packed-field.js';
import { type Grib1Heads, isAll, type PackingIndex, type StoredRange } from './packing-index.js';
import { readPoints, type WantedValues } from './read-points.js';
import { isBoustrophedonic, unpackSecondOrder } from './second-order.js';
import { bytesBehind, bytesInMemory, type SectionBytes, storedBytes } from './section-bytes.js';
import { unpackSimple } from './simple.js';

/** Flags of octet 4 of section 4; its other bits count unused bits. */
const SPHERICAL_HARMONICS = 0x80;
const SECOND_ORDER = 0x40;
const MORE_FLAGS = 0x10;
/** The bytes of section 3 before the bitmap, and of section 4 before the numbers of simple packing. */
const BITMAP_START = 6;
const NUMBERS_START = 11;
/** A binary scale of ECMWF for fields without values. */
const NO_VALUES = -32_767;

/**
 * Reads the values of some points of a field of edition 1 into `into`, as `readGrib2Values` does for edition 2. Of
 * second-order packing all values are unpacked, whatever is wanted of them.
 */
export async function readGrib1Values(
  tools: GribKernels,
  access: RandomAccess,
  { field, grid }: { readonly field: Grib1Field; readonly grid: GribGrid },
  index: PackingIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  const points = grid.shape.reduce((product, length) => product * length, 1);
  const isWhole = isAll(range, points);
  const open = (section: ByteRange) => (isWhole ? readSection(access, section) : storedBytes(access, section));
  const section3 = field.section3 && (await open(field.section3));
  const section4 = await open(field.section4);
  const heads = index.heads ?? (await readHeads(section3, section4));
  if (!isWhole) index.heads = heads;
  const fault: Fault = (parts) => messageError(field, 4, parts);
  const octets = new Octets(field, 4, heads.section4);
  const isSecondOrder = hasSecondOrder(octets, fault);
  if (isSecondOrder && !isWhole) {
    const all = new Float64Array(points);
    await readGrib1Values(tools, access, { field, grid }, index, { from: 0, to: points }, all);
    into.set(all.subarray(range.from, range.to));
    return;
  }
  if (field.section3 && heads.section3) assertBitmap(field, heads.section3, field.section3.length, points);
  const bitmap = section3 && bytesBehind(section3, BITMAP_START);
  const packing = readPacking(field, octets, fault);
  const values = {
    ...{ points, bitmap, constant: constantOf(octets, packing, isSecondOrder) },
    // Edition 1 does not say how many values there are.
    assertCount: () => {},
  };
  if (!isSecondOrder) {
    const numbers = bytesBehind(section4, NUMBERS_START);
    const unpack = (wanted: WantedValues, count: number) =>
      unpackSimple(tools, numbers, { ...packing, count }, fault, wanted);
    return readPoints(tools, { ...values, unpack }, index, range, into);
  }
  const bytes = await section4.read(0, section4.length);
  const bits = bitmap && (await bitmap.read(0, bitmap.length));
  const valuesPerRow = () => countPerLine(grid, bits);
  const unpack = async ({ spare }: WantedValues, count: number) =>
    unpackSecondOrder(tools, { section4: bytes, packing: { ...packing, count }, valuesPerRow, fault }, spare);
  await readPoints(tools, { ...values, unpack }, index, range, into);
  if (isBoustrophedonic(bytes)) turnEverySecond(into, linesOf(grid));
}

async function readSection(access: RandomAccess, section: ByteRange): Promise<SectionBytes> {
  return bytesInMemory(await storedBytes(access, section).read(0, section.length));
}

async function readHeads(section3: SectionBytes | undefined, section4: SectionBytes): Promise<Grib1Heads> {
  return {
    section3: section3 && (await section3.read(0, BITMAP_START)),
    section4: await section4.read(0, NUMBERS_START),
  };
}

/** Whether values have second-order packing, or else simple packing. Throws FormatError for other packings. */
function hasSecondOrder(octets: Octets, fault: Fault): boolean {
  const flags = octets.unsigned(4);
  const isSecondOrder = (flags & SECOND_ORDER) !== 0;
  const isHarmonic = (flags & SPHERICAL_HARMONICS) !== 0;
  if (!isHarmonic && (isSecondOrder || (flags & MORE_FLAGS) === 0)) return isSecondOrder;
  const received = isHarmonic ? 'spherical harmonics' : 'matrices of values, or IEEE numbers';
  throw fault({ problem: 'has a packing that is not read', received, allowed: 'simple or second-order packing' });
}

/** The value of a field whose values are all the same, NaN where it has none; undefined where they are packed. */
function constantOf(octets: Octets, packing: Packing, isSecondOrder: boolean): number | undefined {
  if (octets.signed(5, 2) === NO_VALUES) return Number.NaN;
  return !isSecondOrder && packing.bits === 0 ? packing.reference : undefined;
}

/** Reads how numbers become values; the number of values depends on the bitmap. */
function readPacking(field: Grib1Field, octets: Octets, fault: Fault): Packing {
  const bits = octets.unsigned(11);
  if (bits > MAX_BITS) {
    throw fault({ problem: 'has too many bits per value', received: bits, allowed: `0 to ${MAX_BITS}` });
  }
  const decimalFactor = new Octets(field, 1, field.section1).signed(27, 2);
  const binaryFactor = octets.signed(5, 2);
  const scale = readScale(octets.ibmFloat(7), binaryFactor === NO_VALUES ? 0 : binaryFactor, decimalFactor, fault);
  return { template: 0, count: 0, bits, ...scale };
}

/** Throws FormatError unless a section 3 of so many bytes, of which `head` has the first, has a bit for each point. */
function assertBitmap(field: Grib1Field, head: Uint8Array, length: number, points: number): void {
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

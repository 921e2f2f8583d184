import type { GribKernels } from '../../../core/grib-kernels.js';
import { unpackAllGroups } from './complex.js';
import { type Fault, MAX_BITS, type Packing } from './packed-field.js';

/** A section 4 of edition 1 whose values are packed by second-order packing. */
export interface SecondOrderField {
  /** The complete section. */
  readonly section4: Uint8Array;
  readonly packing: Packing;
  /** The number of values of each row that the bitmap does not leave out. */
  readonly valuesPerRow: () => readonly number[];
  /** Makes the error for section 4. */
  readonly fault: Fault;
}

/** Flags of octet 14. */
const MATRIX = 0x40;
const SECONDARY_BITMAP = 0x20;
const DIFFERENT_WIDTHS = 0x10;
const EXTENDED = 0x08;
/** Rows alternate in direction. */
const BOUSTROPHEDONIC = 0x04;
const ORDER = 0x03;

/** Where the parts of groups begin, in bytes of the section, and how their numbers are read: `ComplexJob`. */
interface Groups {
  readonly references: number;
  readonly widths: number;
  readonly widthBits: number;
  readonly smallestWidth: number;
  readonly lengths: number;
  readonly lengthBits: number;
  /** The lengths of groups, where the section has none. */
  readonly listed?: Uint32Array;
  /** The numbers before the groups, and the smallest difference, with spatial differencing. */
  readonly first: readonly number[];
  readonly minimum: number;
}

/** Whether every second row is stored in the opposite direction. */
export function isBoustrophedonic(section4: Uint8Array): boolean {
  const isExtended = (section4[13] & EXTENDED) !== 0;
  return (section4[13] & BOUSTROPHEDONIC) !== 0 && (isExtended || (section4[13] & SECONDARY_BITMAP) !== 0);
}

/**
 * Unpacks all values of second-order packing, and returns their address; there is room for `spare` more before them.
 * Values are in groups, each with a reference of its own and numbers of as many bits as they need. Groups are rows; or
 * begin where a secondary bitmap says, with numbers of one width or of different ones; or have lengths of their own and
 * spatial differences (general extended packing of ECMWF, orders 1 to 3). Throws FormatError where groups do not fit
 * the bytes or the number of values.
 */
export function unpackSecondOrder(tools: GribKernels, field: SecondOrderField, spare: number): number {
  const { section4, packing, fault } = field;
  const { count, bits } = packing;
  assertLength(field, 21);
  const flags = section4[13];
  if (flags & MATRIX) {
    const allowed = 'one value for each point';
    throw fault({ problem: 'has matrices of values, which are not read', received: `flags ${flags}`, allowed });
  }
  const groups = uint(section4, 16, 2) + 65_536 * section4[20];
  const layout = readLayout(field, flags, groups);
  const references = layout.references;
  const numbers = references + bytesOf(groups * bits);
  assertLength(field, numbers);
  const bytes = withList(section4, layout.listed);
  const [lengths, lengthBits] =
    layout.listed === undefined ? [layout.lengths, layout.lengthBits] : [section4.length, 32];
  const [first = 0, second = 0, third = 0] = layout.first;
  const parts = {
    ...{ groups, count, missing: 0, references, referenceBits: bits, numbers },
    ...{ widths: layout.widths, widthBits: layout.widthBits, smallestWidth: layout.smallestWidth },
    ...{ lengths, lengthBits, smallestLength: 0, lengthStep: 1 },
    lastLength: groups === 0 ? 0 : bitsAt(bytes, 8 * lengths + (groups - 1) * lengthBits, lengthBits),
    ...{ order: layout.first.length, first, second, third, isApart: 1, minimum: layout.minimum },
  };
  return unpackAllGroups(tools, packing, { layout: parts, bytes, end: section4.length }, fault, spare);
}

/** Reads where the parts of groups begin, by the kind of packing. */
function readLayout(field: SecondOrderField, flags: number, groups: number): Groups {
  const { section4, packing, valuesPerRow, fault } = field;
  const hasBitmap = (flags & SECONDARY_BITMAP) !== 0;
  const hasWidths = (flags & DIFFERENT_WIDTHS) !== 0;
  if (flags & EXTENDED && hasWidths && !hasBitmap) return readExtended(field, flags & ORDER, groups);
  if (flags & EXTENDED || (!hasBitmap && !hasWidths)) {
    const allowed = 'row by row, constant width, different widths, or general extended packing';
    throw fault({
      problem: 'has a kind of second-order packing that is not read',
      received: `flags ${flags}`,
      allowed,
    });
  }
  const widths = 21;
  const parts = { first: [], minimum: 0, lengths: 0, lengthBits: 0, widths };
  const behind = widths + (hasWidths ? groups : 1);
  if (!hasBitmap) {
    const listed = Uint32Array.from(valuesPerRow());
    if (listed.length === groups) return { ...parts, references: behind, widthBits: 8, smallestWidth: 0, listed };
    throw fault({ problem: 'has another number of groups than rows', received: groups, allowed: `${listed.length}` });
  }
  const references = behind + bytesOf(packing.count);
  assertLength(field, references);
  const listed = groupLengths(section4.subarray(behind, references), packing.count, groups);
  const isCounted = uint(section4, 18, 2) === packing.count % 65_536;
  if (listed === undefined || !isCounted) {
    const problem = 'has a secondary bitmap with another number of groups or values';
    throw fault({ problem, allowed: `${groups} groups of ${packing.count} values, of which the first begins one` });
  }
  const width = hasWidths ? { widthBits: 8, smallestWidth: 0 } : { widthBits: 0, smallestWidth: section4[widths] };
  return { ...parts, ...width, references, listed };
}

function readExtended(field: SecondOrderField, order: number, groups: number): Groups {
  const { section4, fault } = field;
  assertLength(field, 26);
  const [widthBits, lengthBits] = [section4[21], section4[22]];
  const size = order === 0 ? 0 : section4[25];
  if (Math.max(widthBits, lengthBits, size) > MAX_BITS) {
    const received = [widthBits, lengthBits, size];
    const allowed = `0 to ${MAX_BITS}`;
    throw fault({ problem: 'has too many bits for widths, lengths or first values', received, allowed });
  }
  const descriptors = order === 0 ? 25 : 26;
  const widths = descriptors + (order === 0 ? 0 : bytesOf((order + 1) * size));
  const lengths = widths + bytesOf(groups * widthBits);
  const references = lengths + bytesOf(groups * lengthBits);
  assertLength(field, references);
  const numbers = Array.from({ length: order === 0 ? 0 : order + 1 }, (_, i) =>
    bitsAt(section4, 8 * descriptors + i * size, size),
  );
  const stored = numbers.pop() ?? 0;
  const sign = 2 ** (size - 1);
  const minimum = size > 0 && stored >= sign ? sign - stored : stored;
  return { references, widths, widthBits, smallestWidth: 0, lengths, lengthBits, first: numbers, minimum };
}

/**
 * The lengths of groups by a bitmap with a one where a group begins; undefined where these are not so many, or the
 * first value begins none.
 */
function groupLengths(bitmap: Uint8Array, count: number, groups: number): Uint32Array | undefined {
  if (groups > count) return undefined;
  const lengths = new Uint32Array(groups);
  let begun = 0;
  for (let i = 0; i < count; i++) {
    if (bitmap[i >> 3] & (128 >> (i & 7))) begun++;
    if (begun === 0 || begun > groups) return undefined;
    lengths[begun - 1]++;
  }
  return begun === groups ? lengths : undefined;
}

/** The section, and behind it the lengths of groups that it does not have itself, as numbers of 32 bits. */
function withList(section4: Uint8Array, lengths: Uint32Array = new Uint32Array()): Uint8Array {
  const bytes = new Uint8Array(section4.length + 4 * lengths.length);
  bytes.set(section4);
  const view = new DataView(bytes.buffer, section4.length);
  for (const [group, length] of lengths.entries()) view.setUint32(4 * group, length);
  return bytes;
}

function assertLength({ section4, fault }: SecondOrderField, bytes: number): void {
  if (section4.length >= bytes) return;
  throw fault({ problem: 'has too few bytes for its groups', received: section4.length, allowed: `at least ${bytes}` });
}

function bytesOf(bits: number): number {
  return Math.ceil(bits / 8);
}

function uint(bytes: Uint8Array, at: number, count: number): number {
  return bytes.subarray(at, at + count).reduce((value, byte) => value * 256 + byte, 0);
}

/** The number of `width` bits at a position. */
function bitsAt(bytes: Uint8Array, position: number, width: number): number {
  let value = 0;
  for (let bit = position; bit < position + width; bit++)
    value = value * 2 + ((bytes[bit >> 3] >> (7 - (bit & 7))) & 1);
  return value;
}

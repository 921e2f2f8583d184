import { type FieldHead, fieldError, MAX_BITS, type Packing, section5View } from './packed-field.js';

/** The bytes of each number in front of the groups: more would not fit into 32 bits. */
const MAX_DESCRIPTOR = 4;

/** Spatial differencing (template 5.3): the first numbers, and the smallest difference. */
interface Differencing {
  readonly order: number;
  readonly first: number;
  readonly second: number;
  readonly minimum: number;
  /** The bytes that all of this takes. */
  readonly bytes: number;
}

/** The order of a field without differences (template 5.2). */
const NO_DIFFERENCING: Differencing = { order: 0, first: 0, second: 0, minimum: 0, bytes: 0 };

/** The groups of a field as ComplexJob describes them; positions are bytes of the packed numbers. */
export interface ComplexGroups {
  readonly groups: number;
  readonly count: number;
  readonly missing: number;
  readonly references: number;
  readonly referenceBits: number;
  readonly widths: number;
  readonly widthBits: number;
  readonly smallestWidth: number;
  readonly lengths: number;
  readonly lengthBits: number;
  readonly smallestLength: number;
  readonly lengthStep: number;
  readonly lastLength: number;
  readonly order: number;
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly isApart: number;
  readonly minimum: number;
  /** Where the numbers of the first group begin. */
  readonly numbers: number;
}

/** The bytes in front of groups: two first numbers and the smallest difference. */
export const MAX_DESCRIPTORS = 3 * MAX_DESCRIPTOR;

/**
 * Reads where the parts of groups are among so many bytes of packed numbers, of which `head` has the first. Throws
 * FormatError where they do not fit.
 */
export function readGroups(field: FieldHead, packing: Packing, head: Uint8Array, bytes: number): ComplexGroups {
  const { count, bits } = packing;
  const view = section5View(field, packing.template === 3 ? 49 : 47);
  const missing = view.getUint8(22);
  if (missing > 2) throw unknownCode(field, 'missing value management', missing, '0, 1 or 2');
  const groups = view.getUint32(31);
  const widthBits = bitsOf(field, 'group widths', view.getUint8(36));
  const lengthBits = bitsOf(field, 'group lengths', view.getUint8(46));
  if (groups > count) {
    const parts = { problem: 'has more groups than values', received: groups, allowed: `at most ${count}` };
    throw fieldError(field, 5, parts);
  }
  const differencing = packing.template === 3 ? readDifferencing(field, view, head) : NO_DIFFERENCING;
  const references = differencing.bytes;
  const widths = references + Math.ceil((groups * bits) / 8);
  const lengths = widths + Math.ceil((groups * widthBits) / 8);
  const numbers = lengths + Math.ceil((groups * lengthBits) / 8);
  if (numbers > bytes) {
    const parts = { received: bytes, allowed: `at least ${numbers} bytes for ${groups} groups` };
    throw fieldError(field, 7, { problem: 'has too few bytes', ...parts });
  }
  const { order, first, second, minimum } = differencing;
  return {
    ...{ groups, count, missing, references, referenceBits: bits, widths, widthBits, lengths, lengthBits, numbers },
    ...{ smallestWidth: view.getUint8(35), smallestLength: view.getUint32(37), lengthStep: view.getUint8(41) },
    ...{ lastLength: view.getUint32(42), order, first, second, third: 0, isApart: 0, minimum },
  };
}

function readDifferencing(field: FieldHead, view: DataView, numbers: Uint8Array): Differencing {
  const order = view.getUint8(47);
  if (order !== 1 && order !== 2) throw unknownCode(field, 'order of spatial differencing', order, '1 or 2');
  const size = view.getUint8(48);
  if (size > MAX_DESCRIPTOR) throw unknownCode(field, 'bytes of extra descriptors', size, `0 to ${MAX_DESCRIPTOR}`);
  const bytes = (order + 1) * size;
  if (numbers.length < bytes) {
    const parts = { received: numbers.length, allowed: `at least ${bytes} bytes of extra descriptors` };
    throw fieldError(field, 7, { problem: 'has too few bytes', ...parts });
  }
  const read = (index: number) => {
    let number = 0;
    for (let i = index * size; i < (index + 1) * size; i++) number = number * 256 + numbers[i];
    return number;
  };
  const stored = read(order);
  const sign = 2 ** (8 * size - 1);
  const minimum = size > 0 && stored >= sign ? sign - stored : stored;
  return { order, first: read(0), second: order === 2 ? read(1) : 0, minimum, bytes };
}

function bitsOf(field: FieldHead, name: string, bits: number): number {
  if (bits > MAX_BITS) throw unknownCode(field, `bits of ${name}`, bits, `0 to ${MAX_BITS}`);
  return bits;
}

function unknownCode(field: FieldHead, name: string, received: number, allowed: string) {
  return fieldError(field, 5, { problem: `has an unknown value of ${name}`, received, allowed });
}

import { ComplexJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import type { CoreMemory } from '../../../core/memory.js';
import { copyPacked } from './packed-bytes.js';
import { type FieldHead, fieldError, MAX_BITS, type PackedField, type Packing, section5View } from './packed-field.js';

/** What the kernel finds wrong, by the number that it returns. */
export const GROUP_PROBLEMS = [
  '',
  'has groups that have more or fewer values than there should be',
  'has a group with numbers of more than 32 bits',
  'has too few bytes for the numbers of its groups',
];
/** The bytes of each number in front of the groups: more would not fit into 32 bits. */
const MAX_DESCRIPTOR = 4;
/** The numbers of a place between values. */
const PLACE_NUMBERS = 7;

/** Spatial differencing (template 5.3): the first numbers, and the smallest difference. */
interface Differencing {
  readonly order: number;
  readonly first: number;
  readonly second: number;
  readonly minimum: number;
  /** The bytes that these take. */
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
 * Unpacks groups of numbers (templates 5.2 and 5.3) to float64 at `out`, NaN where a value is missing. Throws
 * FormatError where groups do not fit the bytes or the number of values.
 */
export function unpackComplex(tools: GribKernels, field: PackedField, packing: Packing, out: number): void {
  const { count, reference, binary, decimal } = packing;
  const numbers = field.section7.subarray(5);
  const groups = readGroups(field, packing, numbers, numbers.length);
  const { stream, length } = copyPacked(tools, numbers);
  const { job } = complexJob(tools, { stream, bytes: length }, groups, startOf(groups), groups.groups);
  job.setWanted(count);
  assertGroups(field, groups, tools.kernels.unpackComplex(job.address, reference, binary, decimal, out));
}

/** A job of the kernels, groups from a place on up to `groupEnd`, and where the place lies in their memory. */
export function complexJob(
  { memory }: GribKernels,
  bytes: { readonly stream: number; readonly bytes: number },
  { numbers, ...groups }: ComplexGroups,
  from: BigInt64Array,
  groupEnd: number,
): { readonly job: ComplexJob; readonly place: number } {
  const place = memory.scratch(from.byteLength);
  placeAt(memory, place).set(from);
  return { job: new ComplexJob(memory, { ...bytes, ...groups, groupEnd, place }), place };
}

/** The place before the first value. */
export function startOf({ numbers, order }: Pick<ComplexGroups, 'numbers' | 'order'>): BigInt64Array {
  return BigInt64Array.of(0n, 0n, 0n, BigInt(8 * numbers), BigInt(order), 0n, 0n);
}

/** A place in the memory of the kernels: `assembly/grib/complex.ts` says what its numbers are. */
export function placeAt(memory: CoreMemory, address: number): BigInt64Array {
  const { buffer, byteOffset } = memory.bytes(address, 8 * PLACE_NUMBERS);
  return new BigInt64Array(buffer, byteOffset, PLACE_NUMBERS);
}

/** Throws FormatError where a kernel finds something wrong. */
export function assertGroups(field: FieldHead, { count }: ComplexGroups, problem: number): void {
  if (problem === 0) return;
  throw fieldError(field, 7, { problem: GROUP_PROBLEMS[problem], allowed: `groups of ${count} values` });
}

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

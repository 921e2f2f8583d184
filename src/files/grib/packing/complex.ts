import { ComplexJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import { copyPacked } from './packed-bytes.js';
import { fieldError, MAX_BITS, type PackedField, type Packing, section5View } from './packed-field.js';

/** What the kernel finds wrong, by the number that it returns. */
export const GROUP_PROBLEMS = [
  '',
  'has groups that have more or fewer values than there should be',
  'has a group with numbers of more than 32 bits',
  'has too few bytes for the numbers of its groups',
];
/** The bytes of each number in front of the groups: more would not fit into 32 bits. */
const MAX_DESCRIPTOR = 4;

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

/**
 * Unpacks groups of numbers (templates 5.2 and 5.3) to float64 at `out`, NaN where a value is missing. Throws
 * FormatError where groups do not fit the bytes or the number of values.
 */
export function unpackComplex(tools: GribKernels, field: PackedField, packing: Packing, out: number): void {
  const { count, reference, binary, decimal, bits } = packing;
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
  const numbers = field.section7.subarray(5);
  const differencing = packing.template === 3 ? readDifferencing(field, view, numbers) : NO_DIFFERENCING;
  const references = differencing.bytes;
  const widths = references + Math.ceil((groups * bits) / 8);
  const lengths = widths + Math.ceil((groups * widthBits) / 8);
  const first = lengths + Math.ceil((groups * lengthBits) / 8);
  if (first > numbers.length) {
    const parts = { received: numbers.length, allowed: `at least ${first} bytes for ${groups} groups` };
    throw fieldError(field, 7, { problem: 'has too few bytes', ...parts });
  }
  const { stream, length } = copyPacked(tools, numbers);
  const job = new ComplexJob(tools.memory, {
    ...{ stream, bytes: length, groups, count, missing },
    ...{ references, referenceBits: bits, widths, widthBits, lengths, lengthBits, numbers: first },
    ...{ smallestWidth: view.getUint8(35), smallestLength: view.getUint32(37), lengthStep: view.getUint8(41) },
    lastLength: view.getUint32(42),
    ...{ order: differencing.order, first: differencing.first, second: differencing.second },
    ...{ third: 0, isApart: 0 },
    minimum: differencing.minimum,
  });
  const problem = tools.kernels.unpackComplex(job.address, reference, binary, decimal, out);
  if (problem !== 0)
    throw fieldError(field, 7, { problem: GROUP_PROBLEMS[problem], allowed: `groups of ${count} values` });
}

function readDifferencing(field: PackedField, view: DataView, numbers: Uint8Array): Differencing {
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

function bitsOf(field: PackedField, name: string, bits: number): number {
  if (bits > MAX_BITS) throw unknownCode(field, `bits of ${name}`, bits, `0 to ${MAX_BITS}`);
  return bits;
}

function unknownCode(field: PackedField, name: string, received: number, allowed: string) {
  return fieldError(field, 5, { problem: `has an unknown value of ${name}`, received, allowed });
}

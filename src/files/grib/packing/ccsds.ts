import { CcsdsJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import { copyPacked } from './packed-bytes.js';
import { type FieldHead, fieldError, type PackedField, type Packing, section5View } from './packed-field.js';

/**
 * The flags of octet 22: those of libaec. Two more (2: three bytes, 4: byte order) are of its output, which is not
 * used here.
 */
const FLAGS = { signed: 1, folded: 8, restricted: 16, padded: 32, anyBlockSize: 64 };
const BLOCK_SIZES = [8, 16, 32, 64];
/** Of the standard, in blocks. */
const MAX_INTERVAL = 4096;
/** What the kernel finds wrong, by the number that it returns. */
const PROBLEMS = ['', 'ends within a block', 'has a code that is not possible'];

/** How numbers are coded, as CcsdsJob describes it. */
export interface CcsdsCoding {
  readonly width: number;
  readonly idBits: number;
  readonly blockSize: number;
  readonly intervalBlocks: number;
  readonly isFolded: number;
  readonly isSigned: number;
  readonly isPadded: number;
}

/**
 * Unpacks CCSDS 121.0 (template 5.42) to float64 at `out`. Throws FormatError where the stream is cut or not
 * possible.
 */
export function unpackCcsds(tools: GribKernels, field: PackedField, packing: Packing, out: number): void {
  const { count, reference, binary, decimal } = packing;
  const coding = readCoding(field, packing);
  const { stream, length } = copyPacked(tools, field.section7.subarray(5));
  const job = new CcsdsJob(tools.memory, { stream, bytes: length, start: 0, count, ...coding });
  assertCodes(field, count, tools.kernels.unpackCcsds(job.address, reference, binary, decimal, out));
}

/** Throws FormatError where a kernel finds something wrong with the stream of so many numbers. */
export function assertCodes(field: FieldHead, count: number, problem: number): void {
  if (problem === 0) return;
  throw fieldError(field, 7, { problem: PROBLEMS[problem], allowed: `a CCSDS stream of ${count} numbers` });
}

/** Reads how numbers are coded. Throws FormatError for what is not possible. */
export function readCoding(field: FieldHead, { bits }: Packing): CcsdsCoding {
  const view = section5View(field, 25);
  const flags = view.getUint8(21);
  const blockSize = view.getUint8(22);
  const intervalBlocks = view.getUint16(23);
  const isAnySize = (flags & FLAGS.anyBlockSize) !== 0;
  if (isAnySize ? blockSize === 0 || blockSize % 2 !== 0 : !BLOCK_SIZES.includes(blockSize)) {
    const allowed = isAnySize ? 'even numbers' : BLOCK_SIZES.join(', ');
    throw fieldError(field, 5, { problem: 'has an impossible block size', received: blockSize, allowed });
  }
  if (intervalBlocks === 0 || intervalBlocks > MAX_INTERVAL) {
    const parts = { received: intervalBlocks, allowed: `1 to ${MAX_INTERVAL} blocks` };
    throw fieldError(field, 5, { problem: 'has an impossible reference sample interval', ...parts });
  }
  const isRestricted = (flags & FLAGS.restricted) !== 0;
  if (isRestricted && bits > 4 && bits <= 8) {
    const problem = 'has the flag of restricted code options with numbers of 5 to 8 bits';
    throw fieldError(field, 5, { problem, received: bits, allowed: '1 to 4 bits' });
  }
  return {
    ...{ width: bits, idBits: idBits(bits, isRestricted), blockSize, intervalBlocks },
    isFolded: flags & FLAGS.folded,
    isSigned: flags & FLAGS.signed,
    isPadded: flags & FLAGS.padded,
  };
}

/** The bits of the identifier of a block. */
function idBits(bits: number, isRestricted: boolean): number {
  if (bits > 16) return 5;
  if (bits > 8) return 4;
  if (!isRestricted) return 3;
  return bits > 2 ? 2 : 1;
}

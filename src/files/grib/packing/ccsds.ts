import { CcsdsJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import { type FieldHead, fieldError, type Packing, section5View } from './packed-field.js';
import { type CcsdsIntervals, isAll, MAX_PLACES, type PackingIndex } from './packing-index.js';
import { scratchFor, type WantedValues } from './read-points.js';
import { copyPacked, type SectionBytes } from './section-bytes.js';

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
interface CcsdsCoding {
  readonly width: number;
  readonly idBits: number;
  readonly blockSize: number;
  readonly intervalBlocks: number;
  readonly isFolded: number;
  readonly isSigned: number;
  readonly isPadded: number;
}

/** Numbers that are read from the first one on: all belong to the first interval that is known. */
const FROM_FIRST: CcsdsIntervals = { step: Number.MAX_SAFE_INTEGER, positions: Float64Array.of(0) };

/**
 * Unpacks CCSDS 121.0 (template 5.42); returns the address of the values. The first time that a part is wanted, the
 * codes of all numbers are checked and the positions of some intervals are kept: later parts begin at the nearest one.
 * Throws FormatError where the stream is cut or not possible.
 */
export async function unpackCcsds(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
  index: PackingIndex,
  { from, to, spare }: WantedValues,
): Promise<number> {
  const { memory, kernels } = tools;
  const { count, reference, binary, decimal } = packing;
  const coding = readCoding(field, packing);
  if (!isAll({ from, to }, count)) index.intervals ??= await indexIntervals(tools, field, count, coding, numbers);
  if (from === to) return scratchFor(memory, 0, spare);
  const { step, positions } = index.intervals ?? FROM_FIRST;
  const known = Math.floor(from / step);
  const behind = Math.ceil(to / step);
  const start = positions[known];
  const end = behind < positions.length ? Math.ceil(positions[behind] / 8) : numbers.length;
  const { stream, length } = copyPacked(tools, await numbers.read(Math.floor(start / 8), end));
  const first = known * step;
  const part = { stream, bytes: length, start: start % 8, count: to - first };
  const job = new CcsdsJob(memory, { ...part, ...coding });
  const values = scratchFor(memory, to - first, spare);
  assertCodes(field, count, kernels.unpackCcsds(job.address, reference, binary, decimal, values));
  return values + 8 * (from - first);
}

/** Checks the codes of all numbers, and finds where some of their intervals begin. */
async function indexIntervals(
  tools: GribKernels,
  field: FieldHead,
  count: number,
  coding: CcsdsCoding,
  numbers: SectionBytes,
): Promise<CcsdsIntervals> {
  const { memory, kernels } = tools;
  const length = coding.blockSize * coding.intervalBlocks;
  const intervals = Math.ceil(count / length);
  const step = Math.max(1, Math.ceil(intervals / MAX_PLACES));
  const mark = memory.mark();
  const packed = copyPacked(tools, await numbers.read(0, numbers.length));
  const job = new CcsdsJob(memory, { stream: packed.stream, bytes: packed.length, start: 0, count, ...coding });
  const places = Math.ceil(intervals / step);
  const out = memory.scratch(8 * places);
  assertCodes(field, count, kernels.indexIntervals(job.address, step, out));
  const positions = memory.float64(out, places).slice();
  memory.release(mark);
  return { step: step * length, positions };
}

/** Throws FormatError where a kernel finds something wrong with the stream of so many numbers. */
function assertCodes(field: FieldHead, count: number, problem: number): void {
  if (problem === 0) return;
  throw fieldError(field, 7, { problem: PROBLEMS[problem], allowed: `a CCSDS stream of ${count} numbers` });
}

/** Reads how numbers are coded. Throws FormatError for what is not possible. */
function readCoding(field: FieldHead, { bits }: Packing): CcsdsCoding {
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

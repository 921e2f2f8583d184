import { CcsdsJob } from '../../../core/generated/grib-jobs.js';
import type { GribKernels } from '../../../core/grib-kernels.js';
import { assertCodes, type CcsdsCoding, readCoding } from '../packing/ccsds.js';
import { copyPacked } from '../packing/packed-bytes.js';
import type { FieldHead, Packing } from '../packing/packed-field.js';
import { type CcsdsIntervals, type FieldIndex, MAX_PLACES, type StoredRange } from './field-index.js';
import type { SectionBytes } from './section-bytes.js';
import { MARGIN } from './unpack-part.js';

/**
 * As `unpackCcsds`, some of the numbers; returns their address. The first time, the codes of all numbers are checked
 * and the positions of some intervals are kept: later parts begin at the nearest of them.
 */
export async function unpackCcsdsPart(
  tools: GribKernels,
  field: FieldHead,
  packing: Packing,
  numbers: SectionBytes,
  index: FieldIndex,
  { from, to }: StoredRange,
): Promise<number> {
  const { memory, kernels } = tools;
  const { reference, binary, decimal } = packing;
  const coding = readCoding(field, packing);
  index.intervals ??= await indexIntervals(tools, field, packing.count, coding, numbers);
  if (from === to) return memory.scratch(MARGIN);
  const { step, positions } = index.intervals;
  const known = Math.floor(from / step);
  const behind = Math.ceil(to / step);
  const start = positions[known];
  const end = behind < positions.length ? Math.ceil(positions[behind] / 8) : numbers.length;
  const { stream, length } = copyPacked(tools, await numbers.read(Math.floor(start / 8), end));
  const first = known * step;
  const part = { stream, bytes: length, start: start % 8, count: to - first };
  const job = new CcsdsJob(memory, { ...part, ...coding });
  const out = memory.scratch(8 * (to - first) + MARGIN);
  assertCodes(field, packing.count, kernels.unpackCcsds(job.address, reference, binary, decimal, out));
  return out + 8 * (from - first);
}

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

import type { GribKernels } from '../../../core/grib-kernels.js';
import { type BitmapRanks, type FieldIndex, MAX_PLACES, type StoredRange } from './field-index.js';
import type { SectionBytes } from './section-bytes.js';

/** What gives some of a field's points their values. */
export interface PartValues {
  /** The number of points of the grid. */
  readonly points: number;
  /** A bit for each point, 1 where it has a value; undefined where all have one. */
  readonly bitmap: SectionBytes | undefined;
  /** The value of all points, where it is the same; undefined where values are packed. */
  readonly constant: number | undefined;
  /** Throws FormatError unless there are so many packed values as points that have one. */
  readonly assertCount: (ones: number) => void;
  /** Unpacks some of so many packed values into scratch; returns the address of their float64. Throws FormatError. */
  readonly unpack: (range: StoredRange, count: number) => Promise<number>;
}

/** Bytes behind an array that kernels may read or write. */
export const MARGIN = 64;

/** Unpacks the values of some points into `into`, NaN where a value is missing: those of `unpackPoints`, to the bit. */
export async function unpackPart(
  tools: GribKernels,
  part: PartValues,
  index: FieldIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  const { memory } = tools;
  const { points, bitmap, constant } = part;
  if (bitmap === undefined && constant !== undefined) {
    into.fill(constant, 0, range.to - range.from);
    return;
  }
  const mark = memory.mark();
  try {
    if (bitmap !== undefined) await spreadPart(tools, { ...part, bitmap }, index, range, into);
    else into.set(memory.float64(await part.unpack(range, points), range.to - range.from));
  } finally {
    memory.release(mark);
  }
}

/** Gives the points of a bitmap their values; reads the bitmap from the nearest place whose rank is known. */
async function spreadPart(
  tools: GribKernels,
  part: PartValues & { readonly bitmap: SectionBytes },
  index: FieldIndex,
  { from, to }: StoredRange,
  into: Float64Array,
): Promise<void> {
  const { memory, kernels } = tools;
  index.ranks ??= await indexBitmap(tools, part);
  const { step, ranks, ones: count } = index.ranks;
  // Bits are counted and spread from full bytes on.
  const first = Math.floor(from / 8) * 8;
  const known = Math.floor(from / step);
  const bits = await copyBits(tools, part.bitmap, known * step, to);
  const bitsOfFirst = bits + (first - known * step) / 8;
  const rank = ranks[known] + kernels.countBits(bits, first - known * step);
  const ones = kernels.countBits(bitsOfFirst, to - first);
  const values = await unpackOnes(tools, part, { from: rank, to: rank + ones }, count);
  const out = memory.scratch(8 * (to - first) + MARGIN);
  kernels.spreadValues(bitsOfFirst, to - first, values, out);
  into.set(memory.float64(out, to - first).subarray(from - first));
}

/** The address of values, which may be none: what is wrong with the others is found all the same. */
async function unpackOnes(
  { memory }: GribKernels,
  { constant, unpack }: PartValues,
  range: StoredRange,
  count: number,
): Promise<number> {
  const length = range.to - range.from;
  if (constant === undefined) return unpack(range, count);
  const values = memory.scratch(8 * length + MARGIN);
  memory.float64(values, length).fill(constant);
  return values;
}

/** Counts the ones of the bitmap. Throws FormatError unless they are as many as values. */
async function indexBitmap(
  tools: GribKernels,
  { points, bitmap, constant, assertCount }: PartValues & { readonly bitmap: SectionBytes },
): Promise<BitmapRanks> {
  const step = 64 * Math.max(1, Math.ceil(points / 64 / MAX_PLACES));
  const bits = await copyBits(tools, bitmap, 0, points);
  const ranks = new Uint32Array(Math.ceil(points / step));
  let ones = 0;
  for (let i = 0; i < ranks.length; i++) {
    ranks[i] = ones;
    ones += tools.kernels.countBits(bits + (i * step) / 8, Math.min(step, points - i * step));
  }
  if (constant === undefined) assertCount(ones);
  return { step, ranks, ones };
}

/** Copies the bits of some points, the first of which begins a byte, to scratch. */
async function copyBits({ memory }: GribKernels, bitmap: SectionBytes, from: number, to: number): Promise<number> {
  const bytes = await bitmap.read(from / 8, Math.ceil(to / 8));
  const address = memory.scratch(bytes.length + MARGIN);
  memory.bytes(address, bytes.length).set(bytes);
  return address;
}

import type { GribKernels } from '../../../core/grib-kernels.js';
import type { CoreMemory } from '../../../core/memory.js';
import { unusable } from '../../../errors.js';
import { type BitmapRanks, MAX_PLACES, type PackingIndex, type StoredRange } from './packing-index.js';
import type { SectionBytes } from './section-bytes.js';

/** Packed values that are unpacked together, and for how many more there must be room before them. */
export interface WantedValues extends StoredRange {
  readonly spare: number;
}

/** What gives the points of a field their values. */
export interface PointValues {
  /** The number of points of the grid. */
  readonly points: number;
  /** A bit for each point, 1 where it has a value; undefined where all have one. */
  readonly bitmap: SectionBytes | undefined;
  /** The value of all points, where it is the same; undefined where values are packed. */
  readonly constant: number | undefined;
  /** Throws FormatError unless there are so many packed values as points that have one. */
  readonly assertCount: (ones: number) => void;
  /** Unpacks some of `count` packed values into scratch; returns the address of their float64. Throws FormatError. */
  readonly unpack: (wanted: WantedValues, count: number) => Promise<number>;
}

/** Bytes behind an array that kernels may read or write. */
const MARGIN = 64;

/** Room in scratch for values, and for `spare` more before them; returns the address of the values. */
export function scratchFor(memory: CoreMemory, values: number, spare: number): number {
  return memory.scratch(8 * (spare + values) + MARGIN) + 8 * spare;
}

/**
 * Unpacks the values of some points into `into`, in the order in which they are stored; NaN where a value is missing.
 * A whole field is its part from the first to the last point. `index` is what earlier parts of the field have left.
 */
export async function readPoints(
  tools: GribKernels,
  values: PointValues,
  index: PackingIndex,
  range: StoredRange,
  into: Float64Array,
): Promise<void> {
  const { memory } = tools;
  const { points, bitmap, constant, unpack } = values;
  const count = range.to - range.from;
  if (into.length !== count) throw unusable('array of values', into.length, `an array of ${count} elements`);
  if (bitmap === undefined && constant !== undefined) {
    into.fill(constant);
    return;
  }
  const mark = memory.mark();
  try {
    const unpacked =
      bitmap === undefined
        ? await unpack({ ...range, spare: 0 }, points)
        : await spreadPoints(tools, { ...values, bitmap }, index, range);
    into.set(memory.float64(unpacked, count));
  } finally {
    memory.release(mark);
  }
}

/** What gives the points of a bitmap their values. */
type BitmapValues = PointValues & { readonly bitmap: SectionBytes };

/**
 * Gives some points of a bitmap their values, and returns the address of these. The first time the whole bitmap is
 * read, later from the nearest point whose rank is known.
 */
async function spreadPoints(
  tools: GribKernels,
  values: BitmapValues,
  index: PackingIndex,
  { from, to }: StoredRange,
): Promise<number> {
  const { kernels } = tools;
  const isFirst = index.ranks === undefined;
  const start = index.ranks === undefined ? 0 : from - (from % index.ranks.step);
  const bits = await copyBits(tools, values.bitmap, start, isFirst ? values.points : to);
  const { step, ranks, ones: count } = (index.ranks ??= rankPoints(tools, values, bits));
  const bitsOf = (point: number) => bits + (point - start) / 8;
  // Bits are counted and spread from full bytes on.
  const first = from - (from % 8);
  const known = from - (from % step);
  const rank = ranks[known / step] + kernels.countBits(bitsOf(known), first - known);
  const ones = kernels.countBits(bitsOf(first), to - first);
  // Values are the last of the points, so that no point lies behind its value.
  const spare = to - first - ones;
  const unpacked = await unpackOnes(tools, values, { from: rank, to: rank + ones, spare }, count);
  const spread = unpacked - 8 * spare;
  kernels.spreadValues(bitsOf(first), to - first, unpacked, spread);
  return spread + 8 * (from - first);
}

/** The address of values, which may be none: what is wrong with the others is found all the same. */
async function unpackOnes(
  { memory }: GribKernels,
  { constant, unpack }: PointValues,
  wanted: WantedValues,
  count: number,
): Promise<number> {
  if (constant === undefined) return unpack(wanted, count);
  const length = wanted.to - wanted.from;
  const values = scratchFor(memory, length, wanted.spare);
  memory.float64(values, length).fill(constant);
  return values;
}

/** Counts the ones of all `bits`. Throws FormatError unless they are as many as values. */
function rankPoints(
  { kernels }: GribKernels,
  { points, constant, assertCount }: BitmapValues,
  bits: number,
): BitmapRanks {
  const step = 64 * Math.max(1, Math.ceil(points / 64 / MAX_PLACES));
  const ranks = new Uint32Array(Math.floor(points / step) + 1);
  let ones = 0;
  for (let i = 0; i < ranks.length; i++) {
    ranks[i] = ones;
    ones += kernels.countBits(bits + (i * step) / 8, Math.min(step, points - i * step));
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

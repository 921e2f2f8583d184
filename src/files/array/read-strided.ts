import type { Box } from './array-file.js';
import type { SwapBytes } from './byte-order.js';
import { copyRun, inUnits } from './copy-box.js';
import type { ByteSpan, RandomAccess } from './random-access.js';

/** Adjacent values are read in pieces of this size, so that the bytes of one are swapped while the next is read. */
const PIECE_BYTES = 4_194_304;
/** Scattered values are read together with the bytes between them, at most this many at once. */
const WINDOW_BYTES = 1_048_576;
/** The bytes between are read if neighbours are at most this far apart, or at most this many times the wanted bytes. */
const NEAR_BYTES = 32_768;
const MAX_WASTE = 8;

/** The places of the elements of an array in a file. */
export interface StridedLayout {
  /** Where the first element begins. */
  readonly begin: number;
  /** The distance of neighbours along each dimension, in bytes. */
  readonly strides: readonly number[];
}

/** The elements of a file. */
export interface StoredElements {
  readonly access: RandomAccess;
  /** The bytes of each: 1, 2, 4 or 8. */
  readonly width: number;
  /** Reverses the bytes of big-endian elements; undefined for little-endian ones. */
  readonly swap: SwapBytes | undefined;
}

/** Equal parts at a distance of `stride` bytes from each other. */
interface Axis {
  readonly count: number;
  readonly stride: number;
}

/**
 * Reads a box to `into`, with little-endian elements, as WebAssembly has them. It uses at most a megabyte of memory
 * besides `into`. Throws what reading the file throws.
 */
export async function readStrided(
  stored: StoredElements,
  layout: StridedLayout,
  box: Box,
  into: Uint8Array,
): Promise<void> {
  if (into.length === 0) return;
  const { axes, run } = joinedRuns(layout.strides, box.count, stored.width);
  await stored.access.fetch?.([...stridedSpans(layout, box, stored.width)]);
  await readAxes(stored, axes, run, beginOf(layout, box), into);
}

/** What `readStrided` reads of a file. */
export function stridedSpans(layout: StridedLayout, box: Box, width: number): Generator<ByteSpan> {
  const { axes, run } = joinedRuns(layout.strides, box.count, width);
  return spansOf(axes, run, beginOf(layout, box));
}

function beginOf({ begin, strides }: StridedLayout, { start }: Box): number {
  return start.reduce((place, first, d) => place + first * strides[d], begin);
}

/** The axes of a box, the slowest first, without those whose elements are adjacent: these are one run of bytes. */
function joinedRuns(
  strides: readonly number[],
  count: readonly number[],
  width: number,
): { axes: Axis[]; run: number } {
  const axes: Axis[] = [];
  let run = width;
  for (let d = count.length - 1; d >= 0; d--) {
    const inner = axes[0];
    if (count[d] === 1) continue;
    if (inner === undefined && strides[d] === run) run *= count[d];
    else if (inner !== undefined && strides[d] === inner.stride * inner.count) {
      axes[0] = { count: inner.count * count[d], stride: inner.stride };
    } else axes.unshift({ count: count[d], stride: strides[d] });
  }
  return { axes, run };
}

/** Fills `into` with the runs of `axes`, the first of which begins at `at`. */
async function readAxes(
  stored: StoredElements,
  axes: readonly Axis[],
  run: number,
  at: number,
  into: Uint8Array,
): Promise<void> {
  if (axes.length === 0) return readRun(stored, at, into);
  const [axis, ...inner] = axes;
  const part = into.length / axis.count;
  const { span, group } = grouped(axes, run);
  if (group <= 1) {
    for (let i = 0; i < axis.count; i++) {
      await readAxes(stored, inner, run, at + i * axis.stride, into.subarray(i * part, (i + 1) * part));
    }
    return;
  }
  const window = new Uint8Array(span + (Math.min(group, axis.count) - 1) * axis.stride);
  for (let i = 0; i < axis.count; i += group) {
    const count = Math.min(group, axis.count - i);
    const wanted = into.subarray(i * part, (i + count) * part);
    const bytes = window.subarray(0, span + (count - 1) * axis.stride);
    await stored.access.read(at + i * axis.stride, bytes);
    gather(bytes, [{ count, stride: axis.stride }, ...inner], run, Math.min(stored.width, 4), wanted);
    stored.swap?.(wanted, stored.width);
  }
}

/** The bytes from the first to the last wanted one of a part of the slowest axis, and how many parts are read together. */
function grouped([axis, ...inner]: readonly Axis[], run: number): { readonly span: number; readonly group: number } {
  const [span, wanted] = inner.reduce(
    ([bytes, own], { count, stride }) => [bytes + (count - 1) * stride, own * count],
    [run, run],
  );
  const isNear = axis.stride <= Math.max(NEAR_BYTES, MAX_WASTE * wanted);
  return { span, group: isNear ? Math.floor((WINDOW_BYTES - span) / axis.stride) + 1 : 0 };
}

/** What `readAxes` reads. */
function* spansOf(axes: readonly Axis[], run: number, at: number): Generator<ByteSpan> {
  if (axes.length === 0) {
    yield { offset: at, length: run };
    return;
  }
  const [axis, ...inner] = axes;
  const { span, group } = grouped(axes, run);
  for (let i = 0; i < axis.count; i += Math.max(1, group)) {
    const offset = at + i * axis.stride;
    if (group <= 1) yield* spansOf(inner, run, offset);
    else yield { offset, length: span + (Math.min(group, axis.count - i) - 1) * axis.stride };
  }
}

async function readRun({ access, width, swap }: StoredElements, at: number, into: Uint8Array): Promise<void> {
  if (swap === undefined) return access.read(at, into);
  const piece = (from: number) => into.subarray(from, from + PIECE_BYTES);
  await access.read(at, piece(0));
  for (let from = 0; from < into.length; from += PIECE_BYTES) {
    const next = from + PIECE_BYTES;
    const reading = next < into.length ? access.read(at + next, piece(next)) : undefined;
    swap(piece(from), width);
    await reading;
  }
}

/** Copies the runs of `axes` out of `bytes`, in units of `unit` bytes: all distances are multiples of it. */
function gather(bytes: Uint8Array, axes: readonly Axis[], run: number, unit: number, into: Uint8Array): void {
  const from = inUnits(bytes, unit);
  const target = inUnits(into, unit);
  const length = run / unit;
  let to = 0;

  function copy(level: number, at: number): void {
    if (level === axes.length) {
      copyRun(from, at, target, to, length);
      to += length;
      return;
    }
    const { count, stride } = axes[level];
    for (let i = 0; i < count; i++) copy(level + 1, at + (i * stride) / unit);
  }
  copy(0, 0);
}

export type { ByteSpan };

/** Spans that are read together. */
export interface ByteRun<T> extends ByteSpan {
  readonly parts: readonly T[];
}

/** Reading up to this many unneeded bytes is cheaper than a second read. */
const MAX_GAP = 32_768;

/** A run is at most this long, unless a single span is longer. */
const MAX_RUN = 4_194_304;

/** Groups spans that lie near each other; all of them if the store cannot read ranges. */
export function byteRuns<T extends ByteSpan>(spans: readonly T[], hasRanges: boolean): ByteRun<T>[] {
  const runs: { offset: number; length: number; parts: T[] }[] = [];
  for (const span of [...spans].sort((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1);
    const end = span.offset + span.length;
    const isNear = run && span.offset <= run.offset + run.length + MAX_GAP && end <= run.offset + MAX_RUN;
    if (run && (isNear || !hasRanges)) {
      run.length = Math.max(run.length, end - run.offset);
      run.parts.push(span);
    } else {
      runs.push({ offset: span.offset, length: span.length, parts: [span] });
    }
  }
  return runs;
}

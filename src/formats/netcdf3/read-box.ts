import type { Box } from '../array-file.js';
import { swapBytes } from '../byte-order.js';
import { copyRun, inUnits } from '../copy-run.js';
import type { RandomAccess } from '../random-access.js';
import type { Layout } from './layout.js';

/** Values that lie together are read in pieces of so many bytes, so that one is turned round while the next is read. */
const PIECE_BYTES = 4_194_304;
/** Values that lie apart are read with what is between them, so many bytes at once. */
const WINDOW_BYTES = 1_048_576;
/** What is between is worth reading where it is shorter than this, or at most so many times what is wanted. */
const NEAR_BYTES = 32_768;
const MOST_WASTE = 8;

/** Equal parts that follow at a distance of `stride` bytes. */
interface Axis {
  readonly count: number;
  readonly stride: number;
}

/**
 * Reads a box of big-endian elements of `width` bytes to `into`, with the bytes in the order of the machine (little-endian, as those of
 * WebAssembly are). Memory is bounded: a megabyte beside `into`. Throws what `access` throws.
 */
export async function readBox(
  access: RandomAccess,
  layout: Layout,
  box: Box,
  width: number,
  into: Uint8Array,
): Promise<void> {
  if (into.length === 0) return;
  const { axes, run } = joinedRuns(layout.strides, box.count, width);
  const at = box.start.reduce((place, first, d) => place + first * layout.strides[d], layout.begin);
  await readAxes(access, axes, run, at, width, into);
}

/** The axes of a box, from the slowest, without those that lie together: they are one run of bytes. */
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

/** Fills `into` with the runs of `axes`, of which the first begins at `at`. */
async function readAxes(
  access: RandomAccess,
  axes: readonly Axis[],
  run: number,
  at: number,
  width: number,
  into: Uint8Array,
): Promise<void> {
  if (axes.length === 0) return readRun(access, at, width, into);
  const [axis, ...inner] = axes;
  const part = into.length / axis.count;
  const span = spanOf(inner, run);
  const isNear = axis.stride - span <= NEAR_BYTES || axis.stride <= MOST_WASTE * part;
  const group = isNear ? Math.floor((WINDOW_BYTES - span) / axis.stride) + 1 : 0;
  if (group <= 1) {
    for (let i = 0; i < axis.count; i++) {
      await readAxes(access, inner, run, at + i * axis.stride, width, into.subarray(i * part, (i + 1) * part));
    }
    return;
  }
  const window = new Uint8Array(span + (Math.min(group, axis.count) - 1) * axis.stride);
  for (let i = 0; i < axis.count; i += group) {
    const count = Math.min(group, axis.count - i);
    const wanted = into.subarray(i * part, (i + count) * part);
    const bytes = window.subarray(0, span + (count - 1) * axis.stride);
    await access.read(at + i * axis.stride, bytes);
    gather(bytes, [{ count, stride: axis.stride }, ...inner], run, Math.min(width, 4), wanted);
    swapBytes(wanted, width);
  }
}

/** The bytes from the first to the last that are wanted. */
function spanOf(axes: readonly Axis[], run: number): number {
  return axes.reduce((span, { count, stride }) => span + (count - 1) * stride, run);
}

async function readRun(access: RandomAccess, at: number, width: number, into: Uint8Array): Promise<void> {
  const piece = (from: number) => into.subarray(from, from + PIECE_BYTES);
  await access.read(at, piece(0));
  for (let from = 0; from < into.length; from += PIECE_BYTES) {
    const next = from + PIECE_BYTES;
    const reading = next < into.length ? access.read(at + next, piece(next)) : undefined;
    swapBytes(piece(from), width);
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

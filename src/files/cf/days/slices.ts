import { type Box, elementBytes } from '../../array/array-file.js';
import { type Extent, forRoles, layoutBox, type Role } from '../array-layout.js';
import { readNumbers } from '../array-reader.js';
import type { NumberValues } from '../value-coding.js';
import { chunkBytes, chunkLengths, partLengths, type ReadPlan } from './read-plan.js';
import { stepsOfDays } from './reduce-days.js';

/** Stored numbers are read this many bytes at a time, unless chunks are larger. */
const SLICE_BYTES = 4 << 20;
/** Days of larger chunks are read in parts of these, where parts can be read apart: to begin each takes time. */
const MAX_DAY_BYTES = 64 << 20;
/** Larger chunks are read in parts, although each part decodes the entire chunk. */
const MAX_PIECE_BYTES = 256 << 20;

/** A part of an array that is read at once, and the days computed from it. */
interface Slice {
  readonly extent: Extent;
  readonly day: number;
  readonly end: number;
}

/** The maximum number of bytes of an extent's slices. */
function sliceBytes(plan: ReadPlan, extent: Extent): number {
  const size = sliceLengths(plan, extent);
  return size.member * size.time * size.y * size.x * elementBytes(plan.layout.array.type);
}

/**
 * Divides the part of an array from which days `day` up to `end` are computed into slices of a few megabytes, which
 * begin and end with stored chunks wherever days do, so that no chunk is decoded twice.
 */
export function* slices(
  plan: ReadPlan,
  extent: Extent,
  day: number,
  end: number,
  isNeeded: (slice: Extent) => boolean = () => true,
): Generator<Slice> {
  const size = sliceLengths(plan, extent);
  const chunk = partLengths(plan.layout);
  for (const member of pieces(extent.member, size.member, chunk.member)) {
    for (const { from, to } of dayRanges(plan, day, end, size.time, chunk.time)) {
      const steps = stepsOfDays(plan, from, to);
      const time = { start: steps.start, count: steps.end - steps.start };
      for (const y of pieces(extent.y, size.y, chunk.y)) {
        for (const x of pieces(extent.x, size.x, chunk.x)) {
          const some = { member, time, y, x };
          if (isNeeded(some)) yield { extent: some, day: from, end: to };
        }
      }
    }
  }
}

/**
 * The lengths of slices along each role: what varies slowest in the file is cut first; days are not cut, and stored
 * chunks only where they are large.
 */
function sliceLengths(plan: ReadPlan, extent: Extent): Record<Role, number> {
  const { layout } = plan;
  const day = Math.min(plan.longestDay, extent.time.count);
  const ofDays = (stored: Record<Role, number>) => ({ ...stored, time: Math.ceil(day / stored.time) * stored.time });
  const [chunk, part] = [chunkLengths(layout), partLengths(layout)];
  const size = forRoles((role) => extent[role].count);
  const bytes = () => size.member * size.time * size.y * size.x * elementBytes(layout.array.type);
  const isCutLast = (role: Role) => role === 'time' && chunk.time > 1;
  const order = (['member', 'time', 'y', 'x'] as const)
    .filter((role) => layout.dimension[role] >= 0)
    .sort((a, b) => Number(isCutLast(a)) - Number(isCutLast(b)) || layout.dimension[a] - layout.dimension[b]);
  const cut = (smallest: Record<Role, number>, most: number) => {
    for (const role of order) {
      while (bytes() > most && size[role] > smallest[role]) {
        size[role] = Math.ceil(size[role] / 2 / smallest[role]) * smallest[role];
      }
    }
  };
  cut(ofDays(chunk), SLICE_BYTES);
  cut(ofDays(part), MAX_DAY_BYTES);
  if (chunkBytes(layout) > MAX_PIECE_BYTES) cut({ member: 1, time: day, y: 1, x: 1 }, SLICE_BYTES);
  return size;
}

function* pieces({ start, count }: Extent[Role], size: number, chunk: number): Generator<Extent[Role]> {
  for (let at = start; at < start + count; ) {
    const aligned = size >= chunk ? Math.floor(at / chunk) * chunk : at;
    const to = Math.min(start + count, aligned + size);
    yield { start: at, count: to - at };
    at = to;
  }
}

/** Groups of days with at most `size` steps, but at least one day, up to the end of a stored chunk. */
function* dayRanges(plan: ReadPlan, day: number, end: number, size: number, chunk: number) {
  for (let from = day; from < end; ) {
    const { start } = stepsOfDays(plan, from, end);
    const aligned = size >= chunk ? Math.floor(start / chunk) * chunk : start;
    let to = from + 1;
    while (to < end && stepsOfDays(plan, to, to + 1).end <= aligned + size) to++;
    yield { from, to };
    from = to;
  }
}

/** What is read while the values before it are in use takes at most so many bytes. */
const MAX_AHEAD_BYTES = 8 << 20;

/** A slice of an array, and its stored numbers, which are good until the next one is requested. */
export interface ReadSlice {
  readonly slice: Slice;
  readonly box: Box;
  readonly values: NumberValues;
}

/** How many reads of so many bytes run at once: other threads decode one while the values of another are used. */
export function readsAtOnce({ layout: { array } }: ReadPlan, bytes: number): number {
  return bytes <= MAX_AHEAD_BYTES && array.readsInTurn !== true ? 2 : 1;
}

/** Bytes of the slices of an extent that are in memory at once. */
export function heldBytes(plan: ReadPlan, extent: Extent): number {
  return sliceBytes(plan, extent) * slicesAtOnce(plan, extent);
}

/** How many slices are in memory at once: the one in use, and where they are short one or, of chunks, two after it. */
function slicesAtOnce(plan: ReadPlan, extent: Extent): number {
  const { layout } = plan;
  const bytes = sliceBytes(plan, extent);
  const { member, time, y, x } = extent;
  const all = member.count * time.count * y.count * x.count * elementBytes(layout.array.type);
  if (bytes >= all || readsAtOnce(plan, bytes) === 1) return 1;
  return layout.array.chunk === undefined || 2 * bytes >= all ? 2 : 3;
}

/**
 * Reads the slices of an extent one after the other, and short ones while those before are in use; those alone that are
 * needed.
 */
export async function* readSlices(
  plan: ReadPlan,
  extent: Extent,
  day: number,
  end: number,
  isNeeded: (slice: Extent) => boolean = () => true,
): AsyncGenerator<ReadSlice> {
  const rest = slices(plan, extent, day, end, isNeeded);
  const bytes = sliceBytes(plan, extent);
  const buffers = Array.from({ length: slicesAtOnce(plan, extent) }, () => new ArrayBuffer(bytes));
  const reads: Promise<ReadSlice>[] = [];
  let turn = 0;
  const readNext = () => {
    const next = rest.next();
    if (next.done === true) return;
    const read = readSlice(plan, next.value, buffers[turn++ % buffers.length]);
    // It may fail before it is awaited; this keeps the runtime from reporting an unhandled rejection.
    read.catch(() => undefined);
    reads.push(read);
  };
  const ahead = Math.max(1, buffers.length - 1);
  for (let read = 0; read < ahead; read++) readNext();
  try {
    for (let read = reads.shift(); read !== undefined; read = reads.shift()) {
      const slice = await read;
      if (buffers.length > 1) readNext();
      yield slice;
      if (buffers.length === 1) readNext();
    }
  } finally {
    // Nothing runs afterwards.
    await Promise.allSettled(reads);
  }
}

async function readSlice({ layout, coding }: ReadPlan, slice: Slice, buffer: ArrayBuffer): Promise<ReadSlice> {
  const box = layoutBox(layout, slice.extent);
  const isEmpty = slice.extent.time.count === 0;
  return { slice, box, values: isEmpty ? NOTHING : await readNumbers(layout.array, box, coding, buffer) };
}

const NOTHING = /* @__PURE__ */ new Float64Array(0);

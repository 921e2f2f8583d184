import { elementBytes } from '../../array/array-file.js';
import type { Extent, Role } from '../array-layout.js';
import { forRoles } from '../array-layout.js';
import { chunkBytes, chunkLengths, partLengths, type ReadPlan } from './read-plan.js';
import { stepsOfDays } from './reduce-days.js';

/** Stored numbers are read this many bytes at a time, unless chunks are larger. */
const SLICE_BYTES = 4 << 20;
/** Days of larger chunks are read in parts of these, where parts can be read apart: to begin each takes time. */
const MAX_DAY_BYTES = 64 << 20;
/** Larger chunks are read in parts, although each part decodes the entire chunk. */
const MAX_PIECE_BYTES = 256 << 20;

/** A part of an array that is read at once, and the days computed from it. */
export interface Slice {
  readonly extent: Extent;
  readonly day: number;
  readonly end: number;
}

/** The maximum number of bytes of an extent's slices. */
export function sliceBytes(plan: ReadPlan, extent: Extent): number {
  const size = sliceLengths(plan, extent);
  return size.member * size.time * size.y * size.x * elementBytes(plan.layout.array.type);
}

/**
 * Divides the part of an array from which days `day` up to `end` are computed into slices of a few megabytes, which
 * begin and end with stored chunks wherever days do, so that no chunk is decoded twice.
 */
export function* slices(plan: ReadPlan, extent: Extent, day: number, end: number): Generator<Slice> {
  const size = sliceLengths(plan, extent);
  const chunk = partLengths(plan.layout);
  for (const member of pieces(extent.member, size.member, chunk.member)) {
    for (const { from, to } of dayRanges(plan, day, end, size.time, chunk.time)) {
      const steps = stepsOfDays(plan, from, to);
      const time = { start: steps.start, count: steps.end - steps.start };
      for (const y of pieces(extent.y, size.y, chunk.y)) {
        for (const x of pieces(extent.x, size.x, chunk.x)) {
          yield { extent: { member, time, y, x }, day: from, end: to };
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

import type { ArrayValues, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, elements, rowStrides } from '../../array/copy-box.js';
import { createArray } from '../value-coding.js';

/** The elements of an array that one dimension of a selection has. */
export type SelectedAxis =
  /** All of a dimension. */
  | { readonly kind: 'all'; readonly dimension: number }
  /** Some of a dimension, in any order, each at most once. */
  | { readonly kind: 'some'; readonly dimension: number; readonly indices: Int32Array }
  /** Pairs of indices of two dimensions, in the order of the array, under the name of the second. */
  | {
      readonly kind: 'pairs';
      readonly dimensions: readonly [number, number];
      readonly indices: readonly [Int32Array, Int32Array];
    };

/** A part of a selection's axis that is read at once: a range of each of its dimensions. */
interface Piece {
  readonly ranges: readonly { readonly dimension: number; readonly first: number; readonly count: number }[];
  /** For each of its elements the index within each range, and its place among the elements to read. */
  readonly within: readonly Int32Array[];
  readonly to: Int32Array;
}

/** Elements that are farther apart than this many values are read one by one, unless they are in the same chunk. */
const MAX_GAP = 4096;

/**
 * Creates an array of some elements of another one; its dimensions are those of `axes`. Only the boxes around the
 * selected elements are read. Chunks keep their size.
 */
export function selectedArray(array: StoredArray, axes: readonly SelectedAxis[]): StoredArray {
  const nameDimension = (axis: SelectedAxis) => (axis.kind === 'pairs' ? axis.dimensions[1] : axis.dimension);
  const chunkOf = (dimension: number) => array.chunk?.[dimension] ?? 1;
  const head = {
    ...{ name: array.name, type: array.type, attributes: array.attributes },
    dimensions: axes.map((axis) => array.dimensions[nameDimension(axis)]),
    shape: axes.map((axis) => axisLength(array, axis)),
  };
  return {
    ...head,
    ...(array.chunk && {
      chunk: axes.map((axis) =>
        axis.kind === 'pairs' ? chunkOf(axis.dimensions[0]) * chunkOf(axis.dimensions[1]) : chunkOf(axis.dimension),
      ),
    }),
    ...(array.filters && { filters: array.filters }),
    ...(array.notices && { notices: array.notices }),
    ...(array.severalRuns && { severalRuns: array.severalRuns }),
    async read(box, into) {
      checkedBytes(head, box, into);
      if (elements(box.count) === 0) return [];
      const absent: Box[] = [];
      const pieces = axes.map((axis, d) => axisPieces(array, axis, box.start[d], box.count[d]));
      for (const parts of combinations(pieces)) {
        for (const part of isInflated(parts) ? combinations(parts.map((piece) => byChunk(array, piece))) : [parts])
          absent.push(...(await readPart(array, part, box, into)));
      }
      return absent;
    },
    readTexts: () => array.readTexts(),
  };
}

function axisLength({ shape }: StoredArray, axis: SelectedAxis): number {
  if (axis.kind === 'all') return shape[axis.dimension];
  return axis.kind === 'some' ? axis.indices.length : axis.indices[0].length;
}

/** The pieces of a range of an axis. */
function axisPieces(array: StoredArray, axis: SelectedAxis, start: number, count: number): Piece[] {
  if (axis.kind === 'all') return [{ ...consecutive(axis.dimension, start, count), to: ascending(count) }];
  if (axis.kind === 'pairs') {
    const [ys, xs] = axis.indices.map((indices) => hull(indices.subarray(start, start + count)));
    const ranges = [
      { dimension: axis.dimensions[0], first: ys.first, count: ys.count },
      { dimension: axis.dimensions[1], first: xs.first, count: xs.count },
    ];
    return [{ ranges, within: [ys.within, xs.within], to: ascending(count) }];
  }
  const { dimension } = axis;
  const wanted = axis.indices.subarray(start, start + count);
  return groupNear(array, dimension, wanted).map((to) => {
    const { first, count: length, within } = hull(to.map((place) => wanted[place]));
    return { ranges: [{ dimension, first, count: length }], within: [within], to };
  });
}

function consecutive(dimension: number, first: number, count: number): Pick<Piece, 'ranges' | 'within'> {
  return { ranges: [{ dimension, first, count }], within: [ascending(count)] };
}

function ascending(count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, i) => i);
}

/** The smallest range that contains indices, and each index within it. */
function hull(indices: Int32Array): { first: number; count: number; within: Int32Array } {
  const first = indices.reduce((least, index) => Math.min(least, index));
  const last = indices.reduce((most, index) => Math.max(most, index));
  return { first, count: last - first + 1, within: indices.map((index) => index - first) };
}

/**
 * Groups indices that are best read together: neighbours, those of one chunk, and those with small gaps between them.
 */
function groupNear({ chunk, shape }: StoredArray, dimension: number, indices: Int32Array): Int32Array[] {
  const sorted = ascending(indices.length).sort((a, b) => indices[a] - indices[b]);
  const inner = elements(shape.slice(dimension + 1));
  const groups: Int32Array[] = [];
  let begin = 0;
  for (let i = 1; i <= sorted.length; i++) {
    if (i < sorted.length) {
      const [one, other] = [indices[sorted[i - 1]], indices[sorted[i]]];
      const length = chunk?.[dimension];
      const isNear =
        length === undefined
          ? (other - one - 1) * inner <= MAX_GAP
          : Math.floor(other / length) - Math.floor(one / length) <= 1;
      if (isNear) continue;
    }
    groups.push(sorted.slice(begin, i));
    begin = i;
  }
  return groups;
}

/** Every combination of one item of each list. */
function* combinations<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...others] = lists;
  if (first === undefined) return yield [];
  for (const item of first) for (const rest of combinations(others)) yield [item, ...rest];
}

/** Whether much more is read than is selected. */
function isInflated(parts: readonly Piece[]): boolean {
  const read = elements(parts.flatMap(({ ranges }) => ranges.map(({ count }) => count)));
  return read > 2 * elements(parts.map(({ to }) => to.length));
}

/** Divides a piece of consecutive elements into parts of one stored chunk, so that little is read at a time. */
function byChunk({ chunk }: StoredArray, piece: Piece): Piece[] {
  const [{ dimension, first, count }] = piece.ranges;
  if (piece.ranges.length > 1 || count !== piece.to.length) return [piece];
  const length = chunk?.[dimension] ?? 1;
  const parts: Piece[] = [];
  for (let at = 0; at < count; ) {
    const end = Math.min(count, (Math.floor((first + at) / length) + 1) * length - first);
    parts.push({ ...consecutive(dimension, first + at, end - at), to: piece.to.slice(at, end) });
    at = end;
  }
  return parts;
}

/** Reads one part of a box; returns the boxes of the selection that are not stored. */
async function readPart(array: StoredArray, part: readonly Piece[], box: Box, into: ArrayValues): Promise<Box[]> {
  const source = { start: array.shape.map(() => 0), count: array.shape.map(() => 1) };
  for (const { dimension, first, count } of part.flatMap(({ ranges }) => ranges)) {
    source.start[dimension] = first;
    source.count[dimension] = count;
  }
  if (isDirect(part, box)) {
    const absent = await array.read(source, into);
    return absent.flatMap((each) => selectedBoxes(part, each, box));
  }
  const values = createArray(array.type, elements(source.count));
  const absent = await array.read(source, values);
  const strides = rowStrides(source.count);
  const targets = rowStrides(box.count);
  const from = part.map(({ ranges, within }) =>
    within[0].map((index, i) =>
      ranges.reduce((offset, { dimension }, r) => offset + (r === 0 ? index : within[r][i]) * strides[dimension], 0),
    ),
  );
  const to = part.map((piece, d) => piece.to.map((place) => place * targets[d]));
  copyElements(values as Float64Array, into as Float64Array, from, to);
  return absent.flatMap((each) => selectedBoxes(part, each, box));
}

/** Whether the elements of a part are all of the box, in its order. */
function isDirect(part: readonly Piece[], { count }: Box): boolean {
  return part.every(
    ({ ranges, within, to }, d) =>
      ranges.length === 1 &&
      to.length === count[d] &&
      ranges[0].count === to.length &&
      within[0].every((index, i) => index === i && to[i] === i),
  );
}

function copyElements(
  values: Float64Array,
  into: Float64Array,
  from: readonly Int32Array[],
  to: readonly Int32Array[],
  depth = 0,
  source = 0,
  target = 0,
): void {
  if (depth === from.length) {
    into[target] = values[source];
    return;
  }
  const [offsets, places] = [from[depth], to[depth]];
  if (depth === from.length - 1) {
    for (let i = 0; i < offsets.length; i++) into[target + places[i]] = values[source + offsets[i]];
    return;
  }
  for (let i = 0; i < offsets.length; i++)
    copyElements(values, into, from, to, depth + 1, source + offsets[i], target + places[i]);
}

/** The boxes of the selection whose elements are within a box of the array. */
function selectedBoxes(part: readonly Piece[], absent: Box, { start }: Box): Box[] {
  const isWithin = (dimension: number, index: number) =>
    index >= absent.start[dimension] && index < absent.start[dimension] + absent.count[dimension];
  const ranges = part.map(({ ranges: own, within, to }, d) => {
    const isAbsent = (i: number) => own.every(({ dimension, first }, r) => isWithin(dimension, first + within[r][i]));
    const places = to.filter((_, i) => isAbsent(i)).sort();
    return [...runsOf(places)].map(({ first, count }) => ({ first: start[d] + first, count }));
  });
  return Array.from(combinations(ranges), (each) => ({
    start: each.map(({ first }) => first),
    count: each.map(({ count }) => count),
  }));
}

function* runsOf(places: Int32Array): Generator<{ first: number; count: number }> {
  for (let i = 0; i < places.length; ) {
    let end = i + 1;
    while (end < places.length && places[end] === places[end - 1] + 1) end++;
    yield { first: places[i], count: end - i };
    i = end;
  }
}

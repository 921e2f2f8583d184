import type { ArrayValues, Box } from './array-file.js';

/** Values that contain a box: the first element, and the distance between neighbours along each dimension. */
export interface Placed {
  readonly values: ArrayValues;
  readonly start: readonly number[];
  readonly strides: readonly number[];
}

/** A dimension to copy along. */
interface Loop {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** Longer rows are copied by one call. */
const SHORT = 24;

/** Stands for any array of numbers: both sides have the same type. */
type Numbers = Float64Array;

/** Copies a box that both sides contain from one to the other, in the longest possible rows. */
export function copyBox(from: Placed, to: Placed, box: Box): void {
  const loops = createLoops(from, to, box);
  const inner = loops.pop() ?? { count: 1, from: 1, to: 1 };
  const copyRow = rowCopier(from.values as Numbers, to.values as Numbers, inner);
  walk(loops, 0, offsetOf(from, box), offsetOf(to, box), copyRow);
}

/** The strides of values that are stored with the last dimension fastest. */
export function rowStrides(shape: readonly number[]): readonly number[] {
  const strides = Array<number>(shape.length).fill(1);
  for (let d = shape.length - 2; d >= 0; d--) strides[d] = strides[d + 1] * shape[d + 1];
  return strides;
}

/** The dimensions of a box with more than one element; neighbours that form one row on both sides are joined. */
function createLoops(from: Placed, to: Placed, { count }: Box): Loop[] {
  const loops: Loop[] = [];
  for (const [d, length] of count.entries()) {
    if (length === 1) continue;
    const loop = { count: length, from: from.strides[d], to: to.strides[d] };
    const outer = loops.at(-1);
    const isOneRow = outer?.from === length * loop.from && outer.to === length * loop.to;
    if (isOneRow) loops[loops.length - 1] = { ...loop, count: length * outer.count };
    else loops.push(loop);
  }
  return loops;
}

function offsetOf({ start, strides }: Placed, box: Box): number {
  return strides.reduce((offset, stride, d) => offset + (box.start[d] - start[d]) * stride, 0);
}

function walk(
  loops: readonly Loop[],
  depth: number,
  from: number,
  to: number,
  copyRow: (from: number, to: number) => void,
): void {
  if (depth === loops.length) {
    copyRow(from, to);
    return;
  }
  const loop = loops[depth];
  for (let i = 0; i < loop.count; i++) walk(loops, depth + 1, from + i * loop.from, to + i * loop.to, copyRow);
}

function rowCopier(source: Numbers, target: Numbers, { count, from, to }: Loop): (at: number, into: number) => void {
  if (from === 1 && to === 1 && count > SHORT) {
    return (at, into) => target.set(source.subarray(at, at + count), into);
  }
  return (at, into) => {
    for (let i = 0; i < count; i++) target[into + i * to] = source[at + i * from];
  };
}

import { NUMBER_ARRAYS } from '../../core/number-arrays.js';
import { OptionError } from '../../errors.js';
import type { ArrayType, ArrayValues, Box } from './array-file.js';

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

/** Bytes in the units in which they are copied. */
type Units = Uint8Array | Uint16Array | Uint32Array;

/** For shorter runs, a call takes longer than a loop. */
const SHORT_RUN = 32;

/** A view of bytes in units of 1, 2 or 4; they begin at a multiple of `unit`. */
export function inUnits({ buffer, byteOffset, length }: Uint8Array, unit: number): Units {
  if (unit === 4) return new Uint32Array(buffer, byteOffset, length >> 2);
  if (unit === 2) return new Uint16Array(buffer, byteOffset, length >> 1);
  return new Uint8Array(buffer, byteOffset, length);
}

/** Copies `length` units from `from`, beginning at `at`, to `target`, beginning at `to`. */
export function copyRun(from: Units, at: number, target: Units, to: number, length: number): void {
  if (length > SHORT_RUN) target.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) target[to + i] = from[at + i];
}

/** Where the elements of a part are one after the other among the ones of a box; undefined where they are not. */
export function placeOfRow(part: Box, box: Box): number | undefined {
  const divided = part.count.findLastIndex((length, d) => length !== box.count[d]);
  if (part.count.slice(0, Math.max(0, divided)).some((length) => length !== 1)) return undefined;
  const strides = rowStrides(box.count);
  return part.start.reduce((at, start, d) => at + (start - box.start[d]) * strides[d], 0);
}

/** The number of elements in a box of these lengths: one if there are no dimensions. */
export function elements(count: readonly number[]): number {
  return count.reduce((product, length) => product * length, 1);
}

/**
 * The bytes of `into` that the values of a box fill. Throws OptionError where the box is not within the array, where
 * the array has texts, and where `into` is of another type or too short.
 */
export function checkedBytes(
  array: { readonly name: string; readonly type: ArrayType; readonly shape: readonly number[] },
  { start, count }: Box,
  into: ArrayValues,
): Uint8Array {
  const { name, type, shape } = array;
  const isWithin = (length: number, dimension: number) => {
    const first = start[dimension];
    const size = count[dimension];
    return Number.isInteger(first) && Number.isInteger(size) && first >= 0 && size >= 0 && first + size <= length;
  };
  if (start.length !== shape.length || count.length !== shape.length || !shape.every(isWithin)) {
    const received = `start ${start.join(', ')} count ${count.join(', ')}`;
    throw new OptionError({
      subject: name,
      problem: 'box is not within the array',
      received,
      allowed: shape.join(' x '),
    });
  }
  if (type === 'text')
    throw new OptionError({ subject: name, problem: 'is an array of texts', allowed: 'readTexts()' });
  const { name: wanted } = NUMBER_ARRAYS[type];
  const length = elements(count);
  if (into.constructor.name !== wanted || into.length < length) {
    const received = `${into.constructor.name} of ${into.length}`;
    throw new OptionError({ subject: name, problem: 'values do not fit', received, allowed: `${wanted} of ${length}` });
  }
  return new Uint8Array(into.buffer, into.byteOffset, length * into.BYTES_PER_ELEMENT);
}

/** The OptionError for `readTexts` of an array of numbers. */
export function notText(name: string): OptionError {
  return new OptionError({ subject: name, problem: 'is an array of numbers', allowed: 'read()' });
}

/** The places, in the grid of chunks, of the chunks that overlap a box: the last dimension fastest. */
export function* touchedChunks(chunk: readonly number[], { start, count }: Box): Generator<readonly number[]> {
  if (count.includes(0)) return;
  const first = start.map((at, d) => Math.floor(at / chunk[d]));
  const last = start.map((at, d) => Math.floor((at + count[d] - 1) / chunk[d]));
  const place = [...first];
  for (;;) {
    yield [...place];
    let d = place.length - 1;
    while (d >= 0 && place[d] === last[d]) {
      place[d] = first[d];
      d--;
    }
    if (d < 0) return;
    place[d]++;
  }
}

/** The part of a box that lies in a chunk. */
export function chunkOverlap(place: readonly number[], chunk: readonly number[], box: Box): Box {
  const start = box.start.map((at, d) => Math.max(at, place[d] * chunk[d]));
  const count = start.map((at, d) => Math.min(box.start[d] + box.count[d], (place[d] + 1) * chunk[d]) - at);
  return { start, count };
}

import { NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { unusable } from '../../errors.js';
import type { ValueBox } from '../netcdf4/netcdf-content.js';
import type { ArrayValues } from './array-file.js';

/** A chunk with all of its values; those outside of the array are fill values. */
export interface CompleteChunk {
  readonly start: readonly number[];
  readonly values: ArrayValues;
}

interface OpenChunk extends CompleteChunk {
  /** The number of values that are still missing. */
  missing: number;
}

/**
 * Cuts boxes of values into chunks. It holds chunks until boxes have filled them: few chunks, if boxes arrive in the
 * order of the array or consist of full chunks.
 */
export class ChunkAssembler {
  readonly #shape: readonly number[];
  readonly #chunk: readonly number[];
  readonly #emptyChunk: () => ArrayValues;
  readonly #open = new Map<number, OpenChunk>();

  /** `emptyChunk` creates a chunk of fill values. */
  constructor(shape: readonly number[], chunk: readonly number[], emptyChunk: () => ArrayValues) {
    this.#shape = shape;
    this.#chunk = chunk;
    this.#emptyChunk = emptyChunk;
  }

  /** Takes the values of a box, and yields the chunks that it completes. */
  *add(box: ValueBox): Generator<CompleteChunk> {
    const first = box.start.map((at, d) => Math.floor(at / this.#chunk[d]));
    const count = box.start.map((at, d) => Math.ceil((at + box.count[d]) / this.#chunk[d]) - first[d]);
    if (box.count.includes(0)) return;
    for (const step of places(count)) {
      const start = step.map((at, d) => (first[d] + at) * this.#chunk[d]);
      const key = this.#keyOf(start);
      const open = this.#open.get(key) ?? this.#begin(start);
      open.missing -= this.#copy(box, open);
      if (open.missing > 0) {
        this.#open.set(key, open);
      } else {
        this.#open.delete(key);
        yield open;
      }
    }
  }

  /** The chunks that have some values, but not all. */
  rest(): Iterable<CompleteChunk> {
    return this.#open.values();
  }

  #begin(start: readonly number[]): OpenChunk {
    const missing = product(start.map((at, d) => Math.min(this.#chunk[d], this.#shape[d] - at)));
    return { start, values: this.#emptyChunk(), missing };
  }

  /** Copies the values that box and chunk share, run by run; returns their number. */
  #copy(box: ValueBox, { start, values }: OpenChunk): number {
    const from = start.map((at, d) => Math.max(at, box.start[d]));
    const count = from.map((at, d) => Math.min(start[d] + this.#chunk[d], box.start[d] + box.count[d]) - at);
    const inBox = strides(box.count);
    const inChunk = strides(this.#chunk);
    // Trailing dimensions that the copy covers completely on both sides are one run.
    let run = count.length - 1;
    while (run > 0 && count[run] === box.count[run] && count[run] === this.#chunk[run]) run--;
    const length = run < 0 ? 1 : count[run] * inBox[run];
    const source = offset(from, box.start, inBox);
    const target = offset(from, start, inChunk);
    for (const step of places(count.slice(0, Math.max(run, 0)))) {
      const at = source + offset(step, [], inBox);
      values.set(box.values.subarray(at, at + length) as never, target + offset(step, [], inChunk));
    }
    return product(count);
  }

  #keyOf(start: readonly number[]): number {
    let key = 0;
    for (let d = 0; d < start.length; d++) {
      key = key * Math.ceil(this.#shape[d] / this.#chunk[d]) + start[d] / this.#chunk[d];
    }
    return key;
  }
}

/** Every place of a box of the given size, the last dimension fastest. */
function* places(count: readonly number[]): Generator<readonly number[]> {
  const at = count.map(() => 0);
  for (;;) {
    yield at;
    let d = count.length - 1;
    for (; d >= 0 && ++at[d] === count[d]; d--) at[d] = 0;
    if (d < 0) return;
  }
}

function strides(shape: readonly number[]): number[] {
  const result = shape.map(() => 1);
  for (let d = shape.length - 2; d >= 0; d--) result[d] = result[d + 1] * shape[d + 1];
  return result;
}

function offset(at: readonly number[], from: readonly number[], stride: readonly number[]): number {
  return at.reduce((sum, place, d) => sum + (place - (from[d] ?? 0)) * stride[d], 0);
}

export function product(numbers: readonly number[]): number {
  return numbers.reduce((result, number) => result * number, 1);
}

/** `length` values, each of them `fill`, zero by default. */
export function filledValues(type: NumberType, length: number, fill = 0): ArrayValues {
  if (typeof fill !== 'number') throw unusable('fillValue', fill, 'a number');
  if (type === 'int64' || type === 'uint64') return new NUMBER_ARRAYS[type](length).fill(BigInt(fill));
  return new NUMBER_ARRAYS[type](length).fill(fill);
}

import { CoreError } from '../errors.js';
import type { FloatArray } from './float-array.js';
import type { Core } from './load.js';

/** A run of values as Arrow has them: `bitmap`, where there is one, says from bit `firstBit` on which of them are valid. */
export interface ColumnChunk {
  readonly values: FloatArray;
  readonly bitmap?: Uint8Array;
  readonly firstBit?: number;
}

/** The values of one member, in one or more chunks. */
export class MemberColumn {
  readonly name: string;
  readonly chunks: readonly ColumnChunk[];
  readonly length: number;
  /** The row that each chunk begins with. */
  readonly #starts: number[] = [];
  /** Where the values lie, if all in one chunk and none is told missing: their view forgets when the core's memory grows. */
  readonly #buffer: ArrayBufferLike | undefined;
  readonly #address: number = 0;

  constructor(name: string, chunks: readonly ColumnChunk[]) {
    this.name = name;
    this.chunks = chunks;
    let length = 0;
    for (const chunk of chunks) {
      this.#starts.push(length);
      length += chunk.values.length;
    }
    this.length = length;
    if (chunks.length === 1 && chunks[0].bitmap === undefined) {
      this.#buffer = chunks[0].values.buffer;
      this.#address = chunks[0].values.byteOffset;
    }
  }

  /** The address of the values where they lie in one chunk and without a bitmap in the memory of `core`. */
  addressIn(core: Core): number | undefined {
    return this.#buffer !== undefined && core.memory.holds(this.#buffer) ? this.#address : undefined;
  }

  /** The value of a row; NaN where it is missing. */
  value(row: number): number {
    const index = this.#chunkOf(row);
    const { values, bitmap, firstBit = 0 } = this.chunks[index];
    const place = row - this.#starts[index];
    const bit = firstBit + place;
    return bitmap !== undefined && !((bitmap[bit >> 3] >> (bit & 7)) & 1) ? Number.NaN : values[place];
  }

  /** The rows from `from` up to, not including, `to`, as a column that shares their memory. Throws CoreError as `copyTo` does. */
  slice(from: number, to: number): MemberColumn {
    const chunks: ColumnChunk[] = [];
    for (let index = this.#chunkOf(from); from < to; index++) {
      const { values, bitmap, firstBit = 0 } = this.#chunk(index);
      const start = from - this.#starts[index];
      const end = Math.min(values.length, start + to - from);
      if (end > start) chunks.push({ values: values.subarray(start, end), bitmap, firstBit: firstBit + start });
      from += end - start;
    }
    return new MemberColumn(this.name, chunks);
  }

  /**
   * Copies rows to `target` from place `at` on, missing ones as NaN. Throws CoreError where the values lie in the memory of a
   * core that has grown since, so that they are gone from view.
   */
  copyTo(target: FloatArray, at: number, from: number, to: number): void {
    for (let index = this.#chunkOf(from); from < to; index++) {
      const chunk = this.#chunk(index);
      const start = from - this.#starts[index];
      const end = Math.min(chunk.values.length, start + to - from);
      target.set(chunk.values.subarray(start, end), at);
      if (chunk.bitmap !== undefined)
        clearInvalid(target, at, chunk.bitmap, (chunk.firstBit ?? 0) + start, end - start);
      at += end - start;
      from += end - start;
    }
  }

  #chunk(index: number): ColumnChunk {
    const chunk = this.chunks[index];
    const length = (this.#starts[index + 1] ?? this.length) - this.#starts[index];
    if (chunk.values.length === length) return chunk;
    throw new CoreError({
      subject: `column ${this.name}`,
      problem: "its values are detached: the core's memory, in which they lie, has grown",
      allowed: 'a column made anew of a view on the memory, which keeps its addresses',
    });
  }

  /** The last chunk that begins at or before a row. */
  #chunkOf(row: number): number {
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Writes NaN where a bit of an Arrow validity bitmap (least significant first) is 0. */
function clearInvalid(target: FloatArray, at: number, bitmap: Uint8Array, firstBit: number, count: number): void {
  for (let i = 0; i < count; i++) {
    const bit = firstBit + i;
    const byte = bitmap[bit >> 3];
    if (byte === 255) i += 7 - (bit & 7);
    else if (!((byte >> (bit & 7)) & 1)) target[at + i] = Number.NaN;
  }
}

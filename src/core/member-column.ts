import { CoreError, type OptionError, unusable } from '../errors.js';
import type { Core } from './load.js';
import type { CoreMemory } from './memory.js';
import { type FloatArray, type FloatType, isFloatArray } from './number-arrays.js';

/**
 * Values as Arrow stores them: the bits of `bitmap`, if there is one, say from `firstBit` on which of them are valid.
 */
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
  /** The type of all chunks; undefined if they differ, or there are none. */
  readonly type: FloatType | undefined;
  /** Of a column that is in place although other values lie between its days: how many values a day is from the next. */
  declare readonly dayStride?: number;
  /** The row that each chunk begins with, and the number of rows. */
  readonly #starts = [0];
  /**
   * Where the values are, if they are in one chunk without a bitmap: a view loses this when the core's memory grows.
   */
  readonly #span: Span | undefined;
  /** A memory in which they are not: they never come there. */
  #elsewhere: CoreMemory | undefined;

  /**
   * Throws OptionError for chunks that are not arrays of floats, and for bitmaps that are shorter than their values.
   */
  constructor(name: string, chunks: readonly ColumnChunk[]) {
    if (typeof name !== 'string') throw unusable('name of a column', name, 'a text');
    if (!Array.isArray(chunks)) throw notChunks(name, chunks);
    this.name = name;
    this.chunks = chunks;
    let length = 0;
    let singles = 0;
    for (const chunk of chunks) {
      assertChunk(name, chunk);
      if (chunk.values instanceof Float32Array) singles++;
      length += chunk.values.length;
      this.#starts.push(length);
    }
    this.length = length;
    if (chunks.length > 0 && singles % chunks.length === 0) this.type = singles > 0 ? 'float32' : 'float64';
    if (chunks.length === 1 && !chunks[0].bitmap) this.#span = spanOf(chunks[0].values);
  }

  /**
   * The address of the values if they are in the memory of `core`, in one chunk without a bitmap. Throws OptionError
   * for values in a part of the memory that was released, as scratch data may overwrite them.
   */
  addressIn({ memory }: Core): number | undefined {
    if (this.#elsewhere === memory) return undefined;
    if (this.#span) {
      if (this.#liesIn(memory, this.#span)) return this.#span[1];
      this.#elsewhere = memory;
      return undefined;
    }
    for (const { values } of this.chunks) this.#liesIn(memory, spanOf(values));
    return undefined;
  }

  /** The value of a row; NaN where it is missing. Throws OptionError for a row that the column does not have. */
  value(row: number): number {
    if (!isSpan(row, row, this.length - 1)) throw this.#noRows(row, row);
    const index = this.#chunkOf(row);
    const { values, bitmap, firstBit = 0 } = this.chunks[index];
    const place = row - this.#starts[index];
    const bit = firstBit + place;
    return bitmap && !((bitmap[bit >> 3] >> (bit & 7)) & 1) ? Number.NaN : values[place];
  }

  /** The rows from `from` to `to` (exclusive), as a column that shares their memory. Throws as `copyTo` does. */
  slice(from: number, to: number): MemberColumn {
    if (!isSpan(from, to, this.length)) throw this.#noRows(from, to);
    const chunks: ColumnChunk[] = [];
    for (let index = this.#chunkOf(from); from < to; index++) {
      const { values, bitmap, firstBit = 0 } = this.#chunk(index);
      const start = from - this.#starts[index];
      const count = Math.min(values.length - start, to - from);
      if (count > 0) chunks.push({ values: values.subarray(start, start + count), bitmap, firstBit: firstBit + start });
      from += count;
    }
    return new MemberColumn(this.name, chunks);
  }

  /**
   * Copies rows to `target`, beginning at index `at`; missing values become NaN. Throws CoreError if the values are a
   * detached view of a core's memory, which has grown since, and OptionError for rows that the column or the target
   * does not have.
   */
  copyTo(target: FloatArray, at: number, from: number, to: number): void {
    if (!isSpan(from, to, this.length) || !isFloatArray(target) || !isSpan(at, at, target.length + from - to)) {
      throw this.#noRows(from, to);
    }
    for (let index = this.#chunkOf(from); from < to; index++) {
      const { values, bitmap, firstBit = 0 } = this.#chunk(index);
      const start = from - this.#starts[index];
      const count = Math.min(values.length - start, to - from);
      // A view costs more than a few values.
      if (count < 32) for (let i = 0; i < count; i++) target[at + i] = values[start + i];
      else target.set(values.subarray(start, start + count), at);
      if (bitmap) clearInvalid(target, at, bitmap, firstBit + start, count);
      at += count;
      from += count;
    }
  }

  #liesIn(memory: CoreMemory, [buffer, from, to]: Span): boolean {
    if (!memory.holds(buffer)) return false;
    if (!memory.isFree(from, to, buffer)) return true;
    throw unusable(`column ${this.name}`, 'values in released memory of the core', 'allocated memory');
  }

  #noRows(from: number, to: number): OptionError {
    return unusable(`rows of column ${this.name}`, [from, to], `rows from 0 to ${this.length}, and a target that fits`);
  }

  #chunk(index: number): ColumnChunk {
    const chunk = this.chunks[index];
    if (chunk.values.length === this.#starts[index + 1] - this.#starts[index]) return chunk;
    throw new CoreError({
      subject: `column ${this.name}`,
      problem: 'is detached, as the memory of the core has grown',
      allowed: 'a new column of a new view',
    });
  }

  /** The last chunk that begins at or before a row. */
  #chunkOf(row: number): number {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle] <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Where the bytes of values are in their buffer. */
type Span = readonly [buffer: ArrayBufferLike, from: number, to: number];

function spanOf({ buffer, byteOffset, byteLength }: FloatArray): Span {
  return [buffer, byteOffset, byteOffset + byteLength];
}

/** Whether both are whole numbers, `from` is not below 0, and `to` not above `length`. */
function isSpan(from: number, to: number, length: number): boolean {
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to <= length;
}

function assertChunk(name: string, chunk: ColumnChunk): void {
  const { values, bitmap, firstBit = 0 }: Partial<ColumnChunk> = chunk ?? {};
  if (!isFloatArray(values)) throw notChunks(name, chunk);
  if (bitmap === undefined) return;
  if (!(bitmap instanceof Uint8Array && isSpan(firstBit, firstBit, 8 * bitmap.length - values.length))) {
    throw notChunks(name, [`${values.length} values`, bitmap?.length, firstBit]);
  }
}

function notChunks(name: string, received: unknown): OptionError {
  return unusable(
    `chunks of column ${name}`,
    received,
    '{ values, bitmap?, firstBit? }: floats, and bytes with a bit for each',
  );
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

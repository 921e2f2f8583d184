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
  /** The row that each chunk begins with. */
  readonly #starts: number[] = [];
  /**
   * Where the values are, if they are in one chunk without a bitmap: a view loses this when the core's memory grows.
   */
  readonly #buffer: ArrayBufferLike | undefined;
  readonly #address: number = 0;
  readonly #end: number = 0;

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
      this.#starts.push(length);
      length += chunk.values.length;
    }
    this.length = length;
    if (chunks.length > 0 && singles % chunks.length === 0) this.type = singles > 0 ? 'float32' : 'float64';
    if (chunks.length === 1 && chunks[0].bitmap === undefined) {
      this.#buffer = chunks[0].values.buffer;
      this.#address = chunks[0].values.byteOffset;
      this.#end = this.#address + chunks[0].values.byteLength;
    }
  }

  /**
   * The address of the values if they are in the memory of `core`, in one chunk without a bitmap. Throws OptionError
   * for values in a part of the memory that was released, as scratch data may overwrite them.
   */
  addressIn({ memory }: Core): number | undefined {
    if (this.#buffer !== undefined)
      return this.#liesIn(memory, this.#buffer, this.#address, this.#end) ? this.#address : undefined;
    for (const { values } of this.chunks) {
      this.#liesIn(memory, values.buffer, values.byteOffset, values.byteOffset + values.byteLength);
    }
    return undefined;
  }

  /** The value of a row; NaN where it is missing. Throws OptionError for a row that the column does not have. */
  value(row: number): number {
    if (!Number.isInteger(row) || row < 0 || row >= this.length) throw this.#noRows(row, row);
    const index = this.#chunkOf(row);
    const { values, bitmap, firstBit = 0 } = this.chunks[index];
    const place = row - this.#starts[index];
    const bit = firstBit + place;
    return bitmap !== undefined && !((bitmap[bit >> 3] >> (bit & 7)) & 1) ? Number.NaN : values[place];
  }

  /** The rows from `from` to `to` (exclusive), as a column that shares their memory. Throws as `copyTo` does. */
  slice(from: number, to: number): MemberColumn {
    if (!isSpan(from, to, this.length)) throw this.#noRows(from, to);
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
   * Copies rows to `target`, beginning at index `at`; missing values become NaN. Throws CoreError if the values are a
   * detached view of a core's memory, which has grown since, and OptionError for rows that the column or the target
   * does not have.
   */
  copyTo(target: FloatArray, at: number, from: number, to: number): void {
    const isTarget = isFloatArray(target) && Number.isSafeInteger(at);
    if (!isSpan(from, to, this.length) || !isTarget || !isSpan(at, at + to - from, target.length)) {
      throw this.#noRows(from, to);
    }
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

  #liesIn(memory: CoreMemory, buffer: ArrayBufferLike, from: number, to: number): boolean {
    if (!memory.holds(buffer)) return false;
    if (!memory.isFree(from, to, buffer)) return true;
    throw unusable(
      `column ${this.name}`,
      'values in memory of the core that was released',
      'values in allocated memory',
    );
  }

  #noRows(from: number, to: number): OptionError {
    return unusable(`rows of column ${this.name}`, [from, to], `rows from 0 to ${this.length}, and a target that fits`);
  }

  #chunk(index: number): ColumnChunk {
    const chunk = this.chunks[index];
    const length = (this.#starts[index + 1] ?? this.length) - this.#starts[index];
    if (chunk.values.length === length) return chunk;
    throw new CoreError({
      subject: `column ${this.name}`,
      problem: "its values are detached, as the core's memory has grown",
      allowed: 'a new column of a new view',
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

/** Whether the rows from `from` to `to` (exclusive) are among `length` rows. */
function isSpan(from: number, to: number, length: number): boolean {
  return Number.isSafeInteger(from) && Number.isSafeInteger(to) && from >= 0 && to <= length;
}

function assertChunk(name: string, chunk: ColumnChunk): void {
  const { values, bitmap, firstBit = 0 }: Partial<ColumnChunk> = chunk ?? {};
  if (!isFloatArray(values)) throw notChunks(name, chunk);
  if (bitmap === undefined) return;
  if (
    !(
      bitmap instanceof Uint8Array &&
      typeof firstBit === 'number' &&
      firstBit >= 0 &&
      firstBit + values.length <= 8 * bitmap.length
    )
  ) {
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

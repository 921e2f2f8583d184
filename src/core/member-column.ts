import type { FloatArray } from './field.js';
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

  constructor(name: string, chunks: readonly ColumnChunk[]) {
    this.name = name;
    this.chunks = chunks;
    let length = 0;
    for (const chunk of chunks) {
      this.#starts.push(length);
      length += chunk.values.length;
    }
    this.length = length;
  }

  /** The address of the values where they lie whole, aligned and without a bitmap in the memory of `core`. */
  addressIn(core: Core): number | undefined {
    const [chunk] = this.chunks;
    const inPlace =
      this.chunks.length === 1 && chunk.bitmap === undefined && chunk.values.buffer === core.memory.wasm.buffer;
    return inPlace ? chunk.values.byteOffset : undefined;
  }

  /** The value of a row; NaN where it is missing. */
  value(row: number): number {
    const index = this.#chunkOf(row);
    const { values, bitmap, firstBit = 0 } = this.chunks[index];
    const place = row - this.#starts[index];
    const bit = firstBit + place;
    return bitmap !== undefined && !((bitmap[bit >> 3] >> (bit & 7)) & 1) ? Number.NaN : values[place];
  }

  /** The rows from `from` up to, not including, `to`, as a column that shares their memory. */
  slice(from: number, to: number): MemberColumn {
    const chunks = [...this.#parts(from, to)].map(({ chunk, start, end }) => ({
      values: chunk.values.subarray(start, end),
      bitmap: chunk.bitmap,
      firstBit: (chunk.firstBit ?? 0) + start,
    }));
    return new MemberColumn(this.name, chunks);
  }

  /**
   * Copies rows into core memory at `address`, missing ones as NaN; `bitmapAddress` has room for a bit for each and two bytes
   * more. Both lie below the memory's present end.
   */
  copyInto(core: Core, address: number, from: number, to: number, bitmapAddress: number): void {
    for (const { chunk, start, end } of this.#parts(from, to)) {
      const wide = chunk.values instanceof Float64Array;
      const part = chunk.values.subarray(start, end);
      if (wide) core.memory.float64(address, part.length).set(part);
      else core.memory.float32(address, part.length).set(part);
      if (chunk.bitmap !== undefined) {
        const bit = (chunk.firstBit ?? 0) + start;
        const bitmap = chunk.bitmap.subarray(bit >> 3, (bit + part.length + 7) >> 3);
        core.memory.bytes(bitmapAddress, bitmap.length).set(bitmap);
        const clear = wide ? core.kernels.clearInvalidF64 : core.kernels.clearInvalidF32;
        clear(address, part.length, bitmapAddress, bit & 7);
      }
      address += part.byteLength;
    }
  }

  /** Copies rows to `target` from place `at` on, missing ones as NaN. */
  copyTo(target: FloatArray, at: number, from: number, to: number): void {
    for (const { chunk, start, end } of this.#parts(from, to)) {
      target.set(chunk.values.subarray(start, end), at);
      if (chunk.bitmap !== undefined) {
        for (let i = start; i < end; i++) {
          const bit = (chunk.firstBit ?? 0) + i;
          if (!((chunk.bitmap[bit >> 3] >> (bit & 7)) & 1)) target[at + i - start] = Number.NaN;
        }
      }
      at += end - start;
    }
  }

  *#parts(from: number, to: number): Generator<{ chunk: ColumnChunk; start: number; end: number }> {
    for (let index = this.#chunkOf(from); from < to; index++) {
      const chunk = this.chunks[index];
      const start = from - this.#starts[index];
      const end = Math.min(chunk.values.length, start + to - from);
      if (end > start) yield { chunk, start, end };
      from += end - start;
    }
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

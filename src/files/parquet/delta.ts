import { bitsAt } from './run-lengths.js';

/** More than any writer packs together; offsets of bits stay exact. */
const MAX_BLOCK = 2 ** 24;

/** The limit for 32-bit numbers, too: their differences have 33 bits, and the sums do not need the highest one. */
const MAX_WIDTH = 64;

/**
 * Decodes numbers from their differences (DELTA_BINARY_PACKED in parquet-format's Encodings.md) from `at` on into
 * `into`, whose length is the count at the beginning of the bytes; returns the end of the bytes. Sums overflow, as they
 * do in the writer.
 *
 * Throws a RangeError if the count differs, or the bytes end early.
 */
export function decodeDeltas(bytes: Uint8Array, at: number, into: Int32Array | BigInt64Array): number {
  const reader = new VarintReader(bytes, at);
  const blockSize = reader.unsigned();
  const miniBlocks = reader.unsigned();
  const count = reader.unsigned();
  const perMini = blockSize / miniBlocks;
  if (!(perMini > 0 && perMini % 8 === 0 && blockSize <= MAX_BLOCK)) {
    throw new RangeError(`blocks of ${blockSize} differences in ${miniBlocks} parts`);
  }
  if (count !== into.length) throw new RangeError(`${count} differences where ${into.length} values are expected`);
  const first = reader.signed();
  if (count === 0) return reader.at;
  const words = new Int32Array(into.buffer, into.byteOffset, into.byteLength / 4);
  const isLong = into instanceof BigInt64Array;
  let low = Number(BigInt.asIntN(32, first));
  let high = Number(BigInt.asIntN(32, first >> 32n));
  const write = (index: number) => {
    if (!isLong) words[index] = low;
    else {
      words[2 * index] = low;
      words[2 * index + 1] = high;
    }
  };
  write(0);
  for (let index = 1; index < count; ) {
    const least = reader.signed();
    const leastLow = Number(BigInt.asUintN(32, least));
    const leastHigh = Number(BigInt.asIntN(32, least >> 32n));
    const widths = reader.at;
    reader.skip(miniBlocks);
    for (let mini = 0; mini < miniBlocks && index < count; mini++) {
      const width = bytes[widths + mini];
      if (width > MAX_WIDTH) throw new RangeError(`differences of ${width} bits`);
      const start = reader.at;
      const used = Math.min(perMini, count - index);
      // The last part may end after the last difference, without the bytes of unused ones.
      reader.skip(Math.ceil((used * width) / 8));
      reader.at = Math.min(bytes.length, start + (perMini * width) / 8);
      for (let i = 0; i < used; i++, index++) {
        const bit = i * width;
        const deltaLow = width === 0 ? 0 : bitsAt(bytes, start, bit, Math.min(width, 32));
        const deltaHigh = width > 32 ? bitsAt(bytes, start, bit + 32, width - 32) : 0;
        const sum = (low >>> 0) + leastLow + deltaLow;
        low = sum | 0;
        high = (high + leastHigh + deltaHigh + Math.floor(sum / 2 ** 32)) | 0;
        write(index);
      }
    }
  }
  return reader.at;
}

class VarintReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  skip(count: number): void {
    if (!(count <= this.#bytes.length - this.at)) throw new RangeError('differences that are truncated');
    this.at += count;
  }

  unsigned(): number {
    return Number(this.#varint());
  }

  signed(): bigint {
    const value = this.#varint();
    return (value >> 1n) ^ -(value & 1n);
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      this.skip(1);
      const byte = this.#bytes[this.at - 1];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
    throw new RangeError('a number of more than 10 bytes');
  }
}

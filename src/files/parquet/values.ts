import type { SchemaElement } from 'hyparquet';
import { halfFloat } from '../../table/arrow/stored-values.js';
import { type ByteSlices, consecutiveSlices, fixedSlices, isPadding, prefixedSlices, slicesAt } from './byte-slices.js';
import { bitsAt, decodeRuns } from './page-codecs.js';

import { ENCODING } from './pages.js';
import { decimalScale } from './schema-columns.js';

type NumberArray = Int32Array | BigInt64Array | Float32Array | Float64Array | Uint8Array;

/** Values one after the other, without nulls: numbers, booleans as 0 and 1, or bytes. */
export type Values = NumberArray | ByteSlices;

const ARRAYS = { INT32: Int32Array, INT64: BigInt64Array, FLOAT: Float32Array, DOUBLE: Float64Array };
/** The highest power of ten that float64 holds exactly. */
const MAX_EXACT_POWER = 22;
/** Decimals have at most 76 digits, in 32 bytes. */
const MAX_SCALE = 76;
const MAX_DECIMAL_BYTES = 32;
const INT96_BYTES = 12;
/** The bytes of a column of texts: Arrow's offsets have 32 bits. */
export const MAX_TEXT_BYTES = 0x7fffffff;
const JULIAN_DAY_OF_EPOCH = 2_440_588;
const NANOSECONDS_OF_DAY = 86_400_000_000_000n;

/** Decodes the values in the pages of one column chunk; its dictionary comes first, if it has one. */
export class ValueDecoder {
  readonly #element: SchemaElement;
  readonly #maxBytes: number;
  #dictionary: Values | undefined;

  /** `maxBytes` limits the decoded bytes of texts that are stored as shared prefixes. */
  constructor(element: SchemaElement, maxBytes: number) {
    this.#element = element;
    this.#maxBytes = Math.min(maxBytes, MAX_TEXT_BYTES);
  }

  /**
   * Reads the `count` values of a dictionary page. Throws a RangeError as `decode` does, and for a second dictionary.
   */
  readDictionary(encoding: number, bytes: Uint8Array, count: number): void {
    if (encoding !== ENCODING.plain && encoding !== ENCODING.plainDictionary) {
      throw new RangeError(`a dictionary of the encoding ${encoding}`);
    }
    if (this.#dictionary !== undefined) throw new RangeError('a second dictionary');
    this.#dictionary = this.#converted(this.#plain(bytes, count));
  }

  /**
   * Decodes the `count` values of a page. Throws a RangeError if the bytes have more or fewer values, or for an
   * encoding that is not read.
   */
  decode(encoding: number, bytes: Uint8Array, count: number): Values {
    // A page of nulls may have no bytes at all.
    if (count === 0) return this.#converted(this.#plain(bytes.subarray(0, 0), 0));
    if (encoding === ENCODING.plainDictionary || encoding === ENCODING.rleDictionary) {
      const dictionary = this.#dictionary;
      if (dictionary === undefined) throw new RangeError('values of a dictionary that is missing');
      const indices = new Uint32Array(count);
      if (bytes.length === 0) throw new RangeError(`no bytes for ${count} values`);
      // Indices of no bits, all 0, need no runs.
      if (bytes[0] > 0) decodeRuns(bytes, 1, bytes.length, bytes[0], indices);
      return isSlices(dictionary) ? slicesAt(dictionary, indices) : numbersAt(dictionary, indices);
    }
    return this.#converted(this.#stored(encoding, bytes, count));
  }

  /** Decodes values as they are stored; each encoding has its own types. */
  #stored(encoding: number, bytes: Uint8Array, count: number): Values {
    const { type } = this.#element;
    const isBytes = type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY';
    if (encoding === ENCODING.plain) return this.#plain(bytes, count);
    if (encoding === ENCODING.rle && type === 'BOOLEAN') return rleBooleans(bytes, count);
    if (encoding === ENCODING.deltaBinaryPacked && (type === 'INT32' || type === 'INT64')) {
      const values = new ARRAYS[type](count);
      decodeDeltas(bytes, 0, values);
      return values;
    }
    if (encoding === ENCODING.deltaLengthByteArray && type === 'BYTE_ARRAY') {
      const lengths = new Int32Array(count);
      return consecutiveSlices(bytes, decodeDeltas(bytes, 0, lengths), lengths);
    }
    if (encoding === ENCODING.deltaByteArray && isBytes) return sharedPrefixes(bytes, count, this.#maxBytes);
    if (encoding === ENCODING.byteStreamSplit && type !== 'BYTE_ARRAY' && type !== 'BOOLEAN' && type !== 'INT96') {
      return this.#plain(joinedStreams(bytes, count), count);
    }
    throw new RangeError(`values of the type ${type} and the encoding ${encoding}`);
  }

  #plain(bytes: Uint8Array, count: number): Values {
    const { type, type_length: width } = this.#element;
    switch (type) {
      case 'BOOLEAN':
        return plainBooleans(bytes, count);
      case 'BYTE_ARRAY':
        return prefixedSlices(bytes, count);
      case 'FIXED_LEN_BYTE_ARRAY':
        assertBytes(bytes, count, width ?? 0);
        return fixedSlices(bytes, count, width ?? 0);
      case 'INT96':
        assertBytes(bytes, count, INT96_BYTES);
        return int96Timestamps(bytes, count);
      case 'INT32':
      case 'INT64':
      case 'FLOAT':
      case 'DOUBLE': {
        const ArrayType = ARRAYS[type];
        assertBytes(bytes, count, ArrayType.BYTES_PER_ELEMENT);
        const aligned = bytes.byteOffset % ArrayType.BYTES_PER_ELEMENT === 0 ? bytes : bytes.slice();
        return new ArrayType(aligned.buffer as ArrayBuffer, aligned.byteOffset, count);
      }
      default:
        throw new RangeError(`values of the type ${type}`);
    }
  }

  /** Decimals and half floats as float64, others as they are. */
  #converted(values: Values): Values {
    const { logical_type: logical, type_length: width } = this.#element;
    const scale = decimalScale(this.#element);
    if (scale !== undefined) return decimalNumbers(values, scale);
    if (logical?.type === 'FLOAT16' && isSlices(values)) {
      if (width !== 2) throw new RangeError(`half floats of ${width} bytes`);
      return Float64Array.from({ length: values.length }, (_, i) =>
        halfFloat(values.bytes[values.starts[i]] | (values.bytes[values.starts[i] + 1] << 8)),
      );
    }
    return values;
  }
}

/** The nearest numbers to decimals. */
function decimalNumbers(values: Values, scale: number): Float64Array {
  if (!(scale >= 0 && scale <= MAX_SCALE)) throw new RangeError(`decimals of the scale ${scale}`);
  const divisor = 10 ** scale;
  const toNumber = (integer: number | bigint) => {
    const number = Number(integer);
    // A quotient is the nearest number if both sides are exact.
    const isExact = scale <= MAX_EXACT_POWER && Number.isSafeInteger(number);
    return isExact ? number / divisor : Number(`${integer}e-${scale}`);
  };
  if (!isSlices(values)) return Float64Array.from(values as Int32Array, toNumber);
  return Float64Array.from({ length: values.length }, (_, i) => toNumber(bigEndian(values, i)));
}

export function isSlices(values: Values): values is ByteSlices {
  return 'starts' in values;
}

function assertBytes(bytes: Uint8Array, count: number, width: number): void {
  if (width > 0 && (bytes.length === count * width || isPadding(bytes.subarray(count * width)))) return;
  throw new RangeError(`${bytes.length} bytes for ${count} values of ${width}`);
}

function numbersAt(dictionary: NumberArray, indices: Uint32Array): NumberArray {
  const values = new (dictionary.constructor as new (length: number) => NumberArray)(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i];
    if (index >= dictionary.length) throw new RangeError(`value ${index} of a dictionary of ${dictionary.length}`);
    values[i] = dictionary[index];
  }
  return values;
}

function plainBooleans(bytes: Uint8Array, count: number): Uint8Array {
  if (bytes.length !== Math.ceil(count / 8)) throw new RangeError(`${bytes.length} bytes for ${count} booleans`);
  return Uint8Array.from({ length: count }, (_, i) => (bytes[i >> 3] >> (i & 7)) & 1);
}

function rleBooleans(bytes: Uint8Array, count: number): Uint8Array {
  const values = new Uint8Array(count);
  const { end } = prefixedBytes(bytes, 0);
  decodeRuns(bytes, 4, end, 1, values);
  return values;
}

/** The range of bytes that follow their length at `at`. Throws a RangeError if they are truncated. */
export function prefixedBytes(bytes: Uint8Array, at: number): { start: number; end: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(at, true);
  if (length > bytes.length - at - 4) throw new RangeError(`${length} bytes where ${bytes.length - at - 4} are left`);
  return { start: at + 4, end: at + 4 + length };
}

/** Converts the nanoseconds within a day and the Julian day to nanoseconds since 1970. */
function int96Timestamps(bytes: Uint8Array, count: number): BigInt64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return BigInt64Array.from({ length: count }, (_, i) => {
    const days = view.getInt32(i * INT96_BYTES + 8, true) - JULIAN_DAY_OF_EPOCH;
    return BigInt(days) * NANOSECONDS_OF_DAY + view.getBigUint64(i * INT96_BYTES, true);
  });
}

/** Restores values that are stored as all first bytes, then all second bytes, and so on. */
function joinedStreams(bytes: Uint8Array, count: number): Uint8Array {
  const width = bytes.length / count;
  const joined = new Uint8Array(bytes.length);
  if (!Number.isInteger(width)) throw new RangeError(`${bytes.length} bytes for ${count} values`);
  for (let byte = 0, at = 0; byte < width; byte++) {
    for (let i = byte; i < joined.length; i += width) joined[i] = bytes[at++];
  }
  return joined;
}

/** Decodes texts that are stored without the prefix they share with the previous one (DELTA_BYTE_ARRAY). */
function sharedPrefixes(bytes: Uint8Array, count: number, maxBytes: number): ByteSlices {
  const prefixes = new Int32Array(count);
  const lengths = new Int32Array(count);
  const suffixes = decodeDeltas(bytes, 0, prefixes);
  const { starts, ends } = consecutiveSlices(bytes, decodeDeltas(bytes, suffixes, lengths), lengths);
  let total = 0;
  let before = 0;
  for (let i = 0; i < count; i++) {
    if (prefixes[i] < 0 || prefixes[i] > before) throw new RangeError(`a prefix of ${prefixes[i]} of ${before} bytes`);
    before = prefixes[i] + lengths[i];
    total += before;
  }
  if (total > maxBytes) throw new RangeError(`texts of ${total} bytes`);
  const joined = new Uint8Array(total);
  const into = { starts: new Uint32Array(count), ends: new Uint32Array(count) };
  let at = 0;
  for (let i = 0; i < count; i++) {
    const start = at;
    if (i > 0) joined.copyWithin(at, into.starts[i - 1], into.starts[i - 1] + prefixes[i]);
    joined.set(bytes.subarray(starts[i], ends[i]), at + prefixes[i]);
    at += prefixes[i] + lengths[i];
    into.starts[i] = start;
    into.ends[i] = at;
  }
  return { bytes: joined, ...into, length: count };
}

/** An integer in two's complement, its highest byte first. */
function bigEndian({ bytes, starts, ends }: ByteSlices, i: number): bigint {
  if (ends[i] - starts[i] > MAX_DECIMAL_BYTES) throw new RangeError(`a decimal of ${ends[i] - starts[i]} bytes`);
  let value = 0n;
  for (let at = starts[i]; at < ends[i]; at++) value = (value << 8n) | BigInt(bytes[at]);
  return BigInt.asIntN((ends[i] - starts[i]) * 8, value);
}

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
function decodeDeltas(bytes: Uint8Array, at: number, into: Int32Array | BigInt64Array): number {
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

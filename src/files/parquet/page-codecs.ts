import type { CompressionCodec } from 'hyparquet';
import { isPlumecastError } from '../../errors.js';
import { decompressHadoopLz4, decompressLz4Block } from '../codecs/lz4-decode.js';
import { decompressSnappy } from '../codecs/snappy.js';
import { decompressZstd } from '../codecs/zstd.js';

type Decompress = (bytes: Uint8Array, size: number) => Uint8Array | Promise<Uint8Array>;

interface PageCodec {
  /** The most decompressed bytes for each stored byte. */
  readonly maxRatio: number;
  readonly decompress: Decompress;
}

const CODECS: Partial<Record<CompressionCodec, PageCodec>> = {
  UNCOMPRESSED: { maxRatio: 1, decompress: (bytes) => bytes },
  SNAPPY: { maxRatio: 22, decompress: decompressSnappy },
  LZ4: { maxRatio: 256, decompress: decompressHadoopLz4 },
  LZ4_RAW: { maxRatio: 256, decompress: decompressLz4Block },
  GZIP: { maxRatio: 1_033, decompress: (bytes, size) => inflated('gzip', bytes, size) },
  ZSTD: { maxRatio: 32_768, decompress: decompressZstd },
  BROTLI: { maxRatio: 1_048_576, decompress: (bytes, size) => inflated('brotli', bytes, size) },
};

/** Decompresses with the platform's code, and converts its errors to RangeErrors. */
async function inflated(codec: 'gzip' | 'brotli', bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const { inflate } = await import('#inflate');
  try {
    return await inflate(codec, bytes, size);
  } catch (cause) {
    if (isPlumecastError(cause)) throw cause;
    throw new RangeError(`${codec}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * The most bytes that small chunks may become, and the largest ratio of others: a constant column of a million rows
 * needs some hundred bytes.
 */
const SMALL_BYTES = 2 ** 29;
const MAX_RATIO = 2 ** 17;

/** The most bytes in memory that a column chunk of `storedBytes` may become. */
export function maxDecodedBytes(storedBytes: number): number {
  return Math.max(SMALL_BYTES, storedBytes * MAX_RATIO);
}

/** The most bytes that `storedBytes` bytes of a codec become when they are decompressed; 0 for an unknown codec. */
export function maxDecompressedBytes(codec: CompressionCodec, storedBytes: number): number {
  return storedBytes * (CODECS[codec]?.maxRatio ?? 0);
}

/**
 * Decompresses the bytes of a page into exactly `size` bytes. Throws a RangeError if they become more or fewer, or are
 * corrupt, and a PackageError if a codec is not installed.
 */
export async function decompressPage(codec: CompressionCodec, bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const found = CODECS[codec];
  if (found === undefined) throw new RangeError(`the compression ${codec} is not read`);
  // A page of nulls has no values to compress.
  if (size === 0 && bytes.length === 0) return bytes;
  if (size > maxDecompressedBytes(codec, bytes.length)) {
    throw new RangeError(`${bytes.length} bytes of ${codec} that state a size of ${size}`);
  }
  const decoded = await found.decompress(bytes, size);
  if (decoded.length !== size) throw new RangeError(`a page of ${decoded.length} bytes where ${size} are expected`);
  return decoded;
}

/** The array for decoded numbers. */
type Target = Uint8Array | Uint32Array;

const MAX_WIDTH = 32;

/**
 * Decodes the first `into.length` numbers of `width` bits in the bytes from `at` up to, not including, `end`: runs of
 * one repeated number, and runs of bit-packed numbers (parquet-format, Encodings.md, "Run Length Encoding / Bit-Packing
 * Hybrid"). Later bytes are ignored.
 *
 * Throws a RangeError if the runs end early, a run has no numbers or more than are left, or a number has more than
 * `width` bits.
 */
export function decodeRuns(bytes: Uint8Array, at: number, end: number, width: number, into: Target): void {
  if (width > MAX_WIDTH) throw new RangeError(`numbers of ${width} bits`);
  const valueBytes = (width + 7) >> 3;
  let next = at;
  for (let seen = 0; seen < into.length; ) {
    let header = 0;
    for (let shift = 0, byte = 128; byte > 127; shift += 7) {
      if (next >= end || shift > 28) throw new RangeError(`runs that end after ${seen} of ${into.length} numbers`);
      byte = bytes[next++];
      header += (byte & 127) * 2 ** shift;
    }
    const length = Math.floor(header / 2);
    if (length === 0) throw new RangeError('a run of no numbers');
    const left = into.length - seen;
    if (header % 2 === 1) {
      const count = Math.min(length * 8, left);
      const needed = Math.ceil((count * width) / 8);
      if (needed > end - next) throw new RangeError(`runs that end after ${seen} of ${into.length} numbers`);
      unpackBits(bytes, next, width, into, seen, count);
      // The last run may end after the last number, without the bytes of unused ones.
      next = Math.min(end, next + length * width);
      seen += count;
    } else {
      if (length > left) throw new RangeError(`a run of ${length} numbers where ${left} are left`);
      if (valueBytes > end - next) throw new RangeError(`runs that end after ${seen} of ${into.length} numbers`);
      let value = 0;
      for (let i = valueBytes - 1; i >= 0; i--) value = value * 256 + bytes[next + i];
      if (value >= 2 ** width) throw new RangeError(`a number ${value} of ${width} bits`);
      next += valueBytes;
      into.fill(value, seen, seen + length);
      seen += length;
    }
  }
}

/**
 * Unpacks `count` numbers of `width` bits, 32 at most, the lowest bits first. The caller has checked that there are
 * enough bytes.
 */
function unpackBits(bytes: Uint8Array, at: number, width: number, into: Target, from: number, count: number): void {
  if (width > 24) {
    for (let i = 0; i < count; i++) into[from + i] = bitsAt(bytes, at, i * width, width);
    return;
  }
  const mask = (1 << width) - 1;
  let next = at;
  let word = 0;
  let held = 0;
  for (let i = from; i < from + count; i++) {
    while (held < width) {
      word |= bytes[next++] << held;
      held += 8;
    }
    into[i] = word & mask;
    word >>>= width;
    held -= width;
  }
}

/** The `width` bits, 1 to 32, that begin `bit` bits after the beginning of the byte at `at`, as an unsigned number. */
export function bitsAt(bytes: Uint8Array, at: number, bit: number, width: number): number {
  const first = at + Math.floor(bit / 8);
  const shift = bit % 8;
  const last = at + Math.floor((bit + width - 1) / 8);
  let value = 0;
  for (let i = Math.min(last, first + 3); i >= first; i--) value = (value << 8) | bytes[i];
  value >>>= shift;
  if (last === first + 4) value |= bytes[last] << (32 - shift);
  return width === 32 ? value >>> 0 : value & (2 ** width - 1);
}

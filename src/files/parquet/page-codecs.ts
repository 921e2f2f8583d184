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

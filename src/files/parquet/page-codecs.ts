import type { CompressionCodec } from 'hyparquet';
import { isPlumecastError } from '../../errors.js';
import { decompressHadoopLz4, decompressLz4Block } from '../codecs/lz4-decode.js';
import { decompressSnappy } from '../codecs/snappy.js';
import { decompressZstd } from '../codecs/zstd.js';

type Decompress = (bytes: Uint8Array, size: number) => Uint8Array | Promise<Uint8Array>;

interface PageCodec {
  /** How many times as many bytes it can make of those stored, at most. */
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

/** By code of the platform, which has errors of its own. */
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
 * What small files may become, and how many times as much others: a constant column of a million rows takes some
 * hundred bytes.
 */
const SMALL_BYTES = 2 ** 29;
const MAX_RATIO = 2 ** 17;

/** The most bytes in memory that the values of a column chunk become which is stored in `storedBytes`. */
export function maxDecodedBytes(storedBytes: number): number {
  return Math.max(SMALL_BYTES, storedBytes * MAX_RATIO);
}

/** The most bytes that `storedBytes` of a codec become when they are decompressed; 0 for a codec that is not known. */
export function maxDecompressedBytes(codec: CompressionCodec, storedBytes: number): number {
  return storedBytes * (CODECS[codec]?.maxRatio ?? 0);
}

/**
 * Decompresses bytes of a page into exactly `size`. Throws a RangeError where they have more or fewer, or are corrupt,
 * and a PackageError where a codec is not installed.
 */
export async function decompressPage(codec: CompressionCodec, bytes: Uint8Array, size: number): Promise<Uint8Array> {
  const found = CODECS[codec];
  if (found === undefined) throw new RangeError(`the compression ${codec} is not read`);
  // A page of nulls has no values to compress.
  if (size === 0 && bytes.length === 0) return bytes;
  if (size > maxDecompressedBytes(codec, bytes.length)) {
    throw new RangeError(`${bytes.length} bytes of ${codec} that say to be ${size}`);
  }
  const decoded = await found.decompress(bytes, size);
  if (decoded.length !== size) throw new RangeError(`a page of ${decoded.length} bytes where ${size} are expected`);
  return decoded;
}

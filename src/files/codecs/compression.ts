import { FormatError, PackageError } from '../../errors.js';
import { loadPackage } from '../load-package.js';
import { type BodyCompression, loadEncoder } from './load-encoder.js';
import { withFittingWindows, zstdChecksum } from './zstd-frame.js';

const LZ4_FRAME = 0;
const ZSTD = 1;

type Decode = (frame: Uint8Array) => Uint8Array;

/**
 * Enables apache-arrow to read bodies of the given `compressions` (0 is LZ4_FRAME, 1 is ZSTD).
 *
 * The library of a codec is loaded only when needed; a codec that the program has registered itself is kept. Throws a
 * PackageError if a library is not installed, and a FormatError for another compression.
 */
export async function registerCodecs(compressions: Iterable<number>, source: string): Promise<void> {
  for (const compression of compressions) {
    const registry = await loadRegistry(source);
    if (registry.get(compression)?.decode !== undefined) continue;
    const decode = await loadDecoder(compression, source);
    registry.set(compression, { ...registry.get(compression), decode: (frame) => aligned(decode(frame)) });
  }
}

/**
 * Enables apache-arrow to write bodies of a compression, and returns its number. An encoder that the program has
 * registered itself is kept. Throws a PackageError if a library is not installed.
 */
export async function registerEncoder(compression: BodyCompression, subject: string): Promise<number> {
  const registry = await loadRegistry(subject);
  const number = compression === 'lz4' ? LZ4_FRAME : ZSTD;
  if (registry.get(number)?.encode === undefined) {
    registry.set(number, { ...registry.get(number), encode: await loadEncoder(compression, subject) });
  }
  return number;
}

async function loadRegistry(subject: string) {
  const { compressionRegistry } = await import('apache-arrow');
  if (compressionRegistry !== undefined) return compressionRegistry;
  throw noCompression(subject);
}

/** The error for compressed bodies if the installed apache-arrow is too old for them. */
export function noCompression(subject: string, cause?: unknown): PackageError {
  return new PackageError({
    subject,
    problem: 'has compressed Arrow bodies, which the installed version of apache-arrow neither reads nor writes',
    allowed: 'npm install apache-arrow@21, or a file without compression',
    cause,
  });
}

async function loadDecoder(compression: number, source: string): Promise<Decode> {
  if (compression === LZ4_FRAME) {
    const { decompressLz4Frame } = await import('./lz4-frame.js');
    return decompressLz4Frame;
  }
  if (compression === ZSTD) {
    const { decompress } = await loadPackage('fzstd', source, () => import('fzstd'));
    const { xxhash64 } = await import('./xxhash64.js');
    return (frame) => {
      const bytes = decompress(withFittingWindows(frame));
      const checksum = zstdChecksum(frame);
      if (checksum !== undefined && checksum !== Number(xxhash64(bytes) & 0xffffffffn))
        throw new RangeError('a Zstandard frame whose checksum is wrong');
      return bytes;
    };
  }
  throw new FormatError({
    subject: source,
    problem: 'has Arrow bodies of an unknown compression',
    received: compression,
    allowed: 'LZ4_FRAME, ZSTD or none',
  });
}

/** apache-arrow views the result in place as numbers of up to 8 bytes. */
function aligned(bytes: Uint8Array): Uint8Array {
  return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
}

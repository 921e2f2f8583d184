import { inflate } from '#inflate';
import { FormatError } from '../../errors.js';
import { crc32c } from '../codecs/crc.js';
import type { InflateCodec } from '../codecs/inflate.js';
import { decompressZstd } from '../codecs/zstd.js';
import { loadPackage } from '../load-package.js';
import type { CodecMetadata } from './array-metadata.js';

/**
 * Undoes one codec of the bytes of a chunk. Throws if the codec did not write these bytes, and if they become more than
 * `maxBytes`, before memory is allocated for them.
 */
export type DecodeBytes = (bytes: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

/** A codec, and the most bytes that it may decode to. */
export interface BoundedDecoder {
  readonly decode: DecodeBytes;
  readonly maxBytes: number;
}

/** The entry of a codec in zarrita's registry, as far as it is used here. */
interface CodecClass {
  fromConfig(configuration: unknown): { decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> };
}

/** Codecs from bytes to bytes that zarrita decodes, each with a check before decoding. */
const ZARRITA_CHECKS: Readonly<Record<string, (bytes: Uint8Array, maxBytes: number) => void>> = {
  blosc: checkBlosc,
  lz4: checkLz4,
  shuffle: () => {},
};

const INFLATED: Readonly<Record<string, InflateCodec>> = { gzip: 'gzip', zlib: 'deflate' };

/** All codecs that are read, as messages list them. */
const READ = 'blosc, zstd, lz4, gzip, zlib, shuffle, crc32c, bytes, transpose, vlen-utf8, sharding_indexed';

/**
 * The header of a chunk of Blosc 1, and the places of the sizes of the decoded bytes, of a block of them, and of the
 * stored bytes.
 */
const BLOSC = { header: 16, decodedAt: 4, blockAt: 8, storedAt: 12 };

const CHECKSUM_BYTES = 4;
/** The most by which compression can make bytes longer, for every codec. */
const MAX_GROWTH = { share: 1 / 8, bytes: 65_536 };

/**
 * Loads the decoder of a codec. Throws FormatError, which names the codec, if it is unknown; PackageError if zarrita is
 * not installed.
 */
export async function loadByteDecoder({ name, configuration }: CodecMetadata, subject: string): Promise<DecodeBytes> {
  if (name === 'crc32c' && (configuration.location ?? 'end') === 'end') return withoutChecksum;
  if (Object.hasOwn(INFLATED, name)) {
    return (bytes, maxBytes) => inflate(INFLATED[name], bytes, maxBytes);
  }
  if (name === 'zstd') return decompressZstd;
  if (!Object.hasOwn(ZARRITA_CHECKS, name)) {
    throw new FormatError({ subject, problem: 'is stored by a codec that is not read', received: name, allowed: READ });
  }
  const check = name === 'shuffle' ? createShuffleCheck(configuration, subject) : ZARRITA_CHECKS[name];
  const { registry } = await loadPackage('zarrita', subject, () => import('zarrita'));
  const codec = (await registry.get(`numcodecs.${name}`)?.()) as unknown as CodecClass;
  return (bytes, maxBytes) => {
    check(bytes, maxBytes);
    return isEmptyBlosc(name, bytes) ? new Uint8Array() : codec.fromConfig(configuration).decode(bytes);
  };
}

/** The most bytes that a codec writes for `bytes` bytes. */
export function maxStoredBytes(name: string, bytes: number): number {
  if (name === 'shuffle') return bytes;
  if (name === 'crc32c') return bytes + CHECKSUM_BYTES;
  return Math.ceil(bytes * (1 + MAX_GROWTH.share)) + MAX_GROWTH.bytes;
}

/**
 * Checks the header of Blosc, whose decoder trusts it: it reads beyond the end of the bytes, and allocates as much
 * memory as stated.
 */
function checkBlosc(bytes: Uint8Array, maxBytes: number): void {
  const { buffer, byteOffset, length } = bytes;
  if (length < BLOSC.header) throw new RangeError(`${length} bytes, not even the header of Blosc`);
  const header = new DataView(buffer, byteOffset);
  const stored = header.getUint32(BLOSC.storedAt, true);
  if (stored !== length) throw new RangeError(`${length} bytes, not the ${stored} that Blosc wrote`);
  const decoded = header.getUint32(BLOSC.decodedAt, true);
  checkSize(decoded, maxBytes);
  const block = header.getUint32(BLOSC.blockAt, true);
  if (decoded > 0 && (block === 0 || block > decoded)) throw new RangeError(`blocks of ${block} bytes in ${decoded}`);
}

function isEmptyBlosc(name: string, { buffer, byteOffset }: Uint8Array): boolean {
  return name === 'blosc' && new DataView(buffer, byteOffset).getUint32(BLOSC.decodedAt, true) === 0;
}

/** Checks the size of the decoded bytes, which precedes those of LZ4. */
function checkLz4({ buffer, byteOffset, length }: Uint8Array, maxBytes: number): void {
  if (length < 4) throw new RangeError(`${length} bytes, not even the header of LZ4`);
  checkSize(new DataView(buffer, byteOffset).getUint32(0, true), maxBytes);
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new RangeError(`it becomes ${bytes} bytes, more than the ${maxBytes} that it can have`);
}

/** Creates a check for zarrita's decoder of shuffle, which trusts the size of elements, and drops incomplete ones. */
function createShuffleCheck({ elementsize: size = 4 }: CodecMetadata['configuration'], subject: string) {
  if (!(Number.isInteger(size) && (size as number) >= 1 && (size as number) <= 256)) {
    const allowed = 'an integer from 1 to 256';
    throw new FormatError({
      subject,
      problem: 'wrong elementsize of shuffle',
      received: JSON.stringify(size),
      allowed,
    });
  }
  return ({ length }: Uint8Array, maxBytes: number) => {
    checkSize(length, maxBytes);
    if (length % (size as number) !== 0) throw new RangeError(`${length} bytes, no elements of ${size}`);
  };
}

/** Checks and removes the CRC-32C after the bytes, its lowest byte first. */
function withoutChecksum(bytes: Uint8Array): Uint8Array {
  const length = bytes.length - CHECKSUM_BYTES;
  if (length < 0) throw new RangeError(`${bytes.length} bytes, not even a checksum`);
  const content = bytes.subarray(0, length);
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length).getUint32(0, true);
  if (crc32c(content) !== stored) throw new RangeError('the checksum is wrong');
  return content;
}

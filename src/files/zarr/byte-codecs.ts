import { inflate } from '#inflate';
import { FormatError } from '../../errors.js';
import { crc32c } from '../codecs/crc.js';
import type { InflateCodec } from '../codecs/inflate.js';
import { checkZstdFrames } from '../codecs/zstd-frame.js';
import { loadPackage } from '../load-package.js';
import type { CodecMetadata } from './array-metadata.js';

/**
 * Undoes what one codec did to the bytes of a chunk; throws where they are not what it wrote, and where they become
 * more than `most` bytes, before memory is taken for them.
 */
export type DecodeBytes = (bytes: Uint8Array, most: number) => Uint8Array | Promise<Uint8Array>;

/** A codec, and the most bytes that it is decoded to. */
export interface BoundedDecoder {
  readonly decode: DecodeBytes;
  readonly most: number;
}

/** What zarrita's registry gives for the name of a codec, as far as it is used here. */
interface CodecClass {
  fromConfig(configuration: unknown): { decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> };
}

/** Codecs from bytes to bytes whose decoding zarrita has, and what has to hold before they are decoded. */
const OF_ZARRITA: Readonly<Record<string, (bytes: Uint8Array, most: number) => void>> = {
  blosc: checkBlosc,
  zstd: checkZstdFrames,
  lz4: checkLz4,
  shuffle: () => {},
};

const INFLATED: Readonly<Record<string, InflateCodec>> = { gzip: 'gzip', zlib: 'deflate' };

/** All codecs that are read, as messages list them. */
const READ = 'blosc, zstd, lz4, gzip, zlib, shuffle, crc32c, bytes, transpose, vlen-utf8, sharding_indexed';

/**
 * The header of a chunk of Blosc 1: sizes of the decoded bytes, of a block of them, and of the stored ones are at these
 * places.
 */
const BLOSC = { header: 16, decodedAt: 4, blockAt: 8, storedAt: 12 };

const CHECKSUM_BYTES = 4;
/** What is compressed may be longer than it was by these, for every codec. */
const MAX_GROWTH = { share: 1 / 8, bytes: 65_536 };

/**
 * How the bytes of a codec are decoded. Throws FormatError, which names the codec, for one that is not known;
 * PackageError without zarrita.
 */
export async function byteDecoder({ name, configuration }: CodecMetadata, subject: string): Promise<DecodeBytes> {
  if (name === 'crc32c' && (configuration.location ?? 'end') === 'end') return withoutChecksum;
  if (Object.hasOwn(INFLATED, name)) {
    return (bytes, most) => inflate(INFLATED[name], bytes, most);
  }
  if (!Object.hasOwn(OF_ZARRITA, name)) {
    throw new FormatError({ subject, problem: 'is stored by a codec that is not read', received: name, allowed: READ });
  }
  const check = name === 'shuffle' ? shuffleCheck(configuration, subject) : OF_ZARRITA[name];
  const { registry } = await loadPackage('zarrita', subject, () => import('zarrita'));
  const codec = (await registry.get(`numcodecs.${name}`)?.()) as unknown as CodecClass;
  return (bytes, most) => {
    check(bytes, most);
    return isEmptyBlosc(name, bytes) ? new Uint8Array() : codec.fromConfig(configuration).decode(bytes);
  };
}

/** The most bytes that a codec writes for `bytes` bytes. */
export function mostStored(name: string, bytes: number): number {
  if (name === 'shuffle') return bytes;
  if (name === 'crc32c') return bytes + CHECKSUM_BYTES;
  return Math.ceil(bytes * (1 + MAX_GROWTH.share)) + MAX_GROWTH.bytes;
}

/**
 * Blosc itself believes its header: it reads on where the bytes end before that, and takes as much memory as it says.
 */
function checkBlosc(bytes: Uint8Array, most: number): void {
  const { buffer, byteOffset, length } = bytes;
  if (length < BLOSC.header) throw new RangeError(`${length} bytes, not even the header of Blosc`);
  const header = new DataView(buffer, byteOffset);
  const stored = header.getUint32(BLOSC.storedAt, true);
  if (stored !== length) throw new RangeError(`${length} bytes, not the ${stored} that Blosc wrote`);
  const decoded = header.getUint32(BLOSC.decodedAt, true);
  checkSize(decoded, most);
  const block = header.getUint32(BLOSC.blockAt, true);
  if (decoded > 0 && (block === 0 || block > decoded)) throw new RangeError(`blocks of ${block} bytes in ${decoded}`);
}

function isEmptyBlosc(name: string, { buffer, byteOffset }: Uint8Array): boolean {
  return name === 'blosc' && new DataView(buffer, byteOffset).getUint32(BLOSC.decodedAt, true) === 0;
}

/** The size of the decoded bytes stands before those of LZ4. */
function checkLz4({ buffer, byteOffset, length }: Uint8Array, most: number): void {
  if (length < 4) throw new RangeError(`${length} bytes, not even the header of LZ4`);
  checkSize(new DataView(buffer, byteOffset).getUint32(0, true), most);
}

function checkSize(bytes: number, most: number): void {
  if (bytes > most) throw new RangeError(`it becomes ${bytes} bytes, more than the ${most} that it can have`);
}

/** zarrita's decoder believes the size of elements, and leaves out those that are cut. */
function shuffleCheck({ elementsize: size = 4 }: CodecMetadata['configuration'], subject: string) {
  if (!(Number.isInteger(size) && (size as number) >= 1 && (size as number) <= 256)) {
    const allowed = 'an integer from 1 to 256';
    throw new FormatError({
      subject,
      problem: 'wrong elementsize of shuffle',
      received: JSON.stringify(size),
      allowed,
    });
  }
  return ({ length }: Uint8Array, most: number) => {
    checkSize(length, most);
    if (length % (size as number) !== 0) throw new RangeError(`${length} bytes, no elements of ${size}`);
  };
}

/** Checks and takes off the CRC-32C that is written after the bytes, its lowest byte first. */
function withoutChecksum(bytes: Uint8Array): Uint8Array {
  const length = bytes.length - CHECKSUM_BYTES;
  if (length < 0) throw new RangeError(`${bytes.length} bytes, not even a checksum`);
  const content = bytes.subarray(0, length);
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length).getUint32(0, true);
  if (crc32c(content) !== stored) throw new RangeError('the checksum is wrong');
  return content;
}

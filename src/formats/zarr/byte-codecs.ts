import { FormatError } from '../../errors.js';
import { loadPackage } from '../load-package.js';
import type { CodecMetadata } from './array-metadata.js';
import { crc32c } from './crc32c.js';
import { checkZstdFrames } from './zstd-frame.js';

/** Undoes what one codec did to the bytes of a chunk; throws where they are not what it wrote. */
export type DecodeBytes = (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;

/** What zarrita's registry gives for the name of a codec, as far as it is used here. */
interface CodecClass {
  fromConfig(configuration: unknown): { decode: DecodeBytes };
}

/** Codecs from bytes to bytes whose decoding zarrita has. */
const OF_ZARRITA = new Set(['blosc', 'zstd', 'lz4', 'gzip', 'zlib', 'shuffle']);

/** All codecs that are read, as messages list them. */
const READ = 'blosc, zstd, lz4, gzip, zlib, shuffle, crc32c, bytes, transpose, vlen-utf8, sharding_indexed';

/** The header of a chunk of Blosc 1: sizes of the decoded and the stored bytes are at these places. */
const BLOSC = { header: 16, decodedAt: 4, storedAt: 12 };

const CHECKSUM_BYTES = 4;

/** How the bytes of a codec are decoded. Throws FormatError, which names the codec, for one that is not known; PackageError without zarrita. */
export async function byteDecoder({ name, configuration }: CodecMetadata, subject: string): Promise<DecodeBytes> {
  if (name === 'crc32c' && (configuration.location ?? 'end') === 'end') return withoutChecksum;
  if (!OF_ZARRITA.has(name)) {
    throw new FormatError({ subject, problem: 'is stored by a codec that is not read', received: name, allowed: READ });
  }
  const { registry } = await loadPackage('zarrita', subject, () => import('zarrita'));
  const codec = (await registry.get(`numcodecs.${name}`)?.()) as unknown as CodecClass;
  const decode: DecodeBytes = (bytes) => codec.fromConfig(configuration).decode(bytes);
  if (name === 'blosc') return wholeBlosc(decode);
  return name === 'zstd' ? wholeZstd(decode) : decode;
}

/** Blosc itself believes its header, and reads on where the bytes end before that. */
function wholeBlosc(decode: DecodeBytes): DecodeBytes {
  return (bytes) => {
    const { buffer, byteOffset, length } = bytes;
    if (length < BLOSC.header) throw new RangeError(`${length} bytes, not even the header of Blosc`);
    const stored = new DataView(buffer, byteOffset).getUint32(BLOSC.storedAt, true);
    if (stored !== length) throw new RangeError(`${length} bytes, not the ${stored} that Blosc wrote`);
    return new DataView(buffer, byteOffset).getUint32(BLOSC.decodedAt, true) === 0 ? new Uint8Array() : decode(bytes);
  };
}

function wholeZstd(decode: DecodeBytes): DecodeBytes {
  return (bytes) => {
    checkZstdFrames(bytes);
    return decode(bytes);
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

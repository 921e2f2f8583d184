import { loadPackage } from '../load-package.js';

/**
 * Decompresses a chunk of Blosc 1. Throws RangeError where it is cut, or becomes more than `maxBytes` bytes, before memory
 * is taken for them.
 */
export type DecompressBlosc = (bytes: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

/**
 * The header of a chunk of Blosc 1, and the places of the sizes of the decoded bytes, of a block of them, and of the
 * stored bytes.
 */
const HEADER = { bytes: 16, decodedAt: 4, blockAt: 8, storedAt: 12 };

/** The decoder reads all but the number of bytes from the chunk. */
const CONFIGURATION = { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1, blocksize: 0 };

/** Loads the decoder of Blosc. Throws PackageError, about `subject`, where its package is not installed. */
export async function loadBlosc(subject: string): Promise<DecompressBlosc> {
  const { registry } = await loadPackage('zarrita', subject, () => import('zarrita'));
  const load = registry.get('numcodecs.blosc') as () => Promise<unknown>;
  const codec = ((await load()) as BloscClass).fromConfig(CONFIGURATION);
  return async (bytes, maxBytes) => {
    const decoded = checkedSize(bytes, maxBytes);
    return decoded === 0 ? new Uint8Array() : codec.decode(bytes);
  };
}

/** The entry of the codec in the registry, as far as it is used here. */
interface BloscClass {
  fromConfig(configuration: object): { decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> };
}

/**
 * The size of the decoded bytes by the header, which the decoder trusts: it reads beyond the end of the bytes, and takes as
 * much memory as is stated.
 */
function checkedSize({ buffer, byteOffset, length }: Uint8Array, maxBytes: number): number {
  if (length < HEADER.bytes) throw new RangeError(`${length} bytes, not even the header of Blosc`);
  const header = new DataView(buffer, byteOffset);
  const stored = header.getUint32(HEADER.storedAt, true);
  if (stored !== length) throw new RangeError(`${length} bytes, not the ${stored} that Blosc wrote`);
  const decoded = header.getUint32(HEADER.decodedAt, true);
  if (decoded > maxBytes) {
    throw new RangeError(`it becomes ${decoded} bytes, more than the ${maxBytes} that it can have`);
  }
  const block = header.getUint32(HEADER.blockAt, true);
  if (decoded > 0 && (block === 0 || block > decoded)) throw new RangeError(`blocks of ${block} bytes in ${decoded}`);
  return decoded;
}

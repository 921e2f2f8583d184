import { LRUCache } from 'lru-cache';
import { inflate } from '#inflate';
import { NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import type { ArrayValues } from '../array/array-file.js';
import { swapBytes } from '../array/byte-order.js';
import { elements } from '../array/copy-box.js';
import { loadBlosc } from '../codecs/blosc.js';
import { crc32c } from '../codecs/crc.js';
import type { InflateCodec } from '../codecs/inflate.js';
import { decompressZstd } from '../codecs/zstd.js';
import { loadPackage } from '../load-package.js';
import type { CodecMetadata } from './array-metadata.js';
import { floatsOfHalves } from './half-floats.js';
import type { StoredType } from './stored-type.js';
import { VALUE_FILTERS, valueFilter } from './value-filters.js';

/** The shape, type and codecs of a chunk. */
interface ChunkForm {
  readonly shape: readonly number[];
  readonly stored: StoredType;
  readonly codecs: readonly CodecMetadata[];
}

/** Codecs that are handled here, not by a decoder of bytes. */
const OWN = new Set(['transpose', 'vlen-utf8']);

/** The libraries cannot decode longer chunks. */
const MAX_CHUNK_BYTES = 2 ** 31 - 1;

/** The most bytes of a chunk of texts of any length, whose size is not known. */
const MAX_TEXT_BYTES = 2 ** 26;

/** The number of damaged chunks to remember. */
const MAX_DAMAGED = 1000;

/** Decodes chunks that have the same shape and codecs. */
export class CodecChain {
  /** The distance between neighbours along each dimension in the values of a chunk. */
  readonly strides: readonly number[];
  /** The most bytes of a stored chunk. */
  readonly maxStoredBytes: number;
  readonly #stored: StoredType;
  readonly #bytes: number;
  readonly #decoders: readonly BoundedDecoder[];
  /** Chunks that could not be decoded: some decoders leak memory for each attempt. */
  readonly #damaged = new LRUCache<string, { readonly checksum: number; readonly error: FormatError }>({
    max: MAX_DAMAGED,
  });

  private constructor({ shape, stored, codecs }: ChunkForm, { decoders, maxStored }: Decoding, subject: string) {
    this.strides = stridesOf(shape, codecs, subject);
    this.#stored = stored;
    this.#bytes = stored.bytes * elements(shape);
    this.#decoders = decoders;
    this.maxStoredBytes = maxStored;
  }

  /**
   * Loads the codecs. Throws FormatError that names an unknown codec, and PackageError if its library is not installed.
   */
  static async load(form: ChunkForm, subject: string): Promise<CodecChain> {
    const named = form.codecs.map(({ name, configuration }) => ({
      name: name.replace(/^numcodecs\./, ''),
      configuration,
    }));
    const decoding = await loadDecoders({ ...form, codecs: named }, subject);
    return new CodecChain({ ...form, codecs: named }, decoding, subject);
  }

  /**
   * The numbers of a chunk, in the order of `strides`. Throws FormatError, which names the key, if it is incomplete.
   */
  async numbers(stored: Uint8Array, key: string): Promise<ArrayValues> {
    return numbersOver(await this.elements(stored, key), this.#stored);
  }

  /** The little-endian bytes of a chunk's elements; texts of any length stay encoded. */
  async elements(stored: Uint8Array, key: string): Promise<Uint8Array> {
    const bytes = await this.#decoded(stored, key);
    if (this.#stored.text === 'variable') return bytes;
    if (bytes.length !== this.#bytes) {
      const problem = 'a chunk is cut, or is not of this array';
      const allowed = `${this.#bytes} bytes`;
      throw new FormatError({ subject: key, problem, received: `${bytes.length} bytes`, allowed });
    }
    return bytes;
  }

  async #decoded(stored: Uint8Array, key: string): Promise<Uint8Array> {
    if (stored.length > this.maxStoredBytes) throw tooLongChunk(key, stored.length, this.maxStoredBytes);
    let bytes = stored;
    const damage = this.#damaged.get(key);
    if (damage !== undefined && crc32c(stored) === damage.checksum) throw damage.error;
    try {
      for (const { decode, maxBytes } of this.#decoders) bytes = await decode(bytes, maxBytes);
    } catch (cause) {
      if (isPlumecastError(cause)) throw cause;
      const problem = `a chunk cannot be decoded: ${cause instanceof Error ? cause.message : cause}`;
      const received = `${stored.length} bytes`;
      const error = new FormatError({ subject: key, problem, received, allowed: 'a complete chunk', cause });
      this.#damaged.set(key, { checksum: crc32c(stored), error });
      throw error;
    }
    return bytes;
  }
}

/** What undoes the codecs of a chunk, in turn, and the most bytes of one as it is stored. */
interface Decoding {
  readonly decoders: readonly BoundedDecoder[];
  readonly maxStored: number;
}

/** Loads what undoes the codecs of a chunk, the last one first. Throws as `CodecChain.load` does. */
async function loadDecoders(form: ChunkForm, subject: string): Promise<Decoding> {
  const { codecs, stored, shape } = form;
  const decoders: BoundedDecoder[] = [];
  let maxBytes = maxDecodedBytes(form, subject);
  /** The bytes of each number after the codecs so far; 0 where they have no order. */
  let width = stored.text === 'utf32' ? 4 : stored.text === undefined ? stored.bytes : 0;
  let isAfterBytes = false;
  for (const codec of codecs.filter(({ name }) => !OWN.has(name))) {
    const isFilter = VALUE_FILTERS.includes(codec.name);
    const filter = isFilter ? valueFilter(codec, subject) : undefined;
    if (filter !== undefined) {
      // Only in v2, where the bytes of an array are filtered, do types of filters state the order of bytes.
      if (filter.isBigEndian && !isAfterBytes) throw bigEndianFilter(codec, subject);
      width = filter.storedBytes;
      const length = width * elements(shape);
      decoders.unshift({ decode: (bytes) => filter.decode(complete(bytes, length)), maxBytes });
      maxBytes = length;
    } else if (codec.name === 'bytes') {
      isAfterBytes = true;
      const size = width;
      if (codec.configuration.endian === 'big' && size > 1)
        decoders.unshift({ decode: (bytes) => swapped(bytes, size), maxBytes });
    } else if (!isFilter) {
      decoders.unshift({ decode: await loadByteDecoder(codec, subject), maxBytes });
      maxBytes = maxStoredBytes(codec.name, maxBytes);
    }
  }
  return { decoders, maxStored: maxBytes };
}

function bigEndianFilter({ name, configuration }: CodecMetadata, subject: string): FormatError {
  const problem = `types of ${name} have their highest byte first`;
  const received = JSON.stringify(configuration);
  return new FormatError({ subject, problem, received, allowed: 'types with the lowest byte first, such as <f4' });
}

/** Bytes of the length that a filter needs. */
function complete(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new RangeError(`${bytes.length} bytes before its filters, not ${length}`);
}

/** The error for a stored chunk that no codec of its array can have written. */
export function tooLongChunk(subject: string, bytes: number, maxBytes: number): FormatError {
  const problem = 'a chunk has more bytes than one of this array can have';
  return new FormatError({ subject, problem, received: `${bytes} bytes`, allowed: `at most ${maxBytes}` });
}

/** The most bytes of a chunk's elements. Throws FormatError if they are too many for the libraries. */
function maxDecodedBytes({ shape, stored }: ChunkForm, subject: string): number {
  if (stored.text === 'variable') return MAX_TEXT_BYTES;
  const bytes = stored.bytes * elements(shape);
  if (bytes <= MAX_CHUNK_BYTES) return bytes;
  const received = `${shape.join(' x ')} elements of ${stored.bytes} bytes`;
  const allowed = `chunks of at most ${MAX_CHUNK_BYTES} bytes`;
  throw new FormatError({ subject, problem: 'its chunks are too large', received, allowed });
}

/** The strides of a chunk: the last dimension varies fastest, unless a transpose states another order. */
function stridesOf(shape: readonly number[], codecs: readonly CodecMetadata[], subject: string): readonly number[] {
  const orders = codecs.filter(({ name }) => name === 'transpose').map(({ configuration }) => configuration.order);
  const natural = shape.map((_, dimension) => dimension);
  const [order = natural] = orders as (readonly number[] | undefined)[];
  const isOrder = Array.isArray(order) && [...order].sort((a, b) => a - b).join() === natural.join();
  if (orders.length > 1 || !isOrder) {
    throw new FormatError({
      subject,
      problem: 'wrong transpose',
      received: orders.join(' and '),
      allowed: 'one order',
    });
  }
  const strides = Array<number>(shape.length).fill(1);
  let stride = 1;
  for (const dimension of [...order].reverse()) {
    strides[dimension] = stride;
    stride *= shape[dimension];
  }
  return strides;
}

/** Views little-endian bytes as numbers; copies them if they are not aligned, or are floats of 16 bits. */
function numbersOver(bytes: Uint8Array, { type, bytes: size, isHalf }: StoredType): ArrayValues {
  if (isHalf) return floatsOfHalves(bytes);
  const { buffer, byteOffset, length } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new NUMBER_ARRAYS[type as NumberType](buffer as ArrayBuffer, byteOffset, length / size);
}

/** The bytes of each element in the opposite order, in a copy. */
function swapped(bytes: Uint8Array, size: number): Uint8Array {
  const copy = bytes.slice();
  swapBytes(copy, size);
  return copy;
}

/**
 * Undoes one codec of the bytes of a chunk. Throws if the codec did not write these bytes, and if they become more than
 * `maxBytes`, before memory is allocated for them.
 */
type DecodeBytes = (bytes: Uint8Array, maxBytes: number) => Uint8Array | Promise<Uint8Array>;

/** A codec, and the most bytes that it may decode to. */
interface BoundedDecoder {
  readonly decode: DecodeBytes;
  readonly maxBytes: number;
}

/** The entry of a codec in zarrita's registry, as far as it is used here. */
interface CodecClass {
  fromConfig(configuration: unknown): { decode(bytes: Uint8Array): Uint8Array | Promise<Uint8Array> };
}

/** Codecs from bytes to bytes that zarrita decodes, each with a check before decoding. */
const ZARRITA_CHECKS: Readonly<Record<string, (bytes: Uint8Array, maxBytes: number) => void>> = {
  lz4: checkLz4,
  shuffle: () => {},
};

const INFLATED: Readonly<Record<string, InflateCodec>> = { gzip: 'gzip', zlib: 'deflate' };

/** All codecs that are read, as messages list them. */
const READ = `blosc, zstd, lz4, gzip, zlib, shuffle, crc32c, bytes, transpose, vlen-utf8, sharding_indexed, ${VALUE_FILTERS.join(', ')}`;

const CHECKSUM_BYTES = 4;
/** The most by which compression can make bytes longer, for every codec. */
const MAX_GROWTH = { share: 1 / 8, bytes: 65_536 };

/**
 * Loads the decoder of a codec. Throws FormatError, which names the codec, if it is unknown; PackageError if zarrita is
 * not installed.
 */
async function loadByteDecoder({ name, configuration }: CodecMetadata, subject: string): Promise<DecodeBytes> {
  if (name === 'crc32c' && (configuration.location ?? 'end') === 'end') return withoutChecksum;
  if (Object.hasOwn(INFLATED, name)) {
    return (bytes, maxBytes) => inflate(INFLATED[name], bytes, maxBytes);
  }
  if (name === 'zstd') return decompressZstd;
  if (name === 'blosc') return loadBlosc(subject);
  if (!Object.hasOwn(ZARRITA_CHECKS, name)) {
    throw new FormatError({ subject, problem: 'is stored by a codec that is not read', received: name, allowed: READ });
  }
  const check = name === 'shuffle' ? createShuffleCheck(configuration, subject) : ZARRITA_CHECKS[name];
  const { registry } = await loadPackage('zarrita', subject, () => import('zarrita'));
  const codec = (await registry.get(`numcodecs.${name}`)?.()) as unknown as CodecClass;
  return (bytes, maxBytes) => {
    check(bytes, maxBytes);
    return codec.fromConfig(configuration).decode(bytes);
  };
}

/** The most bytes that a codec writes for `bytes` bytes. */
function maxStoredBytes(name: string, bytes: number): number {
  if (name === 'shuffle') return bytes;
  if (name === 'crc32c') return bytes + CHECKSUM_BYTES;
  return Math.ceil(bytes * (1 + MAX_GROWTH.share)) + MAX_GROWTH.bytes;
}

/** Checks the size of the decoded bytes, which stands before an LZ4 block. */
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

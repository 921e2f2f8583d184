import { LRUCache } from 'lru-cache';
import { FormatError } from '../../errors.js';
import type { ArrayValues } from '../array/array-file.js';
import { elements } from '../array/box.js';
import { swapBytes } from '../array/byte-order.js';
import { NUMBER_ARRAYS, type NumberType } from '../array/number-types.js';
import { crc32c } from '../codecs/crc.js';
import type { CodecMetadata } from './array-metadata.js';
import { type BoundedDecoder, byteDecoder, mostStored } from './byte-codecs.js';
import type { StoredType } from './stored-type.js';

/** What a chunk is decoded for. */
export interface ChunkForm {
  readonly shape: readonly number[];
  readonly stored: StoredType;
  readonly codecs: readonly CodecMetadata[];
}

/** Codecs that change no bytes when they are read: they had rounded values before they were written. */
const ROUNDING = new Set(['bitround', 'quantize']);

/** Codecs that are steps of their own here. */
const OWN = new Set(['bytes', 'transpose', 'vlen-utf8', ...ROUNDING]);

/** Longer chunks cannot be decoded by any of the libraries. */
const MAX_CHUNK_BYTES = 2 ** 31 - 1;

/** Texts of any length have no known size; a chunk of them has at most this. */
const MAX_TEXT_BYTES = 2 ** 26;

/** As many damaged chunks are remembered. */
const MAX_DAMAGED = 1000;

/** Decodes chunks, all of one shape and by the same codecs. */
export class CodecChain {
  /** How far apart neighbours along each dimension are in the values of a chunk. */
  readonly strides: readonly number[];
  readonly #stored: StoredType;
  readonly #bytes: number;
  readonly #decoders: readonly BoundedDecoder[];
  /** The most bytes that a chunk is stored in. */
  readonly #mostStored: number;
  readonly #isBigEndian: boolean;
  /** Chunks that could not be decoded: some decoders leak memory for each try. */
  readonly #damaged = new LRUCache<string, { readonly checksum: number; readonly error: FormatError }>({
    max: MAX_DAMAGED,
  });

  private constructor(
    { shape, stored, codecs }: ChunkForm,
    { decoders, most }: { decoders: readonly BoundedDecoder[]; most: number },
    subject: string,
  ) {
    this.strides = stridesOf(shape, codecs, subject);
    this.#stored = stored;
    this.#bytes = stored.bytes * elements(shape);
    this.#decoders = decoders;
    this.#mostStored = most;
    this.#isBigEndian = codecs.some(({ name, configuration }) => name === 'bytes' && configuration.endian === 'big');
  }

  /**
   * Throws FormatError, which names the codec, where one is not known, and PackageError where its library is not
   * installed.
   */
  static async load(form: ChunkForm, subject: string): Promise<CodecChain> {
    const named = form.codecs.map(({ name, configuration }) => ({
      name: name.replace(/^numcodecs\./, ''),
      configuration,
    }));
    let most = mostDecoded(form, subject);
    const decoders: BoundedDecoder[] = [];
    for (const codec of named.filter(({ name }) => !OWN.has(name))) {
      decoders.unshift({ decode: await byteDecoder(codec, subject), most });
      most = mostStored(codec.name, most);
    }
    return new CodecChain({ ...form, codecs: named }, { decoders, most }, subject);
  }

  /**
   * The numbers of a chunk, in the order that `strides` tells. Throws FormatError, which names the key, where it is not
   * whole.
   */
  async numbers(stored: Uint8Array, key: string): Promise<ArrayValues> {
    return numbersOver(await this.elements(stored, key), this.#stored);
  }

  /** The bytes of a chunk's elements, the lowest first; those of texts of any length as they were joined. */
  async elements(stored: Uint8Array, key: string): Promise<Uint8Array> {
    const bytes = await this.#decoded(stored, key);
    if (this.#stored.text === 'variable') return bytes;
    if (bytes.length !== this.#bytes) {
      const problem = 'a chunk is cut, or is not of this array';
      const allowed = `${this.#bytes} bytes`;
      throw new FormatError({ subject: key, problem, received: `${bytes.length} bytes`, allowed });
    }
    const size = this.#stored.text === 'utf32' ? 4 : this.#stored.bytes;
    return this.#isBigEndian && this.#stored.text !== 'bytes' ? swapped(bytes, size) : bytes;
  }

  async #decoded(stored: Uint8Array, key: string): Promise<Uint8Array> {
    if (stored.length > this.#mostStored) {
      const problem = 'a chunk has more bytes than one of this array can have';
      throw new FormatError({
        ...{ subject: key, problem, received: `${stored.length} bytes`, allowed: `at most ${this.#mostStored}` },
      });
    }
    let bytes = stored;
    const damage = this.#damaged.get(key);
    if (damage !== undefined && crc32c(stored) === damage.checksum) throw damage.error;
    try {
      for (const { decode, most } of this.#decoders) bytes = await decode(bytes, most);
    } catch (cause) {
      const problem = `a chunk cannot be decoded: ${cause instanceof Error ? cause.message : cause}`;
      const received = `${stored.length} bytes`;
      const error = new FormatError({ subject: key, problem, received, allowed: 'a complete chunk', cause });
      this.#damaged.set(key, { checksum: crc32c(stored), error });
      throw error;
    }
    return bytes;
  }
}

/** The bytes of a chunk's elements. Throws FormatError where no machine could hold them. */
function mostDecoded({ shape, stored }: ChunkForm, subject: string): number {
  if (stored.text === 'variable') return MAX_TEXT_BYTES;
  const bytes = stored.bytes * elements(shape);
  if (bytes <= MAX_CHUNK_BYTES) return bytes;
  const received = `${shape.join(' x ')} elements of ${stored.bytes} bytes`;
  const allowed = `chunks of at most ${MAX_CHUNK_BYTES} bytes`;
  throw new FormatError({ subject, problem: 'its chunks are too large', received, allowed });
}

/** The last dimension varies fastest, or those in the order that is written. */
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

/** Little-endian bytes as the numbers that they are; in place where they are aligned. */
function numbersOver(bytes: Uint8Array, { type, bytes: size }: StoredType): ArrayValues {
  const { buffer, byteOffset, length } = bytes.byteOffset % size === 0 ? bytes : bytes.slice();
  return new NUMBER_ARRAYS[type as NumberType](buffer as ArrayBuffer, byteOffset, length / size);
}

/** The bytes of each element in the opposite order, in a copy. */
function swapped(bytes: Uint8Array, size: number): Uint8Array {
  if (size === 1) return bytes;
  const copy = bytes.slice();
  swapBytes(copy, size);
  return copy;
}

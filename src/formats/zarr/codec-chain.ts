import { LRUCache } from 'lru-cache';
import { FormatError } from '../../errors.js';
import type { ArrayValues } from '../array-file.js';
import { elements } from '../box.js';
import type { CodecMetadata } from './array-metadata.js';
import { byteDecoder, type DecodeBytes } from './byte-codecs.js';
import { crc32c } from './crc32c.js';
import type { StoredType } from './stored-type.js';
import { numbersOver, swapped } from './typed-values.js';

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

/** As many damaged chunks are remembered. */
const MOST_DAMAGED = 1000;

/** Decodes chunks, all of one shape and by the same codecs. */
export class CodecChain {
  /** How far apart neighbours along each dimension are in the values of a chunk. */
  readonly strides: readonly number[];
  readonly #stored: StoredType;
  readonly #bytes: number;
  readonly #decoders: readonly DecodeBytes[];
  readonly #isBigEndian: boolean;
  /** Chunks that could not be decoded: some decoders leak memory for each try. */
  readonly #damaged = new LRUCache<string, { readonly checksum: number; readonly error: FormatError }>({
    max: MOST_DAMAGED,
  });

  private constructor({ shape, stored, codecs }: ChunkForm, decoders: readonly DecodeBytes[], subject: string) {
    this.strides = stridesOf(shape, codecs, subject);
    this.#stored = stored;
    this.#bytes = stored.bytes * elements(shape);
    this.#decoders = decoders;
    this.#isBigEndian = codecs.some(({ name, configuration }) => name === 'bytes' && configuration.endian === 'big');
  }

  /** Throws FormatError, which names the codec, where one is not known, and PackageError where its library is not installed. */
  static async load(form: ChunkForm, subject: string): Promise<CodecChain> {
    const named = form.codecs.map(({ name, configuration }) => ({
      name: name.replace(/^numcodecs\./, ''),
      configuration,
    }));
    const toBytes = named.filter(({ name }) => !OWN.has(name)).reverse();
    const decoders = await Promise.all(toBytes.map((codec) => byteDecoder(codec, subject)));
    return new CodecChain({ ...form, codecs: named }, decoders, subject);
  }

  /** The numbers of a chunk, in the order that `strides` tells. Throws FormatError, which names the key, where it is not whole. */
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
    let bytes = stored;
    const damage = this.#damaged.get(key);
    if (damage !== undefined && crc32c(stored) === damage.checksum) throw damage.error;
    try {
      for (const decode of this.#decoders) bytes = await decode(bytes);
    } catch (cause) {
      const problem = `a chunk cannot be decoded: ${(cause as Error).message}`;
      const received = `${stored.length} bytes`;
      const error = new FormatError({ subject: key, problem, received, allowed: 'a whole chunk', cause });
      this.#damaged.set(key, { checksum: crc32c(stored), error });
      throw error;
    }
    return bytes;
  }
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

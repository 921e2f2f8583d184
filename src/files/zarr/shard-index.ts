import { FormatError } from '../../errors.js';
import type { ByteSpan } from '../array/byte-runs.js';
import { elements } from '../array/copy-box.js';
import { CodecChain } from './codec-chain.js';
import { type MetadataDocument, readIntegers, wrongField } from './metadata-document.js';
import { readCodecs } from './metadata-v3.js';

/** Offset and length of a chunk that was never written. */
const ABSENT = 0xffff_ffff_ffff_ffffn;

const NUMBER_BYTES = 8;

const CHECKSUM_BYTES = 4;

/** Reads the indexes of shards: tables with the places of their chunks (Zarr v3, codec `sharding_indexed`). */
export class ShardIndexForm {
  /** The bytes of the stored table. */
  readonly bytes: number;
  readonly isAtEnd: boolean;
  /** The number of chunks of a shard along each dimension. */
  readonly chunks: readonly number[];
  readonly #chain: CodecChain;

  private constructor(chunks: readonly number[], bytes: number, isAtEnd: boolean, chain: CodecChain) {
    this.chunks = chunks;
    this.bytes = bytes;
    this.isAtEnd = isAtEnd;
    this.#chain = chain;
  }

  /** Loads the form of an index. Throws FormatError for a configuration that is wrong or not supported. */
  static async load(
    shard: readonly number[],
    configuration: MetadataDocument,
    subject: string,
  ): Promise<ShardIndexForm> {
    const chunk = readIntegers(configuration, 'chunk_shape', 1, subject);
    const isDivided = chunk.length === shard.length && chunk.every((length, d) => shard[d] % length === 0);
    if (!isDivided) throw wrongField(subject, 'chunk_shape', chunk, `lengths that divide those of the shard, ${shard}`);
    const chunks = shard.map((length, d) => length / chunk[d]);
    const codecs = readCodecs(configuration, 'index_codecs', subject);
    const checksums = codecs.filter(({ name }) => name === 'crc32c').length;
    if (codecs.some(({ name }) => name !== 'bytes' && name !== 'crc32c')) {
      throw wrongField(subject, 'index_codecs', codecs, 'bytes and crc32c');
    }
    const { index_location: location = 'end' } = configuration;
    if (location !== 'end' && location !== 'start')
      throw wrongField(subject, 'index_location', location, 'start or end');
    const form = { shape: [...chunks, 2], stored: { type: 'uint64', bytes: NUMBER_BYTES }, codecs } as const;
    const bytes = 2 * NUMBER_BYTES * elements(chunks) + CHECKSUM_BYTES * checksums;
    return new ShardIndexForm(chunks, bytes, location === 'end', await CodecChain.load(form, subject));
  }

  /**
   * Decodes an index. Throws FormatError, which names the shard, if the table is truncated or its checksum is wrong.
   */
  async read(stored: Uint8Array, name: string): Promise<ShardIndex> {
    return new ShardIndex(this.chunks, (await this.#chain.numbers(stored, name)) as BigUint64Array, name);
  }
}

/** The places of the chunks of one shard. */
export class ShardIndex {
  readonly #chunks: readonly number[];
  readonly #numbers: BigUint64Array;
  readonly #name: string;

  constructor(chunks: readonly number[], numbers: BigUint64Array, name: string) {
    this.#chunks = chunks;
    this.#numbers = numbers;
    this.#name = name;
  }

  /**
   * The bytes of a chunk, by its place in the grid of all chunks; undefined if it was never written. Throws
   * FormatError.
   */
  span(place: readonly number[]): ByteSpan | undefined {
    const entry = place.reduce((at, along, d) => at * this.#chunks[d] + (along % this.#chunks[d]), 0);
    const [offset, length] = this.#numbers.subarray(2 * entry, 2 * entry + 2);
    if (offset === ABSENT && length === ABSENT) return undefined;
    if (offset + length <= BigInt(Number.MAX_SAFE_INTEGER)) return { offset: Number(offset), length: Number(length) };
    const received = `${length} bytes from ${offset} on`;
    throw new FormatError({ subject: this.#name, problem: 'the index of the shard is wrong', received });
  }
}

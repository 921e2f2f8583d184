import { FormatError } from '../../errors.js';
import { elements } from '../array/copy-box.js';
import type { ByteSpan } from '../array/read-strided.js';
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
   * Decodes the index of a shard of `size` bytes, where its size is known. Throws FormatError, which names the shard, if
   * the table is truncated, its checksum is wrong, or chunks overlap each other, the index or the end of the shard.
   */
  async read(stored: Uint8Array, name: string, size = Number.MAX_SAFE_INTEGER): Promise<ShardIndex> {
    const numbers = (await this.#chain.numbers(stored, name)) as BigUint64Array;
    const [start, end] = this.isAtEnd ? [0, size - this.bytes] : [this.bytes, size];
    assertApart(numbers, start, end, name);
    return new ShardIndex(this.chunks, numbers);
  }
}

/** Throws FormatError unless all chunks of a shard are apart, from byte `start` up to `end`: in n log n steps. */
function assertApart(numbers: BigUint64Array, start: number, end: number, name: string): void {
  const from = new Float64Array(numbers.length / 2);
  const to = new Float64Array(from.length);
  let count = 0;
  for (let at = 0; at < numbers.length; at += 2) {
    const [offset, length] = [numbers[at], numbers[at + 1]];
    if (offset === ABSENT && length === ABSENT) continue;
    from[count] = Number(offset);
    to[count] = Number(offset + length);
    if (from[count] < start || to[count] > end) {
      const allowed = `chunks in its bytes ${start} to ${end}${end === Number.MAX_SAFE_INTEGER ? ' at most' : ''}`;
      throw wrongIndex(name, `${length} bytes from ${offset} on`, allowed);
    }
    // A chunk without bytes lies nowhere.
    if (to[count] > from[count]) count++;
  }
  // Chunks are apart where the nth to begin begins after the (n - 1)th to end.
  const [starts, ends] = [from.subarray(0, count).sort(), to.subarray(0, count).sort()];
  for (let i = 1; i < count; i++) {
    if (starts[i] >= ends[i - 1]) continue;
    throw wrongIndex(name, `two chunks with byte ${starts[i]}`, 'chunks that do not overlap');
  }
}

function wrongIndex(subject: string, received: string, allowed: string): FormatError {
  return new FormatError({ subject, problem: 'the index of the shard is wrong', received, allowed });
}

/** The places of the chunks of one shard. */
export class ShardIndex {
  readonly #chunks: readonly number[];
  readonly #numbers: BigUint64Array;

  constructor(chunks: readonly number[], numbers: BigUint64Array) {
    this.#chunks = chunks;
    this.#numbers = numbers;
  }

  /** The bytes of a chunk, by its place in the grid of all chunks; undefined if it was never written. */
  span(place: readonly number[]): ByteSpan | undefined {
    const entry = place.reduce((at, along, d) => at * this.#chunks[d] + (along % this.#chunks[d]), 0);
    const [offset, length] = this.#numbers.subarray(2 * entry, 2 * entry + 2);
    if (offset === ABSENT && length === ABSENT) return undefined;
    return { offset: Number(offset), length: Number(length) };
  }
}

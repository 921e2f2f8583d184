import { LRUCache } from 'lru-cache';
import { forEachLimited } from '../../check/work.js';
import { FormatError } from '../../errors.js';
import type { Box } from '../array/array-file.js';
import { touchedChunks } from '../array/copy-box.js';
import { type ByteRun, type ByteSpan, byteRuns } from '../array/read-strided.js';
import type { ArrayMetadata, CodecMetadata } from './array-metadata.js';
import { type ChunkKeys, type ChunkReader, createPlainReader, type StoredChunk } from './chunk-reader.js';
import { CodecChain, tooLongChunk } from './codec-chain.js';
import { readIntegers } from './metadata-document.js';
import { readCodecs } from './metadata-v3.js';
import { type ShardIndex, ShardIndexForm } from './shard-index.js';
import type { StoreReader } from './store-reader.js';
import type { EndBytes } from './zarr-store.js';

/** The reader and the decoder of an array's chunks. */
export interface OpenChunks {
  /** The shape of each. */
  readonly shape: readonly number[];
  readonly reader: ChunkReader;
  readonly chain: CodecChain;
}

/**
 * The shape of the parts of an array that can only be read in full: if shards are read by ranges, that of the chunks
 * within them. Throws FormatError for shards whose chunks have no shape.
 */
export function partShape({ codecs, chunk }: ArrayMetadata, hasRanges: boolean, subject: string): readonly number[] {
  const sharding = shardingOf(codecs);
  return sharding === undefined || !hasRanges ? chunk : readIntegers(sharding.configuration, 'chunk_shape', 1, subject);
}

/**
 * Prepares to read an array. Throws FormatError that names codecs that are not read, and PackageError if zarrita is
 * missing.
 */
export async function openChunks(
  metadata: ArrayMetadata,
  store: StoreReader,
  concurrency: number,
): Promise<OpenChunks> {
  const { path, stored, chunk, codecs } = metadata;
  const subject = store.name(path);
  const prefix = path === '' ? '' : `${path}/`;
  const key = (place: readonly number[]) => `${prefix}${metadata.chunkKey(place)}`;
  const sharding = shardingOf(codecs);
  if (sharding === undefined) {
    const chain = await CodecChain.load({ shape: chunk, stored, codecs }, subject);
    return {
      shape: chunk,
      chain,
      reader: createPlainReader(store, { chunk, maxBytes: chain.maxStoredBytes, key }, concurrency),
    };
  }
  const { configuration } = sharding;
  const shape = readIntegers(configuration, 'chunk_shape', 1, subject);
  const inner = readCodecs(configuration, 'codecs', subject);
  if (codecs.length > 1 || shardingOf(inner) !== undefined) {
    const names = [...codecs, ...inner].map(({ name }) => name);
    throw new FormatError({
      subject,
      problem: 'has shards in a form that is not read',
      received: names,
      allowed: 'shards alone',
    });
  }
  const form = await ShardIndexForm.load(chunk, configuration, subject);
  const chain = await CodecChain.load({ shape, stored, codecs: inner }, subject);
  const keys = { chunk, maxBytes: chain.maxStoredBytes, key };
  return { shape, chain, reader: new ShardedChunks(store, keys, form, concurrency) };
}

function shardingOf(codecs: readonly CodecMetadata[]): CodecMetadata | undefined {
  return codecs.find(({ name }) => name === 'sharding_indexed');
}

/** The most bytes of cached indexes. */
const INDEX_BYTES = 16_777_216;

/** A chunk within its shard. */
interface Part extends ByteSpan {
  readonly place: readonly number[];
}

/** A part of a shard: chunks that are read at once, or one that does not exist. */
type Task =
  | { readonly shard: string; readonly run: ByteRun<Part> }
  | { readonly shard: string; readonly absent: readonly number[] };

/**
 * Reads chunks that are parts of shards, which are values of the store: it reads the index of a shard first, and keeps
 * it.
 */
class ShardedChunks implements ChunkReader {
  readonly #store: StoreReader;
  readonly #shards: ChunkKeys;
  readonly #chunk: readonly number[];
  readonly #form: ShardIndexForm;
  readonly #concurrency: number;
  readonly #indexes: LRUCache<string, Promise<ShardIndex | undefined>>;

  constructor(store: StoreReader, shards: ChunkKeys, form: ShardIndexForm, concurrency: number) {
    this.#store = store;
    this.#shards = shards;
    this.#form = form;
    this.#chunk = shards.chunk.map((length, d) => length / form.chunks[d]);
    this.#concurrency = concurrency;
    this.#indexes = new LRUCache({
      maxSize: INDEX_BYTES,
      maxEntrySize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: () => form.bytes,
    });
  }

  async forEach(box: Box, use: (chunk: StoredChunk) => Promise<void>): Promise<void> {
    const indexes: { place: readonly number[]; index: ShardIndex | undefined }[] = [];
    await forEachLimited(touchedChunks(this.#shards.chunk, box), this.#concurrency, async (place) => {
      indexes.push({ place, index: await this.#index(this.#shards.key(place)) });
    });
    const shards = this;
    function* tasks(): Generator<Task> {
      for (const { place, index } of indexes) yield* shards.#tasks(place, index, box);
    }
    await forEachLimited(tasks(), this.#concurrency, (task) => this.#perform(task, use));
  }

  /** The tasks for the chunks of one shard that overlap the box: one task for each chunk that does not exist. */
  *#tasks(place: readonly number[], index: ShardIndex | undefined, box: Box): Generator<Task> {
    const shard = this.#shards.key(place);
    const parts: Part[] = [];
    for (const chunk of this.#places(place, box)) {
      const span = index?.span(chunk);
      if (span === undefined) yield { shard, absent: chunk };
      else if (span.length > this.#shards.maxBytes)
        throw tooLongChunk(`${this.#store.name(shard)}, chunk ${chunk.join('/')}`, span.length, this.#shards.maxBytes);
      else parts.push({ place: chunk, ...span });
    }
    for (const run of byteRuns(parts, this.#store.hasRanges)) yield { shard, run };
  }

  #places(shard: readonly number[], box: Box): Iterable<readonly number[]> {
    const start = box.start.map((at, d) => Math.max(at, shard[d] * this.#shards.chunk[d]));
    const ends = box.start.map((at, d) => Math.min(at + box.count[d], (shard[d] + 1) * this.#shards.chunk[d]));
    return touchedChunks(this.#chunk, { start, count: ends.map((end, d) => end - start[d]) });
  }

  async #perform(task: Task, use: (chunk: StoredChunk) => Promise<void>): Promise<void> {
    const shard = this.#store.name(task.shard);
    if ('absent' in task) return use({ place: task.absent, name: shard, bytes: undefined });
    const { run } = task;
    try {
      const bytes = await this.#bytes(task.shard, run);
      for (const { place, offset, length } of run.parts) {
        const from = offset - run.offset;
        await use({ place, name: `${shard}, chunk ${place.join('/')}`, bytes: bytes.subarray(from, from + length) });
      }
    } catch (error) {
      // A shard may have been rewritten since its index was read.
      this.#indexes.delete(task.shard);
      throw error;
    }
  }

  async #bytes(shard: string, { offset, length }: ByteSpan): Promise<Uint8Array> {
    const bytes = this.#store.hasRanges
      ? await this.#store.getRange(shard, { offset, length })
      : (await this.#store.get(shard))?.subarray(offset, offset + length);
    if (bytes?.length === length) return bytes;
    const received = `${bytes?.length ?? 0} bytes from ${offset} on`;
    throw new FormatError({
      subject: this.#store.name(shard),
      problem: 'the shard is cut',
      received,
      allowed: `${length} bytes`,
    });
  }

  /** Undefined if there is no such shard. */
  #index(shard: string): Promise<ShardIndex | undefined> {
    const known = this.#indexes.get(shard);
    if (known !== undefined) return known;
    const reading = this.#readIndex(shard);
    this.#indexes.set(shard, reading);
    // A shard that does not exist may be written later.
    const forget = () => this.#indexes.delete(shard);
    reading.then((index) => index ?? forget(), forget);
    return reading;
  }

  async #readIndex(shard: string): Promise<ShardIndex | undefined> {
    const found = await this.#readTable(shard, this.#form);
    return found && this.#form.read(found.bytes, this.#store.name(shard), found.size);
  }

  /** The bytes of the index of a shard, and the size of the shard where it is known. */
  async #readTable(shard: string, { bytes: length, isAtEnd }: ShardIndexForm): Promise<EndBytes | undefined> {
    if (this.#store.hasRanges) {
      if (isAtEnd) return this.#store.getEnd(shard, length);
      const bytes = await this.#store.getRange(shard, { offset: 0, length });
      return bytes && { bytes };
    }
    const all = await this.#store.get(shard);
    return all && { bytes: isAtEnd ? all.subarray(-length) : all.subarray(0, length), size: all.length };
  }
}

import { FormatError } from '../../errors.js';
import type { ArrayMetadata, CodecMetadata } from './array-metadata.js';
import { type ChunkReader, createPlainReader } from './chunk-reader.js';
import { CodecChain } from './codec-chain.js';
import { readIntegers } from './metadata-document.js';
import { readCodecs } from './metadata-v3.js';
import { ShardIndexForm } from './shard-index.js';
import { ShardedChunks } from './sharded-chunks.js';
import type { StoreReader } from './store-reader.js';

/** The reader and the decoder of an array's chunks. */
export interface OpenChunks {
  /** The shape of each. */
  readonly shape: readonly number[];
  readonly reader: ChunkReader;
  readonly chain: CodecChain;
}

/**
 * The shape of the pieces of an array that can only be read in full: if shards are read by ranges, that of the chunks
 * within them. Throws FormatError for shards whose chunks have no shape.
 */
export function pieceShape({ codecs, chunk }: ArrayMetadata, hasRanges: boolean, subject: string): readonly number[] {
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

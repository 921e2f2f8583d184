import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { registry } from 'zarrita';
import { NUMBER_ARRAYS, type NumberType } from '../../../src/core/number-arrays.js';
import type { ArrayValues } from '../../../src/files/array/array-file.js';
import type { ByteRange, ZarrStore } from '../../../src/files/zarr/index.js';

/** Codecs that a fixture's chunks can be written with. */
export const CODECS = ['raw', 'gzip', 'zlib', 'blosc', 'zstd', 'lz4'] as const;

export interface FixtureArray {
  readonly type: NumberType;
  readonly dimensions: readonly string[];
  readonly shape: readonly number[];
  readonly chunk: readonly number[];
  /** The last dimension fastest. */
  readonly values: ArrayLike<number>;
  readonly codec?: (typeof CODECS)[number];
  /** v3 only: chunks that are put together in one shard, along each dimension. */
  readonly perShard?: readonly number[];
  readonly indexAt?: 'start' | 'end';
  readonly checksums?: boolean;
  readonly bigEndian?: boolean;
  readonly reversed?: boolean;
  readonly fill?: number | string | null;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

export type FixtureArrays = Readonly<Record<string, FixtureArray>>;

/** A store in memory, by keys without a slash before them. */
export class Fixture implements ZarrStore {
  readonly values = new Map<string, Uint8Array>();
  /** The keys that were read. */
  readonly requested: string[] = [];

  get(key: string): Uint8Array | undefined {
    this.requested.push(key);
    return this.values.get(key.slice(1));
  }

  getRange(key: string, range: ByteRange): Uint8Array | undefined {
    const all = this.get(key);
    return 'suffixLength' in range
      ? all?.subarray(-range.suffixLength)
      : all?.subarray(range.offset, range.offset + range.length);
  }

  json(key: string): Record<string, unknown> {
    return JSON.parse(Buffer.from(this.values.get(key) as Uint8Array).toString());
  }

  putJson(key: string, value: unknown): void {
    this.values.set(key, new TextEncoder().encode(JSON.stringify(value)));
  }

  async writeTo(folder: string): Promise<void> {
    for (const [key, bytes] of this.values) {
      await mkdir(dirname(join(folder, key)), { recursive: true });
      await writeFile(join(folder, key), bytes);
    }
  }
}

const DTYPES = {
  ...{ int8: 'i1', uint8: 'u1', int16: 'i2', uint16: 'u2', int32: 'i4', uint32: 'u4', int64: 'i8', uint64: 'u8' },
  ...{ float32: 'f4', float64: 'f8' },
};

export function arrayOf(type: FixtureArray['type'], length: number): ArrayValues {
  return new NUMBER_ARRAYS[type](length);
}

/** A store of arrays, by their paths, with consolidated metadata; made without the code that is tested. */
export async function zarrFixture(
  version: 2 | 3,
  arrays: FixtureArrays,
  groups: readonly string[] = [],
): Promise<Fixture> {
  const fixture = new Fixture();
  const documents: Record<string, unknown> = {};
  for (const group of groups) {
    if (version === 2) documents[`${group}/.zgroup`] = { zarr_format: 2 };
    else documents[group] = { zarr_format: 3, node_type: 'group', attributes: {} };
  }
  for (const [path, array] of Object.entries(arrays)) {
    if (version === 2) {
      documents[`${path}/.zarray`] = metadataV2(array);
      documents[`${path}/.zattrs`] = { ...array.attributes, _ARRAY_DIMENSIONS: array.dimensions };
    } else documents[path] = metadataV3(array);
    await writeChunks(fixture, path, version, array);
  }
  for (const [name, document] of Object.entries(documents))
    fixture.putJson(version === 2 ? name : `${name}/zarr.json`, document);
  const root = { zarr_format: version, attributes: { title: 'a fixture' } };
  if (version === 2) {
    fixture.putJson('.zgroup', { zarr_format: 2 });
    fixture.putJson('.zattrs', root.attributes);
    const metadata = { '.zgroup': { zarr_format: 2 }, '.zattrs': root.attributes, ...documents };
    fixture.putJson('.zmetadata', { zarr_consolidated_format: 1, metadata });
  } else {
    const consolidated_metadata = { kind: 'inline', must_understand: false, metadata: documents };
    fixture.putJson('zarr.json', { ...root, node_type: 'group', consolidated_metadata });
  }
  return fixture;
}

function metadataV2({ type, shape, chunk, codec = 'raw', bigEndian, reversed, fill = null }: FixtureArray) {
  const compressor = codec === 'raw' ? null : { id: codec, ...CONFIGURATIONS[codec] };
  const order = reversed ? 'F' : 'C';
  const dtype = (type.endsWith('t8') ? '|' : bigEndian ? '>' : '<') + DTYPES[type];
  return { zarr_format: 2, shape, chunks: chunk, dtype, compressor, filters: null, order, fill_value: fill };
}

function metadataV3(array: FixtureArray) {
  const { type, shape, chunk, codec = 'raw', bigEndian, reversed, checksums, perShard, dimensions } = array;
  const natural = shape.map((_, d) => d);
  const inner = [
    ...(reversed ? [{ name: 'transpose', configuration: { order: natural.reverse() } }] : []),
    { name: 'bytes', configuration: { endian: bigEndian ? 'big' : 'little' } },
    ...(codec === 'raw' ? [] : [{ name: codec, configuration: CONFIGURATIONS[codec] }]),
    ...(checksums ? [{ name: 'crc32c' }] : []),
  ];
  const index_codecs = [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'crc32c' }];
  const sharding = { chunk_shape: chunk, codecs: inner, index_codecs, index_location: array.indexAt ?? 'end' };
  return {
    ...{ zarr_format: 3, node_type: 'array', shape, data_type: type, fill_value: array.fill ?? 0 },
    chunk_grid: {
      name: 'regular',
      configuration: { chunk_shape: perShard ? chunk.map((length, d) => length * perShard[d]) : chunk },
    },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    codecs: perShard ? [{ name: 'sharding_indexed', configuration: sharding }] : inner,
    ...{ dimension_names: dimensions, attributes: array.attributes ?? {} },
  };
}

const CONFIGURATIONS = {
  gzip: { level: 1 },
  zlib: { level: 1 },
  blosc: { cname: 'lz4', clevel: 5, shuffle: 1, blocksize: 0, typesize: 4 },
  zstd: { level: 1, checksum: false },
  lz4: { acceleration: 1 },
};

async function writeChunks(fixture: Fixture, path: string, version: number, array: FixtureArray): Promise<void> {
  const { shape, chunk, perShard = chunk.map(() => 1), indexAt = 'end' } = array;
  const shard = chunk.map((length, d) => length * perShard[d]);
  const key = (place: readonly number[]) =>
    version === 2 ? `${path}/${place.join('.') || '0'}` : [path, 'c', ...place].join('/');
  for (const place of grid(shape.map((length, d) => Math.ceil(length / shard[d])))) {
    const chunks = [];
    for (const within of grid(perShard)) {
      chunks.push(
        await encoded(
          elements(
            array,
            within.map((at, d) => place[d] * perShard[d] + at),
          ),
          array,
        ),
      );
    }
    fixture.values.set(key(place), array.perShard ? joined(chunks, indexAt) : chunks[0]);
  }
}

/** The elements of a chunk in the order of its bytes, zero beyond the array. */
function elements({ shape, chunk, values, reversed }: FixtureArray, place: readonly number[]): number[] {
  const order = chunk.map((_, d) => d);
  if (reversed) order.reverse();
  return grid(order.map((d) => chunk[d])).map((at) => {
    const index = chunk.map((length, d) => place[d] * length + at[order.indexOf(d)]);
    if (index.some((along, d) => along >= shape[d])) return 0;
    return values[index.reduce((row, along, d) => row * shape[d] + along, 0)];
  });
}

async function encoded(numbers: readonly number[], array: FixtureArray): Promise<Uint8Array> {
  const { type, codec = 'raw', bigEndian, checksums } = array;
  const typed = arrayOf(type, numbers.length);
  for (const [i, value] of numbers.entries())
    typed[i] = type.endsWith('64') && type !== 'float64' ? BigInt(value) : value;
  let bytes = new Uint8Array(typed.buffer as ArrayBuffer);
  if (bigEndian)
    for (let i = 0; i < bytes.length; i += typed.BYTES_PER_ELEMENT)
      bytes.subarray(i, i + typed.BYTES_PER_ELEMENT).reverse();
  if (codec === 'gzip') bytes = new Uint8Array(gzipSync(bytes));
  else if (codec === 'zlib') bytes = new Uint8Array(deflateSync(bytes));
  else if (codec !== 'raw') bytes = await compressed(bytes, codec);
  return checksums ? withChecksum(bytes) : bytes;
}

async function compressed(bytes: Uint8Array, codec: 'blosc' | 'zstd' | 'lz4'): Promise<Uint8Array<ArrayBuffer>> {
  const Codec = (await registry.get(codec)?.()) as unknown as {
    fromConfig(configuration: unknown): { encode(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> };
  };
  return Codec.fromConfig(CONFIGURATIONS[codec]).encode(bytes);
}

/** A shard: chunks one after the other, and the table of their places. */
function joined(chunks: readonly Uint8Array[], indexAt: 'start' | 'end'): Uint8Array {
  const index = new BigUint64Array(2 * chunks.length);
  let offset = indexAt === 'start' ? index.byteLength + 4 : 0;
  for (const [i, { length }] of chunks.entries()) {
    index.set([BigInt(offset), BigInt(length)], 2 * i);
    offset += length;
  }
  const table = withChecksum(new Uint8Array(index.buffer));
  return new Uint8Array(Buffer.concat(indexAt === 'start' ? [table, ...chunks] : [...chunks, table]));
}

export function withChecksum(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const checksum = new Uint8Array(4);
  new DataView(checksum.buffer).setUint32(0, slowCrc32c(bytes), true);
  return new Uint8Array(Buffer.concat([bytes, checksum]));
}

/** CRC-32C bit by bit. */
export function slowCrc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}

/** All places of a grid, the last dimension fastest. */
export function grid(shape: readonly number[]): number[][] {
  return shape.reduce<number[][]>(
    (places, length) => places.flatMap((place) => Array.from({ length }, (_, at) => [...place, at])),
    [[]],
  );
}

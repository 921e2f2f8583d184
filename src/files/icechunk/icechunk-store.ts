import { LRUCache } from 'lru-cache';
import { forEachLimited } from '../../check/work.js';
import { FileError, FormatError } from '../../errors.js';
import type { ByteSpan } from '../array/read-strided.js';
import { tooLongChunk } from '../zarr/codec-chain.js';
import type { StoreReader } from '../zarr/store-reader.js';
import type { VirtualObjects } from '../zarr/virtual-objects.js';
import type {
  ByteRange,
  EndBytes,
  StoredDocuments,
  StoreKey,
  StoreReadOptions,
  ZarrStore,
} from '../zarr/zarr-store.js';
import { type ChunkPlace, Manifest } from './manifest.js';
import { MAX_FILE_BYTES, readMetadataFile } from './metadata-file.js';
import { findSnapshot } from './repository.js';
import { type ArrayNode, readSnapshot, type Snapshot } from './snapshot.js';
import { unpackLocation } from './unpack-location.js';

/** The most bytes of chunks that are kept as they are stored. */
const KEPT_BYTES = 2 ** 25;

/** The most bytes, and the number, of manifests that are requested ahead. */
const AHEAD_BYTES = 65_536;
const MAX_AHEAD = 64;
const AHEAD_AT_ONCE = 16;

/** The most manifests that are kept. */
const MAX_MANIFESTS = 1000;

/** The metadata of a node. */
const DOCUMENT = 'zarr.json';
const DOCUMENT_KEY = /^\/(?:(.+)\/)?zarr\.json$/;

/** Whether an object of a repository never changes: its name is new for each that is written. */
export function isImmutable(key: string): boolean {
  return /^(snapshots|manifests|chunks)\//.test(key);
}

/** How a repository is opened. */
interface IcechunkOptions {
  /** A branch, a tag or a snapshot; by default the branch main. */
  readonly version?: string | undefined;
  /** Reads chunks that lie in other objects. */
  readonly virtual: VirtualObjects;
  /** Whether each request takes long, so that small manifests are requested before it is known which are needed. */
  readonly isRemote: boolean;
}

/**
 * Opens a version of a repository as a store of Zarr v3; undefined where there is none. Throws FileError where there is no
 * such version, and FormatError where metadata are damaged.
 */
export async function openIcechunk(
  objects: StoreReader,
  { version, virtual, isRemote }: IcechunkOptions,
): Promise<ZarrStore | undefined> {
  const name = await findSnapshot(objects, version);
  if (name === undefined) return undefined;
  const key = `snapshots/${name}`;
  const bytes = await objects.get(key, MAX_FILE_BYTES);
  if (bytes === undefined) {
    const problem = 'a snapshot is not in the repository';
    throw new FileError({ subject: objects.name(key), problem, allowed: 'a version whose snapshot was not deleted' });
  }
  const subject = objects.name(key);
  const root = await readMetadataFile(bytes, 'snapshot', subject);
  const store = new IcechunkStore(objects, readSnapshot(root, name, subject), virtual);
  if (isRemote) store.readAhead();
  return store;
}

/** A snapshot of a repository as a store of Zarr v3. */
class IcechunkStore implements ZarrStore {
  readonly source: string;
  readonly #objects: StoreReader;
  readonly #snapshot: Snapshot;
  readonly #virtual: VirtualObjects;
  readonly #manifests = new LRUCache<string, Promise<Manifest>>({ max: MAX_MANIFESTS });
  /** Bytes of objects, which do not change: whether a run is complete is known from what is read of it afterwards. */
  readonly #bytes = new LRUCache<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    maxEntrySize: KEPT_BYTES / 4,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(objects: StoreReader, snapshot: Snapshot, virtual: VirtualObjects) {
    this.source = objects.source;
    this.#objects = objects;
    this.#snapshot = snapshot;
    this.#virtual = virtual;
  }

  /** Requests the smallest manifests: the coordinates, which are read before anything else, have such. */
  readAhead(): void {
    let left = AHEAD_BYTES;
    const bySize = [...this.#snapshot.manifestBytes].sort(([, a], [, b]) => a - b);
    const names: string[] = [];
    for (const [name, bytes] of bySize.slice(0, MAX_AHEAD)) if ((left -= bytes) >= 0) names.push(name);
    // Who needs one that fails reads it again, and reports what is wrong.
    const read = (name: string) => this.#manifest(name).then(noop, noop);
    void forEachLimited(names, AHEAD_AT_ONCE, read);
  }

  async documents(): Promise<StoredDocuments> {
    const documents = [...this.#snapshot.nodes.values()].map(
      ({ path, metadata }) => [path === '' ? DOCUMENT : `${path}/${DOCUMENT}`, metadata] as const,
    );
    return { byKey: new Map(documents), version: this.#snapshot.name };
  }

  async get(key: StoreKey, { maxBytes }: StoreReadOptions = {}): Promise<Uint8Array | undefined> {
    const place = await this.#find(key);
    if (place === undefined) return this.#document(key);
    const length = lengthOf(place);
    if (maxBytes !== undefined && length > maxBytes) throw tooLongChunk(this.#name(key), length, maxBytes);
    return this.#read(place, key, 0, length);
  }

  async getRange(key: StoreKey, range: ByteRange): Promise<Uint8Array | undefined> {
    if ('suffixLength' in range) return (await this.getEnd(key, range.suffixLength))?.bytes;
    const place = await this.#find(key);
    if (place === undefined) return this.#document(key)?.subarray(range.offset, range.offset + range.length);
    return this.#read(place, key, range.offset, range.length);
  }

  async getEnd(key: StoreKey, length: number): Promise<EndBytes | undefined> {
    const place = await this.#find(key);
    if (place === undefined) return undefined;
    const size = lengthOf(place);
    return { bytes: await this.#read(place, key, Math.max(0, size - length), length), size };
  }

  #document(key: StoreKey): Uint8Array | undefined {
    const [, path = ''] = DOCUMENT_KEY.exec(key) ?? [];
    return DOCUMENT_KEY.test(key) ? this.#snapshot.nodes.get(path)?.metadata : undefined;
  }

  #name(key: StoreKey): string {
    return `${this.source}${key}`;
  }

  /** Where a chunk is; undefined where it was never written, or the key names no chunk. */
  async #find(key: StoreKey): Promise<ChunkPlace | undefined> {
    const { array, place } = this.#chunkAt(key) ?? {};
    for (const { name, extents } of array?.manifests ?? []) {
      if (array === undefined || place === undefined || !isWithin(place, extents)) continue;
      const manifest = await this.#manifest(name);
      const found = await manifest.find(array.id, place, unpackLocation);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The array of a chunk, and the place of the chunk in it. */
  #chunkAt(key: StoreKey): { readonly array: ArrayNode; readonly place: readonly number[] } | undefined {
    const parts = key.slice(1).split('/');
    for (let count = 0; count < parts.length; count++) {
      const array = this.#snapshot.nodes.get(parts.slice(0, count).join('/'))?.array;
      if (array === undefined) continue;
      // The names of chunks are c/0/1 or 0.1, with either separator.
      const numbers = parts
        .slice(count)
        .join('/')
        .replace(/^c[/.]?/, '');
      const place = array.rank === 0 ? [] : numbers.split(/[/.]/).map(Number);
      return place.length === array.rank && place.every(Number.isInteger) ? { array, place } : undefined;
    }
    return undefined;
  }

  /** A manifest, which is read once. */
  #manifest(name: string): Promise<Manifest> {
    const known = this.#manifests.get(name);
    if (known !== undefined) return known;
    const reading = this.#readManifest(name);
    this.#manifests.set(name, reading);
    reading.catch(() => this.#manifests.delete(name));
    return reading;
  }

  async #readManifest(name: string): Promise<Manifest> {
    const key = `manifests/${name}`;
    const subject = this.#objects.name(key);
    const stated = this.#snapshot.manifestBytes.get(name);
    const bytes = await this.#objects.get(key, stated ?? MAX_FILE_BYTES);
    if (bytes === undefined) {
      const problem = 'a manifest is not in the repository';
      throw new FileError({ subject, problem, allowed: 'all manifests of the snapshot' });
    }
    if (stated !== undefined && stated !== bytes.length) {
      const [received, allowed] = [`${bytes.length} bytes`, `${stated} bytes, as the snapshot says`];
      throw new FormatError({ subject, problem: 'a manifest is cut, or another one', received, allowed });
    }
    return new Manifest(await readMetadataFile(bytes, 'manifest', subject), name, subject);
  }

  /** Bytes of a chunk, fewer where it ends before. */
  async #read(place: ChunkPlace, key: StoreKey, from: number, count: number): Promise<Uint8Array> {
    const length = Math.max(0, Math.min(count, lengthOf(place) - from));
    if (place.kind === 'inline') return place.bytes.subarray(from, from + length);
    if (length === 0) return new Uint8Array();
    const range = { offset: place.offset + from, length };
    if (place.kind === 'virtual') return this.#virtual.read({ ...place, ...range }, this.#name(key));
    const object = `chunks/${place.name}`;
    const name = [object, range.offset, length].join(' ');
    const bytes = this.#bytes.get(name) ?? (await this.#objectBytes(object, range));
    if (bytes?.length === length) this.#bytes.set(name, bytes);
    if (bytes?.length === length) return bytes;
    const subject = this.#objects.name(object);
    if (bytes === undefined) {
      const problem = `chunk ${key.slice(1)} is not in the repository, though a manifest has it`;
      throw new FileError({ subject, problem, allowed: 'all chunks of the snapshot' });
    }
    const received = `${bytes.length} bytes from ${range.offset} on`;
    throw new FormatError({ subject, problem: 'a chunk is cut', received, allowed: `${length} bytes` });
  }

  async #objectBytes(object: string, range: ByteSpan): Promise<Uint8Array | undefined> {
    if (this.#objects.hasRanges) return this.#objects.getRange(object, range);
    return (await this.#objects.get(object))?.subarray(range.offset, range.offset + range.length);
  }
}

function noop(): void {}

function lengthOf(place: ChunkPlace): number {
  return place.kind === 'inline' ? place.bytes.length : place.length;
}

/** Whether the place of a chunk lies within ranges, the first and the end of each dimension in turn. */
function isWithin(place: readonly number[], extents: readonly number[]): boolean {
  return place.every((along, d) => along >= extents[2 * d] && along < extents[2 * d + 1]);
}

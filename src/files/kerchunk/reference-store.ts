import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { tooLongChunk } from '../zarr/codec-chain.js';
import type { VirtualObjects } from '../zarr/virtual-objects.js';
import type { ByteRange, StoredDocuments, StoreKey, StoreReadOptions, ZarrStore } from '../zarr/zarr-store.js';
import type { Reference } from './references.js';

/** The references of a set. */
export interface ReferenceSet {
  /** The metadata of the set, by the keys of the store. */
  readonly documents: ReadonlyMap<string, Uint8Array>;
  /** Changes when the set does. */
  readonly version: string;
  /** Where a chunk is; undefined where it was never written. */
  find(key: string): Reference | undefined | Promise<Reference | undefined>;
}

const IS_DOCUMENT = /(^|\/)(\.z(group|array|attrs)|zarr\.json)$/;

/** The set of references that lie in memory. */
export function referenceSet(references: ReadonlyMap<string, Reference>): ReferenceSet {
  const documents = new Map<string, Uint8Array>();
  for (const [key, value] of references)
    if (IS_DOCUMENT.test(key) && value instanceof Uint8Array) documents.set(key, value);
  return { documents, version: versionOf(references), find: (key) => references.get(key) };
}

/** A checksum of all references. */
function versionOf(references: ReadonlyMap<string, Reference>): string {
  const hash = sha256.create();
  for (const [key, value] of references)
    hash.update(value instanceof Uint8Array ? value : utf8ToBytes(`${key} ${Object.values(value).join(' ')}\n`));
  return bytesToHex(hash.digest());
}

/** Values that a set of references names, as a store of Zarr. */
export class ReferenceStore implements ZarrStore {
  readonly source: string;
  readonly #set: ReferenceSet;
  readonly #objects: VirtualObjects;

  constructor(source: string, set: ReferenceSet, objects: VirtualObjects) {
    this.source = source;
    this.#set = set;
    this.#objects = objects;
  }

  async documents(): Promise<StoredDocuments> {
    return { byKey: this.#set.documents, version: this.#set.version };
  }

  async get(
    key: StoreKey,
    { maxBytes = Number.POSITIVE_INFINITY }: StoreReadOptions = {},
  ): Promise<Uint8Array | undefined> {
    const reference = await this.#set.find(key.slice(1));
    if (reference === undefined || reference instanceof Uint8Array) return reference;
    const subject = `${this.source}${key}`;
    if ((reference.length ?? 0) > maxBytes) throw tooLongChunk(subject, reference.length ?? 0, maxBytes);
    const bytes = await this.#objects.read(reference, subject);
    if (bytes.length > maxBytes) throw tooLongChunk(subject, bytes.length, maxBytes);
    return bytes;
  }

  async getRange(key: StoreKey, range: ByteRange): Promise<Uint8Array | undefined> {
    const reference = await this.#set.find(key.slice(1));
    if (reference === undefined) return undefined;
    const size = reference instanceof Uint8Array ? reference.length : reference.length;
    if (reference instanceof Uint8Array || size === undefined) {
      const all =
        reference instanceof Uint8Array ? reference : await this.#objects.read(reference, `${this.source}${key}`);
      const [from, length] = within(range, all.length);
      return all.subarray(from, from + length);
    }
    const { location, offset } = reference as Exclude<Reference, Uint8Array>;
    const [from, length] = within(range, size);
    return this.#objects.read({ location, offset: offset + from, length }, `${this.source}${key}`);
  }
}

/** The first byte of a range of a value, and how many it has. */
function within(range: ByteRange, size: number): [from: number, length: number] {
  const from = 'offset' in range ? range.offset : Math.max(0, size - range.suffixLength);
  const count = 'offset' in range ? range.length : range.suffixLength;
  return [from, Math.max(0, Math.min(count, size - from))];
}

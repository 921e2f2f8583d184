import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { assertShape } from '../../check/option-checks.js';
import { forEachLimited } from '../../check/work.js';
import { FileError, FormatError, mentionOption } from '../../errors.js';
import type { ArraySelection } from '../array/array-selection.js';
import { asDocument, type MetadataDocument, parseDocument, wrongField } from './metadata-document.js';
import type { StoreReader } from './store-reader.js';
import type { StoredDocuments } from './zarr-store.js';

/** All metadata of a store. */
export interface StoreDocuments {
  /** The documents by their keys: `t2m/.zarray`, `t2m/zarr.json`. */
  readonly byKey: ReadonlyMap<string, MetadataDocument>;
  /** Changes when the metadata change, or are written again. */
  readonly revision: string;
  /** What people should know of how arrays were found. */
  readonly notes: readonly string[];
  /** Of a set of references in Parquet: how many a file has. */
  readonly recordSize?: number;
}

/** The metadata document of v3, and those of v2. */
const V3 = 'zarr.json';
const V2 = ['.zgroup', '.zarray', '.zattrs'];
const CONSOLIDATED_V2 = '.zmetadata';

/** A document is not longer: consolidated metadata have about 1 kB for each array. */
const MAX_BYTES = 2 ** 28;
/** The error where there is no store. */
export function noZarrStore(subject: string): FileError {
  const allowed = `a folder with ${[V3, CONSOLIDATED_V2, ...V2.slice(0, 2)].join(', ')}, or a repository of Icechunk`;
  return new FileError({ subject, problem: 'there is no Zarr store', allowed });
}

/** More documents are not searched for: links may repeat them without end. */
const MAX_FOUND = 10_000;
const MAX_DEPTH = 40;
/** The number of documents that are read at a time. */
const AT_ONCE = 16;

/** Which arrays are read of a store without consolidated metadata. */
export interface RequestedArrays {
  /** Their paths. */
  readonly arrays?: readonly string[] | undefined;
  /** What is needed of a store that cannot list its arrays, and whose paths are not named. */
  readonly selection?: ArraySelection | undefined;
}

/**
 * Reads all metadata: consolidated metadata, or else those of the named arrays and of the coordinates that these name,
 * or else those found in the folders of the store, or where it cannot list them all with usual names of
 * variables. Undefined if there is no Zarr store. Throws FileError where a named array is missing, and FormatError if
 * metadata are wrong or arrays cannot be found.
 */
export async function readDocuments(
  store: StoreReader,
  { arrays, selection }: RequestedArrays = {},
): Promise<StoreDocuments | undefined> {
  const found = new FoundDocuments(store);
  const atHand = await store.documents();
  if (atHand !== undefined) return found.withAll(atHand);
  const root = await found.read(V3);
  const v2 = root === undefined ? await found.read(CONSOLIDATED_V2) : undefined;
  const consolidated = v2 ?? consolidatedOf(root);
  if (consolidated !== undefined) {
    found.addAll(consolidated, v2 === undefined);
    const recordSize = recordSizeOf(v2, store.name(CONSOLIDATED_V2));
    if (recordSize !== undefined) return { ...found.documents(), recordSize };
  } else if (root?.node_type !== 'array') {
    const isThere = await findNodes(found, store, arrays ?? selection?.arrays, selection);
    if (!isThere) return undefined;
    found.sort();
  }
  return found.documents();
}

/** How many references a file of a set in Parquet has; undefined for what is no such set. Throws FormatError. */
function recordSizeOf(document: MetadataDocument | undefined, subject: string): number | undefined {
  const { record_size: size } = document ?? {};
  if (size === undefined || (Number.isSafeInteger(size) && (size as number) > 0)) return size as number | undefined;
  throw wrongField(subject, 'record_size', size, 'an integer of 1 or more');
}

/** The consolidated metadata of a v3 group; undefined if it has none. */
function consolidatedOf(root: MetadataDocument | undefined): MetadataDocument | undefined {
  return (root?.consolidated_metadata ?? undefined) as MetadataDocument | undefined;
}

/** Finds the metadata of nodes; false where there is no store. */
async function findNodes(
  found: FoundDocuments,
  store: StoreReader,
  arrays: readonly string[] | undefined,
  selection: ArraySelection | undefined,
): Promise<boolean> {
  const isStore = await found.readNode('');
  if (arrays !== undefined && (isStore || selection === undefined)) {
    const missing = await found.readNodes(arrays);
    if (missing.length > 0)
      throw new FileError({
        subject: store.name(missing[0]),
        problem: 'there is no such array',
        allowed: 'an array of the store',
      });
    await found.readCoordinates();
  } else if (!isStore) return false;
  else if ((await store.folders('')) === undefined) await guess(found, store, selection);
  else await walk(found, store, '');
  return true;
}

/** Reads the arrays that have usual names of variables, and their coordinates. */
async function guess(found: FoundDocuments, store: StoreReader, selection: ArraySelection | undefined): Promise<void> {
  const { usualNames } = await import('./usual-names.js');
  const names = usualNames().filter((name) => selection?.mayNeed(name, undefined) ?? true);
  const missing = await found.readNodes(names);
  const problem = 'has no consolidated metadata, and a store like this cannot list its arrays';
  const count = names.length - missing.length;
  if (count === 0) {
    const option = mentionOption(selection === undefined ? 'arrays' : 'array');
    const allowed = `consolidated metadata (zarr.consolidate_metadata writes them), or ${option} with their paths`;
    const received = `none of ${names.length} usual names, such as ${names.slice(0, 3).join(', ')}`;
    throw new FormatError({ subject: store.source, problem, received, allowed });
  }
  await found.readCoordinates();
  found.notes.push(`${problem}: ${count} found by usual names of variables, others may be there`);
}

/** Searches all folders except those of arrays, which contain chunks. */
async function walk(found: FoundDocuments, store: StoreReader, path: string, depth = 0): Promise<void> {
  if (found.isArray(path)) return;
  const folders = (await store.folders(path)) ?? [];
  for (const folder of [...folders].sort()) {
    const below = joined(path, folder);
    if (!(await found.readNode(below))) continue;
    if (found.count > MAX_FOUND || depth === MAX_DEPTH) throw tooMany(store.source);
    await walk(found, store, below, depth + 1);
  }
}

function tooMany(subject: string): FormatError {
  const allowed = `at most ${MAX_FOUND}, and ${MAX_DEPTH} within each other, without consolidated metadata: zarr.consolidate_metadata writes them`;
  return new FormatError({ subject, problem: 'has too many groups and arrays', allowed });
}

/** The documents that were read, and their versions. */
class FoundDocuments {
  readonly #store: StoreReader;
  readonly #byKey = new Map<string, MetadataDocument>();
  readonly #versions: string[] = [];
  readonly notes: string[] = [];

  constructor(store: StoreReader) {
    this.#store = store;
  }

  get count(): number {
    return this.#byKey.size;
  }

  /** Undefined if there is none. */
  async read(key: string): Promise<MetadataDocument | undefined> {
    const found = await this.#store.getVersioned(key, MAX_BYTES);
    if (found === undefined) return undefined;
    const document = parseDocument(found.bytes, this.#store.name(key));
    this.#byKey.set(key, document);
    this.#versions.push(`${key} ${found.version} ${bytesToHex(sha256(found.bytes))}`);
    return document;
  }

  /** Reads the metadata of a group or an array; false if there are none. */
  async readNode(path: string): Promise<boolean> {
    const key = joined(path, V3);
    if (this.#byKey.has(key) || (await this.read(key)) !== undefined) return true;
    // Only arrays of v3 are in groups of v3.
    if (this.#byKey.has(V3)) return false;
    const [group, array] = await Promise.all(V2.map((name) => this.read(joined(path, name))));
    return group !== undefined || array !== undefined;
  }

  /** Reads the metadata of several; returns the paths of those that have none. */
  async readNodes(paths: readonly string[]): Promise<string[]> {
    const missing: string[] = [];
    await forEachLimited(new Set(paths), AT_ONCE, async (path) => {
      if (!(await this.readNode(path))) missing.push(path);
    });
    return missing;
  }

  /** Reads the coordinates that arrays name: as dimensions, in attributes. Not all of them are arrays. */
  async readCoordinates(): Promise<void> {
    const known = new Set<string>();
    // Coordinates name bounds.
    for (let depth = 0; depth < 2; depth++) {
      const named = [...this.#byKey].flatMap(([key, document]) => this.#namedBy(key, document));
      const others = named.filter((path) => !known.has(path) && !this.isArray(path));
      for (const path of others) known.add(path);
      await this.readNodes(others);
    }
  }

  /** The paths that the metadata of an array name. */
  #namedBy(key: string, document: MetadataDocument): string[] {
    const group = key.split('/').slice(0, -2).join('/');
    const attributes = (key.endsWith(V3) ? document.attributes : key.endsWith('.zattrs') && document) || {};
    const texts = ['coordinates', 'bounds', 'grid_mapping'].map((name) => (attributes as MetadataDocument)[name]);
    const words = texts.flatMap((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
    const lists = [document.dimension_names, (attributes as MetadataDocument)._ARRAY_DIMENSIONS];
    const names = [...words, ...lists.flatMap((list) => (Array.isArray(list) ? list : []))];
    return names.flatMap((name) => (isName(name) ? [joined(group, name)] : []));
  }

  isArray(path: string): boolean {
    return this.#byKey.has(joined(path, '.zarray')) || this.#byKey.get(joined(path, V3))?.node_type === 'array';
  }

  /** All documents of a store that has them at hand. */
  withAll(all: StoredDocuments): StoreDocuments {
    assertShape('store.documents()', all, { byKey: 'map', version: 'any text' });
    const { byKey, version } = all;
    for (const [key, bytes] of byKey) {
      assertPath(key, this.#store.source);
      this.#byKey.set(key, parseDocument(bytes, this.#store.name(key)));
    }
    this.#versions.push(version);
    return this.documents();
  }

  /** Adds consolidated metadata: for v3 by the paths of nodes, for v2 by the keys of documents. */
  addAll({ metadata }: MetadataDocument, isV3: boolean): void {
    const { source } = this.#store;
    for (const [name, document] of Object.entries(asDocument(metadata, source))) {
      const key = isV3 ? joined(name, V3) : name;
      assertPath(key, source);
      this.#byKey.set(key, asDocument(document, this.#store.name(key)));
    }
  }

  /** Puts documents into the order of their keys, as they arrive in any. */
  sort(): void {
    const sorted = [...this.#byKey].sort(([a], [b]) => (a < b ? -1 : 1));
    this.#byKey.clear();
    for (const [key, document] of sorted) this.#byKey.set(key, document);
  }

  documents(): StoreDocuments {
    const revision = bytesToHex(sha256(utf8ToBytes(this.#versions.sort().join('\n')))).slice(0, 32);
    return { byKey: this.#byKey, revision, notes: this.notes };
  }
}

function assertPath(key: string, subject: string): void {
  if (!key.split('/').some((part) => part === '' || part === '.' || part === '..')) return;
  throw new FormatError({ subject, problem: 'has an invalid path', received: key, allowed: 'a/b/c' });
}

/** Whether an array beside another one can have this name. */
function isName(name: unknown): name is string {
  return typeof name === 'string' && /^[^/:]+$/.test(name) && !/^\.+$/.test(name);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

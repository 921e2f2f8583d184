import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { forEachLimited } from '../../check/work.js';
import { FileError, FormatError, mentionOption } from '../../errors.js';
import { asDocument, type MetadataDocument, parseDocument } from './metadata-document.js';
import type { StoreReader } from './store-reader.js';

/** All metadata of a store. */
export interface StoreDocuments {
  /** The documents by their keys: `t2m/.zarray`, `t2m/zarr.json`. */
  readonly byKey: ReadonlyMap<string, MetadataDocument>;
  /** Changes when the metadata change, or are written again. */
  readonly revision: string;
}

/** The metadata document of v3, and those of v2. */
const V3 = 'zarr.json';
const V2 = ['.zgroup', '.zarray', '.zattrs'];
const CONSOLIDATED_V2 = '.zmetadata';

/** A document is not longer: consolidated metadata have about 1 kB for each array. */
const MAX_BYTES = 2 ** 28;
/** More documents are not searched for: links may repeat them without end. */
const MAX_FOUND = 10_000;
const MAX_DEPTH = 40;
/** The number of documents that are read at a time. */
const AT_ONCE = 8;

/**
 * Reads all metadata: consolidated metadata, or else those of the named arrays, or else those found in the folders of
 * the store. Throws FileError if there is no Zarr store, and FormatError if metadata are wrong or arrays cannot be
 * found.
 */
export async function readDocuments(
  store: StoreReader,
  arrays: readonly string[] | undefined,
): Promise<StoreDocuments> {
  const found = new FoundDocuments(store);
  const root = await found.read(V3);
  const v2 = root === undefined ? await found.read(CONSOLIDATED_V2) : undefined;
  const consolidated = v2 ?? consolidatedOf(root);
  if (consolidated !== undefined) found.addAll(consolidated, v2 === undefined);
  else if (root?.node_type !== 'array') await findNodes(found, store, arrays);
  return found.documents();
}

/** The consolidated metadata of a v3 group; undefined if it has none. */
function consolidatedOf(root: MetadataDocument | undefined): MetadataDocument | undefined {
  return (root?.consolidated_metadata ?? undefined) as MetadataDocument | undefined;
}

async function findNodes(
  found: FoundDocuments,
  store: StoreReader,
  arrays: readonly string[] | undefined,
): Promise<void> {
  const isStore = await found.readNode('');
  if (arrays !== undefined) {
    await forEachLimited(arrays, AT_ONCE, async (path) => {
      if (await found.readNode(path)) return;
      throw new FileError({
        subject: store.name(path),
        problem: 'there is no such array',
        allowed: 'an array of the store',
      });
    });
  } else if (!isStore) {
    const allowed = `a folder with ${[V3, CONSOLIDATED_V2, ...V2.slice(0, 2)].join(', ')}`;
    throw new FileError({ subject: store.source, problem: 'there is no Zarr store', allowed });
  } else await walk(found, store, '');
}

/** Searches all folders except those of arrays, which contain chunks. */
async function walk(found: FoundDocuments, store: StoreReader, path: string, depth = 0): Promise<void> {
  if (found.isArray(path)) return;
  const folders = await store.folders(path);
  if (folders === undefined) {
    const problem = 'has no consolidated metadata, and a store like this cannot list its arrays';
    const allowed = `consolidated metadata (zarr.consolidate_metadata writes them), or ${mentionOption('arrays')} with their paths`;
    throw new FormatError({ subject: store.source, problem, allowed });
  }
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
    const [group, array] = await Promise.all(V2.map((name) => this.read(joined(path, name))));
    return group !== undefined || array !== undefined;
  }

  isArray(path: string): boolean {
    return this.#byKey.has(joined(path, '.zarray')) || this.#byKey.get(joined(path, V3))?.node_type === 'array';
  }

  /** Adds consolidated metadata: for v3 by the paths of nodes, for v2 by the keys of documents. */
  addAll({ metadata }: MetadataDocument, isV3: boolean): void {
    const { source } = this.#store;
    for (const [name, document] of Object.entries(asDocument(metadata, source))) {
      const key = isV3 ? joined(name, V3) : name;
      if (key.split('/').some((part) => part === '' || part === '.' || part === '..')) {
        throw new FormatError({
          subject: source,
          problem: 'has an invalid path',
          received: name,
          allowed: 'a/b/c',
        });
      }
      this.#byKey.set(key, asDocument(document, this.#store.name(key)));
    }
  }

  documents(): StoreDocuments {
    const revision = bytesToHex(sha256(utf8ToBytes(this.#versions.sort().join('\n')))).slice(0, 32);
    return { byKey: this.#byKey, revision };
  }
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

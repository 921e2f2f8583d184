import type { ArrayFile, Attributes, StoredArray } from '../array/array-file.js';
import type { ArrayMetadata } from './array-metadata.js';
import type { ChunkCache } from './chunk-cache.js';
import type { StoreDocuments } from './documents.js';
import type { MetadataDocument } from './metadata-document.js';
import { readMetadataV2 } from './metadata-v2.js';
import { readMetadataV3 } from './metadata-v3.js';
import { toAttributes } from './read-attributes.js';
import type { StoreReader } from './store-reader.js';
import { ZarrArray } from './zarr-array.js';

/** How to read elements whose chunks are not in the store. */
export type MissingChunks = 'absent' | 'fill';

/** All ways to read them. */
export const MISSING_CHUNKS: readonly MissingChunks[] = /* @__PURE__ */ Object.freeze(['absent', 'fill'] as const);

/** How a store is read. */
export interface ZarrForm {
  readonly concurrency: number;
  readonly missingChunks: MissingChunks;
  readonly cache?: ChunkCache;
}

/** A Zarr store, or a group of it. */
export interface ZarrFile extends ArrayFile {
  /** Changes when the metadata of the store change or are written again, but not when chunks are written in place. */
  readonly revision: string;
  /** The paths of all groups below this one. */
  readonly groups: readonly string[];
  /** Opens a group, with its arrays by their paths from there; undefined if there is no such group. */
  group(path: string): ZarrFile | undefined;
}

/** Creates the file that metadata describe. Throws FormatError if they are wrong. */
export function createZarrFile(documents: StoreDocuments, store: StoreReader, form: ZarrForm, path = ''): ZarrFile {
  const { byKey, revision, notes } = documents;
  const prefix = path === '' ? '' : `${path}/`;
  const isV3 = byKey.has(`${prefix}zarr.json`) || [...byKey.keys()].some((key) => key.endsWith('/zarr.json'));
  const below = [...byKey.keys()].filter((key) => key.startsWith(prefix));
  const arrays = new Map<string, StoredArray>();
  for (const key of below) {
    const metadata = readMetadata(key, byKey, store);
    if (metadata === undefined) continue;
    const array = createArray(metadata, prefix, store, form, revision);
    arrays.set(array.name, array);
  }
  const groups = below
    .flatMap((key) => groupAt(key, byKey))
    .filter((group) => group.startsWith(prefix) && group !== path);
  return {
    format: `Zarr v${isV3 ? 3 : 2}`,
    source: path === '' ? store.source : store.name(path),
    attributes: groupAttributes(byKey, prefix, store.source),
    ...{ arrays, revision, notes },
    groups: groups.map((group) => group.slice(prefix.length)),
    group: (name) =>
      groups.includes(prefix + name) ? createZarrFile(documents, store, form, prefix + name) : undefined,
    close: async () => undefined,
  };
}

function groupAttributes(byKey: StoreDocuments['byKey'], prefix: string, source: string): Attributes {
  return toAttributes(byKey.get(`${prefix}zarr.json`)?.attributes ?? byKey.get(`${prefix}.zattrs`), { source });
}

/**
 * Reads the metadata of an array from a document; undefined if it describes something else, or an array whose type is
 * not read.
 */
function readMetadata(key: string, byKey: StoreDocuments['byKey'], store: StoreReader): ArrayMetadata | undefined {
  const document = byKey.get(key) as MetadataDocument;
  const path = key.slice(0, Math.max(0, key.lastIndexOf('/')));
  const name = key.slice(key.lastIndexOf('/') + 1);
  const subject = store.name(key);
  if (name === '.zarray') return readMetadataV2(path, document, byKey.get(attributesKey(path)) ?? {}, subject);
  return name === 'zarr.json' && document.node_type === 'array' ? readMetadataV3(path, document, subject) : undefined;
}

function attributesKey(path: string): string {
  return path === '' ? '.zattrs' : `${path}/.zattrs`;
}

/** The path of the group that a document describes, if any. */
function groupAt(key: string, byKey: StoreDocuments['byKey']): string[] {
  const isGroup =
    /(^|\/)\.zgroup$/.test(key) || (/(^|\/)zarr\.json$/.test(key) && byKey.get(key)?.node_type === 'group');
  return isGroup ? [key.slice(0, Math.max(0, key.lastIndexOf('/')))] : [];
}

function createArray(
  metadata: ArrayMetadata,
  prefix: string,
  store: StoreReader,
  form: ZarrForm,
  revision: string,
): StoredArray {
  // The root can itself be an array, which has no name.
  const name = metadata.path.slice(prefix.length) || 'array';
  // Dimensions belong to groups: those of other groups may have other lengths.
  const group = name.slice(0, name.lastIndexOf('/') + 1);
  const dimensions = metadata.shape.map((_, d) => {
    const own = metadata.dimensions?.[d];
    return own === undefined ? `${name}_dimension_${d}` : group + own;
  });
  const isCoordinate = dimensions.length === 0 || (dimensions.length === 1 && dimensions[0] === name);
  const { cache, concurrency, missingChunks } = form;
  return new ZarrArray(metadata, store, {
    ...{ name, dimensions, concurrency, isCoordinate: isCoordinate && dimensions.length > 0 },
    // Writers leave out chunks of only fill values, such as a coordinate with the single value 0.
    isFilled: isCoordinate || missingChunks === 'fill',
    kept: cache && { cache, name: `${revision} ${store.name(metadata.path)}` },
  });
}

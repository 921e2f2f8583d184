import { assertKnownKeys, assertOneOf, assertShape } from '../../check/option-checks.js';
import { beginWork, WORK_KEYS, Work, type WorkOptions } from '../../check/work.js';
import { FileError, OptionError, unusable } from '../../errors.js';
import type { ArraySelection } from '../array/array-selection.js';
import { addressOf } from '../http-requests.js';
import { icechunkAddress, isIcechunkPath } from '../icechunk/icechunk-address.js';
import type { ChunkCache } from './chunk-cache.js';
import { noZarrStore, readDocuments, type StoreDocuments } from './documents.js';
import { HttpStore, type HttpStoreOptions } from './http-store.js';
import { StoreReader } from './store-reader.js';
import { VirtualObjects } from './virtual-objects.js';
import { createZarrFile, MISSING_CHUNKS, type MissingChunks, type ZarrFile } from './zarr-file.js';
import type { ZarrStore } from './zarr-store.js';

/** How a Zarr store is opened and read; `signal` aborts all reads of the store, and `onProgress` counts them. */
export interface OpenZarrOptions extends WorkOptions {
  /**
   * The paths of the arrays to open, for stores that have no consolidated metadata and cannot be listed. Coordinates
   * that these name are found. By default arrays with usual names of variables are looked for.
   */
  readonly arrays?: readonly string[];
  /**
   * How to read chunks that are not in the store: `absent` (default) reports them as missing; `fill` uses the fill
   * value, for archives that leave out chunks of only fill values (0 if the store has none, as zarr-python does).
   * Coordinates always use it.
   */
  readonly missingChunks?: MissingChunks;
  /** The number of chunks that each read requests and decodes at a time: 8 by default. */
  readonly concurrency?: number;
  /** The cache for decoded chunks; none by default. One can serve any number of stores. */
  readonly cache?: ChunkCache;
  /** How a URL is read; ignored for other stores. */
  readonly http?: HttpStoreOptions;
  /** The name of the store in messages: its URL or folder by default, or `Zarr store`. */
  readonly source?: string;
  /** Of a repository of Icechunk: a branch, a tag, or the 20 digits of a snapshot. By default the branch main. */
  readonly version?: string;
  /**
   * Addresses, or absolute paths of folders, below which chunks may lie that a store refers to (virtual chunks of Icechunk).
   * By default only what is at its own origin, or in its own folder.
   */
  readonly virtualChunks?: readonly string[];
}

const OPTIONS = [
  ...['arrays', 'missingChunks', 'concurrency', 'cache', 'http', 'source', 'version', 'virtualChunks'],
  ...WORK_KEYS,
];
const HTTP_OPTIONS = ['headers', 'fetch', 'missingStatuses', 'timeoutSeconds', 'retries'];

/**
 * Opens a Zarr store, of version 2 or 3, at an `http:` or `https:` URL, or in any store that zarrita reads. All
 * metadata are read at once, chunks on request: regular ones and those in shards, raw or by Blosc, Zstandard, LZ4,
 * gzip, zlib, shuffle. Arrays of types other than those of `ArrayType` and booleans (as uint8) are left out. In v2 the
 * fill value becomes the attribute `_FillValue`, as in xarray; in v3 only an attribute of that name counts.
 *
 * Rejects with OptionError for options that are wrong; FileError, which names the URL without its query, if there is no
 * store or the server fails; FormatError if metadata are wrong, or are not consolidated and arrays cannot be found.
 */
export async function openZarr(store: ZarrStore | string | URL, options: OpenZarrOptions = {}): Promise<ZarrFile> {
  const { work, others } = beginWork(options, 'bytes');
  return work.run(() => openStore(store, others, work));
}

/** Does the same, as a part of other work. */
export async function openStore(
  store: ZarrStore | string | URL,
  options: Omit<OpenZarrOptions, keyof WorkOptions> = {},
  work?: Work,
  selection?: ArraySelection,
): Promise<ZarrFile> {
  assertKnownKeys(options, OPTIONS);
  assertShape('options', options, { arrays: 'texts?', source: 'any text?', version: 'text?', virtualChunks: 'texts?' });
  const { arrays, missingChunks = 'absent', concurrency = 8, cache, http = {} } = options;
  assertKnownKeys(http, HTTP_OPTIONS);
  if (cache !== undefined && typeof cache?.values !== 'function') throw unusable('cache', cache, 'a ChunkCache');
  assertOneOf('missingChunks', missingChunks, MISSING_CHUNKS);
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    const allowed = 'an integer of 1 or more';
    throw new OptionError({
      subject: 'concurrency',
      problem: 'is not a number of chunks',
      received: concurrency,
      allowed,
    });
  }
  const given = typeof store === 'string' || store instanceof URL ? String(store) : undefined;
  if (given === undefined) {
    const { location } = store as ZarrStore;
    assertShape('store', store, { get: 'function', below: 'function?', documents: 'function?' });
    if (location !== undefined && !(location instanceof URL)) throw unusable('store.location', location, 'a URL');
  }
  const named = given === undefined ? undefined : icechunkAddress(given);
  const opened = given === undefined ? (store as ZarrStore) : new HttpStore(httpUrl(named?.address ?? given), http);
  const version = options.version ?? named?.version;
  if (given !== undefined && named === undefined && REFERENCES.test(httpUrl(given).pathname))
    return openReferencesAt(httpUrl(given), { ...options, concurrency, missingChunks }, work);
  const isIcechunk = named !== undefined || version !== undefined || isIcechunkPath(opened.location?.pathname ?? '');
  const source = options.source ?? opened.source ?? 'Zarr store';
  const form = { concurrency, missingChunks, cache };
  const reader = new StoreReader(opened, source, work);
  const documents = isIcechunk ? undefined : await readDocuments(reader, { arrays, selection });
  const { virtualChunks = [] } = options;
  if (documents?.recordSize !== undefined) {
    const { parquetReferences } = await import('../kerchunk/parquet-references.js');
    const { openSet } = await import('../kerchunk/open-references.js');
    const byKey = new Map([...documents.byKey].filter(([key]) => key !== '.zmetadata'));
    const set = parquetReferences(reader, byKey, documents.recordSize, documents.revision);
    // Paths begin where the set is, as for references in a file.
    const folder = opened.location && opened.below?.(new URL('..', opened.location));
    return openSet(set, { source, folder: folder ?? opened, work }, { ...form, virtualChunks });
  }
  if (documents !== undefined) return createZarrFile(documents, reader, form);
  const { isImmutable, openIcechunk } = await import('../icechunk/icechunk-store.js');
  // The reader of the store counts what is read.
  const signal = work?.signal;
  const objects = new StoreReader(opened, source, new Work({ ...(signal && { signal }) }, 'bytes'), isImmutable);
  const repository = await openIcechunk(objects, {
    version,
    isRemote: /^https?:$/.test(opened.location?.protocol ?? ''),
    virtual: new VirtualObjects(opened, virtualChunks, { ...(signal && { signal }) }),
  });
  if (repository === undefined) throw isIcechunk ? noRepository(source) : noZarrStore(source);
  const snapshot = new StoreReader(repository, source, work);
  const file = createZarrFile((await readDocuments(snapshot)) as StoreDocuments, snapshot, form);
  return { ...file, format: `${file.format} in Icechunk`, isArchive: true };
}

/** What the path of references in JSON ends with. */
const REFERENCES = /\.json$/i;

async function openReferencesAt(
  url: URL,
  {
    http = {},
    source = addressOf(url),
    concurrency = 8,
    missingChunks = 'absent',
    cache,
    virtualChunks = [],
  }: OpenZarrOptions,
  work?: Work,
): Promise<ZarrFile> {
  const { openReferences } = await import('../kerchunk/open-references.js');
  const folder = new HttpStore(new URL('.', url), http);
  const name = decodeURIComponent(url.pathname.slice(url.pathname.lastIndexOf('/') + 1));
  const bytes = await new StoreReader(folder, addressOf(new URL('.', url)), work).get(name, MAX_REFERENCE_BYTES);
  if (bytes === undefined)
    throw new FileError({ subject: source, problem: 'is not there', allowed: 'an address of references in JSON' });
  return openReferences(bytes, { source, folder, work }, { concurrency, missingChunks, cache, virtualChunks });
}

/** The most bytes of references. */
const MAX_REFERENCE_BYTES = 2 ** 29;

function noRepository(subject: string): FileError {
  const allowed = 'a folder or an address with the object repo, or refs/branch.main/ref.json';
  return new FileError({ subject, problem: 'there is no repository of Icechunk', allowed });
}

function httpUrl(given: string | URL): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new OptionError({
    subject: 'url',
    problem: 'is not the address of a store',
    allowed: 'a URL that begins with http: or https:',
  });
}

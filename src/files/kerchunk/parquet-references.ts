import { LRUCache } from 'lru-cache';
import { FormatError } from '../../errors.js';
import { fileOfBytes } from '../file-access.js';
import { openTable } from '../open-source.js';
import { asDocument, type MetadataDocument, readIntegers } from '../zarr/metadata-document.js';
import type { StoreReader } from '../zarr/store-reader.js';
import type { ReferenceSet } from './reference-store.js';
import type { Reference } from './references.js';

/** The most bytes of one file of references, and how many files are kept. */
const MAX_FILE_BYTES = 2 ** 28;
const MAX_KEPT = 16;

const COLUMNS = ['path', 'offset', 'size', 'raw'];

/** The rows of a file of references. */
type Rows = (row: number) => Reference | undefined;

/**
 * The set of references that kerchunk writes as Parquet: for each array files `refs.0.parq` and so on, each with the
 * references of `recordSize` chunks in the order of their places; `documents` are the metadata of all arrays. Files are
 * read when a chunk of theirs is. Throws FormatError where they are damaged.
 */
export function parquetReferences(
  files: StoreReader,
  documents: ReadonlyMap<string, MetadataDocument>,
  recordSize: number,
  version: string,
): ReferenceSet {
  const kept = new LRUCache<string, Promise<Rows | undefined>>({ max: MAX_KEPT });
  const rowsOf = (key: string) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const reading = readRows(files, key);
    kept.set(key, reading);
    reading.catch(() => kept.delete(key));
    return reading;
  };
  const encoder = new TextEncoder();
  return {
    version,
    documents: new Map([...documents].map(([key, document]) => [key, encoder.encode(JSON.stringify(document))])),
    find: async (key) => {
      const field = key.slice(0, Math.max(0, key.lastIndexOf('/')));
      const index = chunkIndex(documents.get(`${field}/.zarray`), key, files.name(field));
      if (index === undefined) return undefined;
      const rows = await rowsOf(`${field}/refs.${Math.floor(index / recordSize)}.parq`);
      return rows?.(index % recordSize);
    },
  };
}

/** The number of a chunk among all of its array, the last dimension fastest; undefined for what is none. */
function chunkIndex(metadata: MetadataDocument | undefined, key: string, subject: string): number | undefined {
  if (metadata === undefined) return undefined;
  const shape = readIntegers(asDocument(metadata, subject), 'shape', 0, subject);
  const chunk = readIntegers(metadata, 'chunks', 1, subject);
  const counts = shape.map((length, d) => Math.ceil(length / chunk[d]));
  const place = key.slice(key.lastIndexOf('/') + 1);
  if (!/^\d+(\.\d+)*$/.test(place)) return undefined;
  const numbers = counts.length === 0 ? [] : place.split('.').map(Number);
  const isInside = numbers.length === counts.length && numbers.every((along, d) => along < counts[d]);
  return isInside ? numbers.reduce((at, along, d) => at * counts[d] + along, 0) : undefined;
}

/** Reads a file of references; undefined where there is none. */
async function readRows(files: StoreReader, key: string): Promise<Rows | undefined> {
  const bytes = await files.get(key, MAX_FILE_BYTES);
  if (bytes === undefined) return undefined;
  const subject = files.name(key);
  const table = await (await openTable(fileOfBytes(bytes, subject), { columns: COLUMNS })).read();
  const [paths, offsets, sizes, raws] = COLUMNS.map((name) => table.getChild(name));
  return (row) => {
    const raw: unknown = raws?.get(row) ?? undefined;
    if (raw instanceof Uint8Array) return raw;
    if (typeof raw === 'string') return new TextEncoder().encode(raw);
    const location: unknown = paths?.get(row) ?? undefined;
    if (location === undefined) return undefined;
    const [offset, size] = [Number(offsets?.get(row) ?? 0), Number(sizes?.get(row) ?? 0)];
    const isRange = [offset, size].every((number) => Number.isSafeInteger(number) && number >= 0);
    if (typeof location === 'string' && isRange)
      return { location, offset, length: offset === 0 && size === 0 ? undefined : size };
    const received = `${location}, ${offset}, ${size}`;
    const allowed = 'an address, an offset and a size, which are integers of 0 or more';
    throw new FormatError({ subject, problem: `row ${row} is no reference`, received, allowed });
  };
}

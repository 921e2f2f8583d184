import { FormatError } from '../../errors.js';
import { type FlatTable, type FlatTables, needed } from './flat-buffer.js';
import { checked } from './metadata-file.js';
import { ID_BYTES, objectName } from './object-id.js';
import { assertNamed } from './snapshot.js';

/** Where the bytes of a chunk are. */
export type ChunkPlace =
  | { readonly kind: 'inline'; readonly bytes: Uint8Array }
  | { readonly kind: 'native'; readonly name: string; readonly offset: number; readonly length: number }
  | VirtualPlace;

/** Bytes of an object outside of the repository. */
interface VirtualPlace {
  readonly kind: 'virtual';
  readonly location: string;
  readonly offset: number;
  readonly length: number;
  /** What the object had when it was referred to. */
  readonly etag?: string;
  /** When it was last changed at most, in seconds since 1970. */
  readonly lastModified?: number;
}

/* The fields of tables, by manifest.fbs. */
const MANIFEST = { id: 0, arrays: 1, dictionary: 2 };
const ARRAY = { node: 0, chunks: 1 };
const CHUNK = {
  ...{ index: 0, inline: 1, offset: 2, length: 3, name: 4, location: 5, etag: 6, lastModified: 7 },
  compressedLocation: 8,
};

const NODE_ID_BYTES = 8;
/** The most bytes of the address of an object. */
const MAX_LOCATION_BYTES = 65_536;

/** The chunks of a manifest, which are found on request. Methods throw FormatError for damage. */
export class Manifest {
  readonly #root: FlatTable;
  readonly #subject: string;
  /** The chunks of arrays, by what manifests call these, with their order checked. */
  readonly #arrays = new Map<string, FlatTables | undefined>();

  /** Throws FormatError where it is another manifest than `name`. */
  constructor(root: FlatTable, name: string, subject: string) {
    this.#root = root;
    this.#subject = subject;
    checked('manifest', subject, () => assertNamed(root.struct(MANIFEST.id, ID_BYTES), name, subject));
  }

  /** Approximate memory. */
  get bytes(): number {
    return this.#root.bufferBytes;
  }

  /** Where a chunk of an array is, by its place in the grid of chunks; undefined where this manifest does not say. */
  find(node: Uint8Array, place: readonly number[], decompress: Decompress): Promise<ChunkPlace | undefined> {
    const found = checked('manifest', this.#subject, () => {
      const chunks = this.#chunksOf(node, place.length);
      const index = chunks === undefined ? -1 : search(chunks, place);
      return index < 0 ? undefined : chunks?.get(index);
    });
    return found === undefined ? Promise.resolve(undefined) : this.#place(found, place, decompress);
  }

  /** How many chunks of an array there are whose places fulfil a condition. */
  count(node: Uint8Array, rank: number, isMeant: (place: readonly number[]) => boolean): number {
    return checked('manifest', this.#subject, () => {
      const chunks = this.#chunksOf(node, rank);
      let count = 0;
      for (let i = 0; i < (chunks?.length ?? 0); i++) if (isMeant(indexOf(chunks as FlatTables, i, rank))) count++;
      return count;
    });
  }

  #chunksOf(node: Uint8Array, rank: number): FlatTables | undefined {
    const key = objectName(node);
    if (this.#arrays.has(key)) return this.#arrays.get(key);
    const arrays = this.#root.tables(MANIFEST.arrays);
    let chunks: FlatTables | undefined;
    for (let i = 0; i < arrays.length && chunks === undefined; i++) {
      const array = arrays.get(i);
      const id = needed(array.struct(ARRAY.node, NODE_ID_BYTES), 'id of an array');
      if (objectName(id) === key) chunks = array.tables(ARRAY.chunks);
    }
    if (chunks !== undefined) assertSorted(chunks, rank);
    this.#arrays.set(key, chunks);
    return chunks;
  }

  async #place(chunk: FlatTable, place: readonly number[], decompress: Decompress): Promise<ChunkPlace> {
    const { ref, packed } = checked('manifest', this.#subject, () => ({
      ref: readPlace(chunk),
      packed: chunk.bytes(CHUNK.compressedLocation),
    }));
    if (ref !== undefined) return ref;
    const dictionary = checked('manifest', this.#subject, () => this.#root.bytes(MANIFEST.dictionary));
    if (packed === undefined || dictionary === undefined) {
      const problem = `says of chunk ${place.join('/')} nowhere where it is`;
      throw new FormatError({ subject: this.#subject, problem, allowed: 'its bytes, an object or an address' });
    }
    const location = await decompress(packed, dictionary, MAX_LOCATION_BYTES).catch((cause: Error) => {
      const problem = `the address of chunk ${place.join('/')} cannot be unpacked: ${cause.message}`;
      throw new FormatError({ subject: this.#subject, problem, allowed: 'a complete manifest', cause });
    });
    return virtualPlace(chunk, new TextDecoder().decode(location));
  }
}

/** Decompresses Zstandard with a dictionary. Rejects for damage, and for more than `maxBytes`. */
export type Decompress = (bytes: Uint8Array, dictionary: Uint8Array, maxBytes: number) => Promise<Uint8Array>;

/** Where a chunk is; undefined where its address is packed, or nothing is said. */
function readPlace(chunk: FlatTable): ChunkPlace | undefined {
  const name = chunk.struct(CHUNK.name, ID_BYTES);
  if (name !== undefined) return { kind: 'native', name: objectName(name), ...rangeOf(chunk) };
  const location = chunk.text(CHUNK.location);
  if (location !== undefined) return virtualPlace(chunk, location);
  const inline = chunk.bytes(CHUNK.inline);
  return inline && { kind: 'inline', bytes: inline };
}

function virtualPlace(chunk: FlatTable, location: string): VirtualPlace {
  const etag = chunk.text(CHUNK.etag);
  const lastModified = chunk.uint32(CHUNK.lastModified);
  return {
    ...{ kind: 'virtual', location, ...rangeOf(chunk) },
    ...(etag !== undefined && { etag }),
    ...(lastModified > 0 && { lastModified }),
  };
}

function rangeOf(chunk: FlatTable): { offset: number; length: number } {
  const [offset, length] = [chunk.uint64(CHUNK.offset), chunk.uint64(CHUNK.length)];
  if (Number.isSafeInteger(offset + length)) return { offset, length };
  throw new RangeError(`a chunk of ${length} bytes from ${offset} on`);
}

function indexOf(chunks: FlatTables, i: number, rank: number): number[] {
  return chunks.get(i).uint32s(CHUNK.index, rank);
}

/** Throws RangeError unless chunks are in the order of their places, each once: they are searched by halves. */
function assertSorted(chunks: FlatTables, rank: number): void {
  let before: number[] | undefined;
  for (let i = 0; i < chunks.length; i++) {
    const place = indexOf(chunks, i, rank);
    if (place.length !== rank) throw new RangeError(`chunk ${place.join('/')} of an array of ${rank} dimensions`);
    if (before !== undefined && compare(before, place) >= 0)
      throw new RangeError(`chunk ${place.join('/')} follows chunk ${before.join('/')}`);
    before = place;
  }
}

/** The index of the chunk at a place; -1 where there is none. */
function search(chunks: FlatTables, place: readonly number[]): number {
  let [from, to] = [0, chunks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = compare(indexOf(chunks, middle, place.length), place);
    if (order === 0) return middle;
    if (order < 0) from = middle + 1;
    else to = middle;
  }
  return -1;
}

function compare(a: readonly number[], b: readonly number[]): number {
  const d = a.findIndex((along, dimension) => along !== b[dimension]);
  return d < 0 ? 0 : a[d] - b[d];
}

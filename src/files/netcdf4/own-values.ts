import { inflate } from '#inflate';
import { NUMBER_ARRAYS, type NumberType } from '../../core/number-types.js';
import { FormatError } from '../../errors.js';
import type { ArrayValues, Box } from '../array/array-file.js';
import { byteRuns } from '../array/byte-runs.js';
import { chunkOverlap, touchedChunks } from '../array/chunk-grid.js';
import { copyBox, elements, rowStrides } from '../array/copy-box.js';
import { forEachLimited } from '../array/for-each-limited.js';
import type { RandomAccess } from '../array/random-access.js';
import { readStrided } from '../array/read-strided.js';
import { fletcher32 } from '../hdf5/checksum.js';
import {
  type ChunkedLayout,
  type ContiguousLayout,
  type Layout,
  type PlacedChunk,
  type PlacedChunks,
  readChunkTree,
  readLayout,
} from '../hdf5/read-layout.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import { unshuffle } from './shuffle.js';
import { bytesOf } from './stored-type.js';

/** The stored part of an array: an array that can grow may be stored shorter than its dimensions. */
export interface StoredPart {
  readonly path: string;
  readonly subject: string;
  readonly shape: readonly number[];
  /** Ones if the array is not stored in chunks. */
  readonly chunk: readonly number[];
  readonly elementBytes: number;
}

/** Values of a dataset that are read here, not by the HDF5 library. */
export interface OwnValues {
  /**
   * Reads what it can of `stored`, a box within `box`, to `into`, which has the size of `box`; returns the boxes that it
   * left to the library. Throws FormatError and FileError.
   */
  read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]>;
}

/** Reads how the values of a dataset are stored; undefined where only HDF5 knows. */
export async function storedLayout(
  file: Hdf5Handle,
  access: RandomAccess,
  { path, subject }: StoredPart,
): Promise<Layout | undefined> {
  // The address of the dataset's header.
  const reference = file.query(subject, (library, id) => library.create_object_reference(id, path));
  if (reference.length !== 8) return undefined;
  return readLayout(access, Number(new DataView(Uint8Array.from(reference).buffer).getBigUint64(0, true)));
}

/**
 * Opens the values of a dataset of little-endian numbers: chunks that are decoded here, or one run of bytes, which is
 * read to its final place without the library's copies. Undefined where only HDF5 knows how to read them. Throws
 * FormatError if the index of chunks is damaged.
 */
export async function openOwnValues(
  file: Hdf5Handle,
  access: RandomAccess,
  part: StoredPart,
  type: NumberType,
  layout: Layout | undefined,
): Promise<OwnValues | undefined> {
  if (layout?.kind === 'chunked') return OwnChunks.open(file, access, part, type, layout);
  return layout?.kind === 'contiguous' ? ownRun(access, part, layout) : undefined;
}

/** Values that are one run of bytes; undefined if the run has another length than the dataset. */
function ownRun(
  access: RandomAccess,
  { shape, elementBytes }: StoredPart,
  { at, bytes }: ContiguousLayout,
): OwnValues | undefined {
  if (bytes !== elements(shape) * elementBytes) return undefined;
  const strides = shape.map((_, d) => elements(shape.slice(d + 1)) * elementBytes);
  const values = { access, width: elementBytes, swap: undefined };
  return {
    async read(stored, box, into) {
      if (stored.count.join() !== box.count.join()) return [stored];
      await readStrided(
        values,
        { begin: at, strides },
        box,
        bytesOf(into).subarray(0, elements(box.count) * elementBytes),
      );
      return [];
    },
  };
}

/** The number of chunks that are decoded at a time. */
const AT_ONCE = 4;

interface TouchedChunk extends PlacedChunk {
  /** In the grid of chunks. */
  readonly place: readonly number[];
}

/**
 * The chunks of a dataset that are decoded here. HDF5 itself does not check the decoded size of a chunk: if one is too
 * short, it uses whatever follows in memory as values, and one that is too long may fill all memory.
 */
class OwnChunks {
  readonly #access: RandomAccess;
  readonly #part: StoredPart;
  readonly #type: NumberType;
  readonly #chunks: PlacedChunks;
  readonly #filters: ChunkFilters;

  private constructor(
    access: RandomAccess,
    part: StoredPart,
    { type, chunks, filters }: { type: NumberType; chunks: PlacedChunks; filters: ChunkFilters },
  ) {
    this.#access = access;
    this.#part = part;
    this.#type = type;
    this.#chunks = chunks;
    this.#filters = filters;
  }

  /** Undefined if chunks are filtered in a way that only HDF5 handles. Throws FormatError if their index is damaged. */
  static async open(
    file: Hdf5Handle,
    access: RandomAccess,
    part: StoredPart,
    type: NumberType,
    layout: ChunkedLayout,
  ): Promise<OwnChunks | undefined> {
    const { path, subject, chunk, elementBytes } = part;
    const numbers = file.query(subject, (library, id) => library.get_dataset_filters(id, path)).map(({ id }) => id);
    if (!ChunkFilters.areKnown(numbers) || layout.chunk.join() !== chunk.join()) return undefined;
    const chunks = await readChunkTree(access, layout, subject);
    const filters = new ChunkFilters(numbers, elements(chunk) * elementBytes, elementBytes);
    return new OwnChunks(access, part, { type, chunks, filters });
  }

  /**
   * Reads the parts of `stored`, a box within `box`, that are in chunks to `into`; returns the parts that are in no
   * chunk. Throws FormatError.
   */
  async read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]> {
    const { chunk } = this.#part;
    const others: Box[] = [];
    const touched: TouchedChunk[] = [];
    for (const place of touchedChunks(chunk, stored)) {
      const found = this.#chunks.get(place.join());
      if (found === undefined) others.push(chunkOverlap(place, chunk, stored));
      else if (this.#filters.canBe(found.length, found.skippedFilters)) touched.push({ place, ...found });
      else throw this.#wrongChunk(place, `${found.length} bytes in the file`);
    }
    const to = { values: into, start: box.start, strides: rowStrides(box.count) };
    const runs = byteRuns(touched, true);
    // The chunks of few runs are decoded at once, too.
    const ofRun = Math.ceil(AT_ONCE / Math.max(1, runs.length));
    await forEachLimited(runs, AT_ONCE, async ({ offset, length, parts }) => {
      const bytes = new Uint8Array(length);
      await this.#access.read(offset, bytes);
      await forEachLimited(parts, ofRun, async (part) => {
        const { place, skippedFilters } = part;
        const at = part.offset - offset;
        const decoded = await this.#decode(part, bytes.subarray(at, at + part.length));
        // Nothing else runs between the two, so that all chunks use the same memory in turn.
        const values = this.#elements(this.#filters.unshuffle(decoded, skippedFilters));
        const from = { values, start: place.map((at, d) => at * chunk[d]), strides: rowStrides(chunk) };
        copyBox(from, to, chunkOverlap(place, chunk, stored));
      });
    });
    return others;
  }

  /** Undoes the filters of a chunk, except that its bytes stay shuffled. Throws FormatError. */
  async #decode({ place, skippedFilters }: TouchedChunk, bytes: Uint8Array): Promise<Uint8Array> {
    try {
      return await this.#filters.decode(bytes, skippedFilters);
    } catch (cause) {
      throw this.#wrongChunk(place, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #elements(bytes: Uint8Array): ArrayValues {
    const { elementBytes } = this.#part;
    const { buffer, byteOffset } = bytes.byteOffset % elementBytes === 0 ? bytes : bytes.slice();
    return new NUMBER_ARRAYS[this.#type](buffer as ArrayBuffer, byteOffset, bytes.length / elementBytes);
  }

  #wrongChunk(place: readonly number[], received: string, cause?: unknown): FormatError {
    return new FormatError({
      subject: `${this.#part.subject}, chunk ${place.join('/')}`,
      ...{ problem: 'a chunk is damaged, or is not of this array', received, cause },
      allowed: `${this.#filters.bytes} bytes when it is decoded`,
    });
  }
}

const DEFLATE = 1;
const SHUFFLE = 2;
const FLETCHER32 = 3;
const CHECKSUM_BYTES = 4;
/** The most bytes that a byte of zlib becomes; bytes that cannot be compressed may become slightly more when stored. */
const MAX_RATIO = 1032;
const MAX_GROWTH = { times: 2, bytes: 65_536 };
/** Memory for chunks of at most so many bytes is used again: to get it and to give it back takes as long as to fill it. */
const MAX_KEPT_BYTES = 16_777_216;

/** The filters of chunks of `bytes` bytes, and how to undo them: to exactly this number of bytes. */
class ChunkFilters {
  /** The bytes of a decoded chunk. */
  readonly bytes: number;
  readonly #filters: readonly number[];
  readonly #elementBytes: number;
  #plain: Uint8Array<ArrayBuffer> | undefined;

  /** `filters` are HDF5's numbers of the filters, in the order in which they were applied. */
  constructor(filters: readonly number[], bytes: number, elementBytes: number) {
    this.bytes = bytes;
    this.#filters = filters;
    this.#elementBytes = elementBytes;
  }

  /** Whether these filters can be undone here: shuffle only as the first, deflate only once. */
  static areKnown(filters: readonly number[]): boolean {
    const isKnown = filters.every((filter) => filter === DEFLATE || filter === SHUFFLE || filter === FLETCHER32);
    return isKnown && filters.lastIndexOf(SHUFFLE) <= 0 && filters.indexOf(DEFLATE) === filters.lastIndexOf(DEFLATE);
  }

  /**
   * Whether this number of stored bytes may be a chunk; `skipped` has a bit for each filter that was not applied when
   * it was written.
   */
  canBe(stored: number, skipped: number): boolean {
    const applied = this.#applied(skipped);
    const checksums = CHECKSUM_BYTES * applied.filter((filter) => filter === FLETCHER32).length;
    const plain = this.bytes + checksums;
    if (!applied.includes(DEFLATE)) return stored === plain;
    return stored <= MAX_GROWTH.times * plain + MAX_GROWTH.bytes && stored * MAX_RATIO >= this.bytes;
  }

  /**
   * Undoes the filters, except that bytes stay shuffled. Throws RangeError if bytes are damaged, or become more or fewer
   * than a chunk has.
   */
  async decode(stored: Uint8Array, skipped: number): Promise<Uint8Array> {
    const applied = this.#applied(skipped);
    let bytes = stored;
    for (const [at, filter] of [...applied.entries()].reverse()) {
      const checksums = applied.slice(0, at).filter((before) => before === FLETCHER32).length;
      if (filter === DEFLATE) bytes = await inflate('deflate', bytes, this.bytes + CHECKSUM_BYTES * checksums);
      else if (filter === FLETCHER32) bytes = withoutChecksum(bytes);
    }
    if (bytes.length === this.bytes) return bytes;
    throw new RangeError(`it becomes ${bytes.length} bytes`);
  }

  /** The bytes of a chunk from those that `decode` has given; they are good until the next call. */
  unshuffle(bytes: Uint8Array, skipped: number): Uint8Array {
    if (!this.#applied(skipped).includes(SHUFFLE)) return bytes;
    const plain = this.#plain ?? new Uint8Array(this.bytes);
    if (this.bytes <= MAX_KEPT_BYTES) this.#plain = plain;
    return unshuffle(bytes, this.#elementBytes, plain);
  }

  #applied(skipped: number): readonly number[] {
    return this.#filters.filter((_, at) => ((skipped >> at) & 1) === 0);
  }
}

/** HDF5 before 1.6.3 wrote the bytes of each half of the checksum in reverse order. */
function withoutChecksum(bytes: Uint8Array): Uint8Array {
  const length = bytes.length - CHECKSUM_BYTES;
  if (length < 0) throw new RangeError(`${bytes.length} bytes, not even a checksum`);
  const content = bytes.subarray(0, length);
  const stored = new DataView(bytes.buffer, bytes.byteOffset + length).getUint32(0, true);
  const sum = fletcher32(content);
  const swapped = (((sum & 0xff00ff) << 8) | ((sum >>> 8) & 0xff00ff)) >>> 0;
  if (stored !== sum && stored !== swapped) throw new RangeError('the checksum is wrong');
  return content;
}

import { forEachLimited } from '../../check/work.js';
import { NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { FormatError, isPlumecastError } from '../../errors.js';
import { type ArrayValues, type Box, bytesOf } from '../array/array-file.js';
import { swapBytes } from '../array/byte-order.js';
import { chunkOverlap, copyBox, elements, placeOfRow, rowStrides, touchedChunks } from '../array/copy-box.js';
import type { RandomAccess } from '../array/random-access.js';
import { byteRuns, readStrided, stridedSpans } from '../array/read-strided.js';
import { type PlacedChunk, type PlacedChunks, readChunkIndex } from '../hdf5/chunk-index.js';
import { type ChunkedLayout, type ContiguousLayout, type Layout, readLayout } from '../hdf5/read-layout.js';
import { ChunkFilters } from './chunk-filters.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { Hdf5Dataset } from './list-datasets.js';

/** The stored part of an array: an array that can grow may be stored shorter than its dimensions. */
export interface StoredPart {
  readonly path: string;
  readonly subject: string;
  readonly storage: Hdf5Dataset['storage'];
  readonly shape: readonly number[];
  /** The greatest length of each dimension that it may grow to; infinite without a limit. */
  readonly limits: readonly number[];
  /** The shape of a chunk; undefined if the array is not stored in chunks. */
  readonly chunk: readonly number[] | undefined;
  readonly elementBytes: number;
  /** Undefined for texts. */
  readonly type: NumberType | undefined;
  readonly isLittleEndian: boolean;
}

/** Values of a dataset that are read or checked here, not by the HDF5 library. */
export interface OwnValues {
  /**
   * Reads what it can of `stored`, a box within `box`, to `into`, which has the size of `box`; returns the boxes that it
   * left to the library. Throws FormatError and FileError.
   */
  read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]>;
  /** Brings what boxes are stored as, where it is elsewhere. */
  fetch(stored: readonly Box[]): Promise<void>;
  /** Checks that what is stored of a box can be left to the library. Throws FormatError and FileError. */
  check(stored: Box): Promise<void>;
}

/** Reads how the values of a dataset are stored; undefined where only HDF5 knows. */
export async function storedLayout(
  file: Hdf5Handle,
  access: RandomAccess,
  { path, subject, storage }: StoredPart,
): Promise<Layout | undefined> {
  const address = storage.address(file, path, subject);
  return address === undefined ? undefined : readLayout(access, address);
}

/**
 * Opens the values of a dataset: chunks, or one run of bytes of little-endian numbers, which is read to its final place
 * without the library's copies. Undefined for other values that are not in chunks. Throws FormatError if the index of
 * chunks is damaged, or of a form that is not known.
 */
export async function openOwnValues(
  file: Hdf5Handle,
  access: RandomAccess,
  part: StoredPart,
  layout: Layout | undefined,
): Promise<OwnValues | undefined> {
  const { chunk, subject } = part;
  if (chunk === undefined) return layout?.kind === 'contiguous' ? ownRun(access, part, layout) : undefined;
  const isKnown = layout?.kind === 'chunked' && layout.chunk.join() === chunk.join();
  // Texts of any length have other bytes in the file than in memory.
  if (isKnown && (part.type === undefined || layout.elementBytes === part.elementBytes))
    return OwnChunks.open(file, access, { ...part, chunk }, layout);
  throw new FormatError({
    subject,
    problem: 'has chunks whose lengths cannot be checked: how they are stored is damaged, or not known',
    allowed: 'chunks as HDF5 1.8 to 2.0 store them, with addresses of 8 bytes; `h5repack` writes them anew',
  });
}

/** Values that are one run of bytes; undefined if the run has another length than the dataset. */
function ownRun(
  access: RandomAccess,
  { shape, elementBytes, type, isLittleEndian }: StoredPart,
  { at, bytes }: ContiguousLayout,
): OwnValues | undefined {
  if (type === undefined || !isLittleEndian) return undefined;
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
    async fetch(boxes) {
      await access.fetch?.(boxes.flatMap((box) => [...stridedSpans({ begin: at, strides }, box, elementBytes)]));
    },
    async check() {},
  };
}

/** A bit for each filter that was skipped: all. */
const ALL_FILTERS = -1;
/** The number of chunks that are decoded at a time. */
const AT_ONCE = 4;

interface TouchedChunk extends PlacedChunk {
  /** In the grid of chunks. */
  readonly place: readonly number[];
}

type ChunkedPart = StoredPart & { readonly chunk: readonly number[] };

/**
 * The chunks of a dataset. HDF5 itself does not check the decoded size of a chunk: if one is too short, it uses whatever
 * follows in memory as values, and one that is too long may fill all memory. So chunks are decoded here; where only the
 * library can do that, their lengths are checked before.
 */
class OwnChunks implements OwnValues {
  readonly #access: RandomAccess;
  readonly #part: ChunkedPart;
  readonly #hasPlainEdges: boolean;
  readonly #chunks: PlacedChunks;
  readonly #filters: ChunkFilters;

  private constructor(
    access: RandomAccess,
    part: ChunkedPart,
    layout: ChunkedLayout,
    { chunks, filters }: { readonly chunks: PlacedChunks; readonly filters: ChunkFilters },
  ) {
    this.#access = access;
    this.#part = part;
    this.#hasPlainEdges = layout.hasPlainEdges;
    this.#chunks = chunks;
    this.#filters = filters;
  }

  /** Throws FormatError if the index of chunks is damaged. */
  static async open(
    file: Hdf5Handle,
    access: RandomAccess,
    part: ChunkedPart,
    layout: ChunkedLayout,
  ): Promise<OwnChunks> {
    const { path, subject, limits, storage } = part;
    const filters = storage.filters(file, path, subject).map(({ id, cd_values: parameters }) => ({ id, parameters }));
    const chunks = await readChunkIndex(access, { subject, layout, limits, isFiltered: filters.length > 0 });
    const bytes = elements(layout.chunk) * layout.elementBytes;
    return new OwnChunks(access, part, layout, { chunks, filters: await ChunkFilters.load(filters, bytes, subject) });
  }

  /** Reads the parts of `stored` that are in chunks; leaves those in no chunk, and filters that only the library undoes. */
  async read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]> {
    const { chunk, type } = this.#part;
    const { touched, others } = this.#touched(stored);
    if (!this.#filters.areOwn || type === undefined) {
      await this.check(stored);
      return [stored];
    }
    const to = { values: into, start: box.start, strides: rowStrides(box.count) };
    // Nothing else runs until the values of a chunk are copied, so that all chunks use the same memory in turn.
    let memory: Uint8Array | undefined;
    const inTurn = () => {
      memory ??= new Uint8Array(this.#filters.bytes);
      return memory;
    };
    await this.#decodeAll(touched, ({ place, skippedFilters }, decoded) => {
      const found = chunkOverlap(place, chunk, stored);
      const whole = this.#wholeChunk(found, box, into);
      const bytes = this.#filters.unshuffle(decoded, skippedFilters, whole === undefined ? inTurn : () => whole);
      if (whole !== undefined) {
        if (bytes !== whole) whole.set(bytes);
        return;
      }
      const values = this.#elements(bytes, type);
      const from = { values, start: place.map((at, d) => at * chunk[d]), strides: rowStrides(chunk) };
      copyBox(from, to, found);
    });
    return others;
  }

  /** Where the values of a chunk go that are all wanted, one after the other, as they are stored; else undefined. */
  #wholeChunk(found: Box, box: Box, into: ArrayValues): Uint8Array | undefined {
    const { chunk, elementBytes, isLittleEndian } = this.#part;
    if (!isLittleEndian || found.count.some((length, d) => length !== chunk[d])) return undefined;
    const at = placeOfRow(found, box);
    return at === undefined
      ? undefined
      : bytesOf(into).subarray(at * elementBytes, (at + elements(chunk)) * elementBytes);
  }

  async fetch(stored: readonly Box[]): Promise<void> {
    await this.#access.fetch?.(stored.flatMap((box) => this.#touched(box).touched));
  }

  async check(stored: Box): Promise<void> {
    await this.#decodeAll(this.#touched(stored).touched, () => {});
  }

  /** The chunks of a box, and its parts that are in no chunk. Throws FormatError. */
  #touched(stored: Box): { readonly touched: readonly TouchedChunk[]; readonly others: readonly Box[] } {
    const { chunk } = this.#part;
    const others: Box[] = [];
    const touched: TouchedChunk[] = [];
    for (const place of touchedChunks(chunk, stored)) {
      const found = this.#chunks.get(place.join());
      if (found === undefined) {
        others.push(chunkOverlap(place, chunk, stored));
        continue;
      }
      const skippedFilters = this.#hasPlainEdges && this.#isEdge(place) ? ALL_FILTERS : found.skippedFilters;
      if (!this.#filters.canBe(found.length, skippedFilters))
        throw this.#wrongChunk(place, `${found.length} bytes in the file`);
      touched.push({ place, ...found, skippedFilters });
    }
    return { touched, others };
  }

  #isEdge(place: readonly number[]): boolean {
    const { chunk, shape } = this.#part;
    return place.some((at, d) => (at + 1) * chunk[d] > shape[d]);
  }

  /** Decodes chunks, some at a time, and calls `use` with what is decoded here. Throws FormatError. */
  async #decodeAll(
    touched: readonly TouchedChunk[],
    use: (chunk: TouchedChunk, decoded: Uint8Array) => void,
  ): Promise<void> {
    await this.#access.fetch?.(touched);
    const runs = byteRuns(touched, true);
    // The chunks of few runs are decoded at once, too.
    const ofRun = Math.ceil(AT_ONCE / Math.max(1, runs.length));
    await forEachLimited(runs, AT_ONCE, async ({ offset, length, parts }) => {
      const bytes = new Uint8Array(length);
      await this.#access.read(offset, bytes);
      await forEachLimited(parts, ofRun, async (part) => {
        const at = part.offset - offset;
        const decoded = await this.#decode(part, bytes.subarray(at, at + part.length));
        if (decoded !== undefined) use(part, decoded);
      });
    });
  }

  /** Undoes the filters of a chunk, except that its bytes stay shuffled. Throws FormatError. */
  async #decode({ place, skippedFilters }: TouchedChunk, bytes: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return await this.#filters.decode(bytes, skippedFilters);
    } catch (cause) {
      if (isPlumecastError(cause)) throw cause;
      throw this.#wrongChunk(place, cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #elements(bytes: Uint8Array, type: NumberType): ArrayValues {
    const { elementBytes, isLittleEndian } = this.#part;
    const isReady = isLittleEndian && bytes.byteOffset % elementBytes === 0;
    const own = isReady ? bytes : Uint8Array.from(bytes);
    if (!isLittleEndian) swapBytes(own, elementBytes);
    return new NUMBER_ARRAYS[type](own.buffer as ArrayBuffer, own.byteOffset, own.length / elementBytes);
  }

  #wrongChunk(place: readonly number[], received: string, cause?: unknown): FormatError {
    return new FormatError({
      subject: `${this.#part.subject}, chunk ${place.join('/')}`,
      ...{ problem: 'a chunk is damaged, or is not of this array', received, cause },
      allowed: `${this.#filters.bytes} bytes when it is decoded`,
    });
  }
}

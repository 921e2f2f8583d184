import { NUMBER_ARRAYS, type NumberType } from '../../core/number-types.js';
import { FormatError } from '../../errors.js';
import type { ArrayValues, Box } from '../array/array-file.js';
import { elements } from '../array/box.js';
import { byteRuns } from '../array/byte-runs.js';
import { chunkOverlap, touchedChunks } from '../array/chunk-grid.js';
import { copyBox, rowStrides } from '../array/copy-box.js';
import { forEachLimited } from '../array/for-each-limited.js';
import type { RandomAccess } from '../array/random-access.js';
import { type PlacedChunk, type PlacedChunks, readChunkTree } from '../hdf5/read-chunk-tree.js';
import type { ChunkedLayout } from '../hdf5/read-layout.js';
import { ChunkFilters } from './chunk-filters.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { StoredPart } from './read-box.js';

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
export class OwnChunks {
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

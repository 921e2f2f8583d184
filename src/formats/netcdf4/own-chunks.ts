import { FormatError } from '../../errors.js';
import type { ArrayType, ArrayValues, Box } from '../array-file.js';
import { elements } from '../box.js';
import { type ByteRun, byteRuns } from '../byte-runs.js';
import { overlapOf, touchedChunks } from '../chunk-grid.js';
import { copyBox, rowStrides } from '../copy-box.js';
import { forEachLimited } from '../for-each-limited.js';
import { type PlacedChunk, type PlacedChunks, readChunkTree } from '../hdf5/read-chunk-tree.js';
import { readChunkedLayout } from '../hdf5/read-layout.js';
import { NUMBER_ARRAYS, type NumberType } from '../number-types.js';
import type { RandomAccess } from '../random-access.js';
import type { Hdf5Handle } from './hdf5-handle.js';
import type { StoredPart } from './read-box.js';
import { unshuffle } from './shuffle.js';

/** Decompresses bytes of zlib; throws RangeError where they are damaged, or become more than `most`. */
export type Inflate = (bytes: Uint8Array, most: number) => Uint8Array | Promise<Uint8Array>;

const DEFLATE = 1;
const SHUFFLE = 2;
/** Chunks that are decoded at a time. */
const AT_ONCE = 4;

interface OwnChunksForm {
  readonly type: NumberType;
  readonly chunks: PlacedChunks;
  /** The numbers of the filters, in the order in which they were applied. */
  readonly filters: readonly number[];
  readonly inflate: Inflate;
}

/**
 * The chunks of a dataset that are decoded here. HDF5 itself does not look how many bytes a chunk becomes: of one that becomes too few it
 * takes whatever is in memory behind it for values, and one that becomes too many may fill all memory.
 */
export class OwnChunks {
  readonly #access: RandomAccess;
  readonly #part: StoredPart;
  readonly #type: NumberType;
  readonly #chunks: PlacedChunks;
  readonly #isShuffled: boolean;
  readonly #isDeflated: boolean;
  readonly #inflate: Inflate;

  private constructor(access: RandomAccess, part: StoredPart, { chunks, filters, inflate, type }: OwnChunksForm) {
    this.#access = access;
    this.#part = part;
    this.#type = type;
    this.#chunks = chunks;
    this.#isShuffled = filters.includes(SHUFFLE);
    this.#isDeflated = filters.includes(DEFLATE);
    this.#inflate = inflate;
  }

  /** Undefined where chunks are listed, or filtered, in a way that is left to HDF5. Throws FormatError where their index is damaged. */
  static async open(
    file: Hdf5Handle,
    access: RandomAccess,
    part: StoredPart,
    { type, inflate }: { readonly type: ArrayType; readonly inflate: Inflate },
  ): Promise<OwnChunks | undefined> {
    const { path, subject, chunk } = part;
    const filters = file.ask(subject, (library, id) => library.get_dataset_filters(id, path)).map(({ id }) => id);
    if (!['', '1', '2', '2,1'].includes(filters.join())) return undefined;
    const reference = file.ask(subject, (library, id) => library.create_object_reference(id, path));
    if (reference.length !== 8) return undefined;
    const address = Number(new DataView(Uint8Array.from(reference).buffer).getBigUint64(0, true));
    const layout = await readChunkedLayout(access, address);
    if (type === 'text' || layout === undefined || layout.chunk.join() !== chunk.join()) return undefined;
    const chunks = await readChunkTree(access, layout, subject);
    return new OwnChunks(access, part, { chunks, filters, inflate, type });
  }

  /** Reads the parts of `stored`, a box within `box`, that are in chunks to `into`; returns those that are in none. Throws FormatError. */
  async read(stored: Box, box: Box, into: ArrayValues): Promise<readonly Box[]> {
    const { chunk } = this.#part;
    const others: Box[] = [];
    const placed: (PlacedChunk & { place: readonly number[] })[] = [];
    for (const place of touchedChunks(chunk, stored)) {
      const found = this.#chunks.get(place.join());
      if (found === undefined) others.push(overlapOf(place, chunk, stored));
      else placed.push({ place, ...found });
    }
    await forEachLimited(byteRuns(placed, true), AT_ONCE, (run) => this.#readRun(run, stored, box, into));
    return others;
  }

  async #readRun(
    { offset, length, parts }: ByteRun<PlacedChunk & { place: readonly number[] }>,
    stored: Box,
    box: Box,
    into: ArrayValues,
  ): Promise<void> {
    for (const part of parts) this.#checkStored(part);
    const bytes = new Uint8Array(length);
    await this.#access.read(offset, bytes);
    for (const part of parts) {
      const from = part.offset - offset;
      const values = await this.#decoded(bytes.subarray(from, from + part.length), part);
      this.#copy(values, part.place, stored, box, into);
    }
  }

  /** Before memory is taken for it. */
  #checkStored({ place, length, skippedFilters }: PlacedChunk & { place: readonly number[] }): void {
    const isDeflated = this.#isDeflated && !this.#isSkipped(DEFLATE, skippedFilters);
    const most = isDeflated ? 2 * this.#bytes + 65_536 : this.#bytes;
    if (length <= most) return;
    throw this.#wrongChunk(place, `${length} bytes in the file`);
  }

  async #decoded(
    stored: Uint8Array,
    { place, skippedFilters }: PlacedChunk & { place: readonly number[] },
  ): Promise<Uint8Array> {
    let bytes = stored;
    if (this.#isDeflated && !this.#isSkipped(DEFLATE, skippedFilters)) {
      try {
        bytes = await this.#inflate(stored, this.#bytes);
      } catch (cause) {
        throw this.#wrongChunk(place, cause instanceof Error ? cause.message : String(cause), cause);
      }
    }
    if (bytes.length !== this.#bytes) throw this.#wrongChunk(place, `${bytes.length} bytes`);
    const isShuffled = this.#isShuffled && !this.#isSkipped(SHUFFLE, skippedFilters);
    return isShuffled ? unshuffle(bytes, this.#part.elementBytes) : bytes;
  }

  /** Filters are numbered in the order in which they are applied: shuffle comes first. */
  #isSkipped(filter: number, skipped: number): boolean {
    const at = filter === DEFLATE && this.#isShuffled ? 1 : 0;
    return ((skipped >> at) & 1) === 1;
  }

  get #bytes(): number {
    return elements(this.#part.chunk) * this.#part.elementBytes;
  }

  #copy(values: Uint8Array, place: readonly number[], stored: Box, box: Box, into: ArrayValues): void {
    const { chunk } = this.#part;
    const start = place.map((at, d) => at * chunk[d]);
    const from = { values: this.#elements(values), start, strides: rowStrides(chunk) };
    copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, overlapOf(place, chunk, stored));
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
      allowed: `${this.#bytes} bytes when it is decoded`,
    });
  }
}

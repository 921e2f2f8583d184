import { inflate } from '#inflate';
import { type DecompressBlosc, loadBlosc } from '../codecs/blosc.js';
import { decompressZstd } from '../codecs/zstd.js';
import { fletcher32 } from '../hdf5/checksum.js';
import { unshuffle } from './shuffle.js';
import { checkSzip } from './szip.js';

/** A filter of chunks: HDF5's number of it, and its parameters. */
export interface ChunkFilter {
  readonly id: number;
  readonly parameters: readonly number[];
}

/** HDF5's numbers of filters. */
const DEFLATE = 1;
const SHUFFLE = 2;
const FLETCHER32 = 3;
const SZIP = 4;
const NBIT = 5;
const SCALE_OFFSET = 6;
const ZSTD = 32_015;
const BLOSC = 32_001;
/** Filters that are undone here: numbers that use all of their bits are stored by nbit as they are. */
const OWN = new Set([DEFLATE, SHUFFLE, FLETCHER32, NBIT, ZSTD, BLOSC]);
/** Those that the HDF5 library does not undo. */
const OURS_ALONE = new Set([ZSTD, BLOSC]);

/** Whether the HDF5 library, as h5wasm has it, can undo a filter. */
export function isOfLibrary(id: number): boolean {
  return id >= DEFLATE && id <= SCALE_OFFSET;
}

/** Whether filters are undone here, and only here. */
export function areOursAlone(filters: readonly Pick<ChunkFilter, 'id'>[]): boolean {
  return filters.some(({ id }) => OURS_ALONE.has(id)) && filters.every(({ id }) => OWN.has(id));
}

const CHECKSUM_BYTES = 4;
/** The most bytes that a byte of zlib becomes; bytes that cannot be compressed may become slightly more when stored. */
const MAX_RATIO = 1032;
const MAX_GROWTH = { times: 2, bytes: 65_536 };

/** The filters of chunks of `bytes` bytes, and how to undo them: to exactly this number of bytes. */
export class ChunkFilters {
  /** The bytes of a decoded chunk. */
  readonly bytes: number;
  readonly #filters: readonly ChunkFilter[];
  readonly #decompressBlosc: DecompressBlosc | undefined;

  private constructor(filters: readonly ChunkFilter[], bytes: number, decompressBlosc: DecompressBlosc | undefined) {
    this.bytes = bytes;
    this.#filters = filters;
    this.#decompressBlosc = decompressBlosc;
  }

  /**
   * `filters` are in the order in which they were applied. Throws PackageError, about `subject`, where the package of one
   * is not installed.
   */
  static async load(filters: readonly ChunkFilter[], bytes: number, subject: string): Promise<ChunkFilters> {
    const hasBlosc = filters.some(({ id }) => id === BLOSC);
    return new ChunkFilters(filters, bytes, hasBlosc ? await loadBlosc(subject) : undefined);
  }

  /** Whether all filters are undone here; else `decode` checks as much as the HDF5 library does not. */
  get areOwn(): boolean {
    return this.#filters.every(({ id }) => OWN.has(id));
  }

  /**
   * Whether this number of stored bytes may be a chunk; `skipped` has a bit for each filter that was not applied when
   * it was written.
   */
  canBe(stored: number, skipped: number): boolean {
    const applied = this.#applied(skipped);
    const plain = this.#bytesAfter(applied);
    if (applied.every(({ id }) => id === SHUFFLE || id === FLETCHER32 || id === NBIT)) return stored === plain;
    if (applied.some(({ id }) => !OWN.has(id) || OURS_ALONE.has(id))) return stored > 0;
    const ratio = MAX_RATIO ** applied.filter(({ id }) => id === DEFLATE).length;
    return stored <= MAX_GROWTH.times * plain + MAX_GROWTH.bytes && stored * ratio >= this.bytes;
  }

  /**
   * Undoes the filters, except that bytes stay shuffled where shuffle was the first. Undefined if only the HDF5 library
   * knows the values, which it then decodes to a whole chunk. Throws RangeError if bytes are damaged, become more or
   * fewer than a chunk has, or cannot be checked.
   */
  async decode(stored: Uint8Array, skipped: number): Promise<Uint8Array | undefined> {
    const applied = this.#applied(skipped);
    let bytes = stored;
    for (let at = applied.length - 1; at >= 0; at--) {
      const filter = applied[at];
      const before = applied.slice(0, at);
      if (filter.id === SHUFFLE) {
        const width = elementBytes(filter);
        if (at > 0) bytes = unshuffle(bytes, width);
      } else if (filter.id === FLETCHER32) bytes = withoutChecksum(bytes);
      else if (filter.id === DEFLATE) bytes = await inflate('deflate', bytes, this.#mostBytes(before));
      else if (filter.id === ZSTD) bytes = await decompressZstd(bytes, this.#mostBytes(before));
      else if (filter.id === BLOSC && this.#decompressBlosc !== undefined)
        bytes = await this.#decompressBlosc(bytes, this.#mostBytes(before));
      else if (filter.id !== NBIT) {
        if (before.some(({ id }) => id !== SHUFFLE && id !== NBIT))
          throw new RangeError('filters before szip or scaleoffset, which cannot be checked');
        checkPacked(filter, bytes, this.bytes);
        return undefined;
      }
    }
    if (bytes.length === this.bytes) return bytes;
    throw new RangeError(`it becomes ${bytes.length} bytes`);
  }

  /** The bytes of a chunk from what `decode` has given: written to `plain`, or the ones given if they are not shuffled. */
  unshuffle(bytes: Uint8Array, skipped: number, plain: () => Uint8Array): Uint8Array {
    const first = this.#applied(skipped)[0];
    return first?.id === SHUFFLE ? unshuffle(bytes, elementBytes(first), plain()) : bytes;
  }

  #applied(skipped: number): readonly ChunkFilter[] {
    return this.#filters.filter((_, at) => ((skipped >>> at) & 1) === 0);
  }

  /** The bytes of a chunk after these filters, if they do not deflate. */
  #bytesAfter(filters: readonly ChunkFilter[]): number {
    return this.bytes + CHECKSUM_BYTES * filters.filter(({ id }) => id === FLETCHER32).length;
  }

  /** The most bytes of a chunk after these filters. */
  #mostBytes(filters: readonly ChunkFilter[]): number {
    const plain = this.#bytesAfter(filters);
    const isPlain = filters.every(({ id }) => OWN.has(id) && id !== DEFLATE && !OURS_ALONE.has(id));
    return isPlain ? plain : MAX_GROWTH.times * plain + MAX_GROWTH.bytes;
  }
}

function elementBytes({ parameters }: ChunkFilter): number {
  if (parameters.length > 0 && parameters[0] > 0) return parameters[0];
  throw new RangeError('shuffle without the bytes of an element');
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

/** Checks that bytes of szip or scaleoffset become `expected` ones. Throws RangeError. */
function checkPacked({ id, parameters }: ChunkFilter, bytes: Uint8Array, expected: number): void {
  if (id === SCALE_OFFSET) checkScaleOffset(parameters, bytes, expected);
  else if (id === SZIP) checkSzip(parameters, bytes, expected);
  else throw new RangeError(`filter ${id}, which cannot be checked`);
}

const SCALE_OFFSET_HEADER = 21;

/**
 * Scaleoffset: the bits of a value (4 bytes), the bytes of the least value (1), this value, to byte 21; then the bits.
 * Parameters 2 and 4 are the number of elements and their bytes.
 */
function checkScaleOffset(parameters: readonly number[], bytes: Uint8Array, expected: number): void {
  const [count, width] = [parameters[2], parameters[4]];
  if (!(count * width === expected)) throw new RangeError(`it becomes ${count * width} bytes`);
  const bits = bytes.length < SCALE_OFFSET_HEADER ? Number.NaN : viewOf(bytes).getUint32(0, true);
  const needed = SCALE_OFFSET_HEADER + Math.ceil((count * bits) / 8);
  if (!(bits <= 8 * width && needed <= bytes.length)) throw new RangeError(`${bytes.length} bytes, which end early`);
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

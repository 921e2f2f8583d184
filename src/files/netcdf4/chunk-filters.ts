import { inflate } from '#inflate';
import { fletcher32 } from '../hdf5/fletcher32.js';
import { unshuffle } from './shuffle.js';

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
export class ChunkFilters {
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

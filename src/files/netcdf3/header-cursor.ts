import { FormatError } from '../../errors.js';
import { storedText } from '../array/array-file.js';

/** Thrown if a header continues beyond the bytes that have been read. */
export class MoreBytesNeeded extends Error {}

/** Reads the elements of a NetCDF3 header one after the other; each begins at a multiple of four bytes. */
export class HeaderCursor {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #source: string;
  /** Whether counts and sizes, and places in the file, have eight bytes. */
  readonly #hasLongCounts: boolean;
  readonly #hasLongPlaces: boolean;
  at: number;

  /** Begins after the four bytes of the magic text, whose last byte is `version`: 1, 2 or 5. */
  constructor(bytes: Uint8Array, version: number, source: string) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#source = source;
    this.#hasLongCounts = version === 5;
    this.#hasLongPlaces = version !== 1;
    this.at = 4;
  }

  /** A number of four bytes. */
  word(): number {
    return this.#view.getUint32(this.#skip(4));
  }

  /** A length, a count of elements, or the number of a dimension. */
  count(): number {
    return this.#hasLongCounts ? this.#long() : this.#short();
  }

  /** Skips a count, whatever its value. */
  skipCount(): void {
    this.#skip(this.#hasLongCounts ? 8 : 4);
  }

  /**
   * The number of records, stored like a count; undefined if all bits are set, which means that it was not known yet.
   */
  records(): number | undefined {
    const places = this.#hasLongCounts ? 2 : 1;
    const bits = this.#bytes.subarray(this.at, this.at + 4 * places);
    if (bits.length === 4 * places && bits.every((byte) => byte === 0xff)) {
      this.#skip(4 * places);
      return undefined;
    }
    return this.count();
  }

  /** A place in the file. */
  place(): number {
    return this.#hasLongPlaces ? this.#long() : this.#short();
  }

  name(): string {
    return storedText(this.raw(this.count()));
  }

  /** `length` bytes; skips the zeros that pad them to a multiple of four. */
  raw(length: number): Uint8Array {
    const at = this.#skip(length + padding(length));
    return this.#bytes.subarray(at, at + length);
  }

  damaged(problem: string): FormatError {
    return damagedHeader(this.#source, problem);
  }

  #short(): number {
    const value = this.#view.getInt32(this.#skip(4));
    if (value < 0) throw this.damaged(`the number ${value} at byte ${this.at - 4} is negative`);
    return value;
  }

  #long(): number {
    const value = Number(this.#view.getBigInt64(this.#skip(8)));
    if (value < 0 || !Number.isSafeInteger(value)) {
      throw this.damaged(`the number ${value} at byte ${this.at - 8} is out of range`);
    }
    return value;
  }

  #skip(length: number): number {
    const { at } = this;
    if (at + length > this.#bytes.length) throw new MoreBytesNeeded();
    this.at += length;
    return at;
  }
}

/** The number of zeros that pad `length` bytes to a multiple of four. */
export function padding(length: number): number {
  return (4 - (length % 4)) % 4;
}

/** The FormatError for a header that contradicts itself or the format. */
export function damagedHeader(source: string, problem: string): FormatError {
  return new FormatError({ subject: source, problem: `has a damaged NetCDF3 header: ${problem}` });
}

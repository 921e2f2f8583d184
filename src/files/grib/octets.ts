import { messageError } from './message-error.js';
import type { MessagePlace } from './messages.js';

/**
 * The octets of a section, by their numbers in the WMO's tables: octet 1 is the first byte. Numbers are big-endian, and
 * signed ones have a bit for the sign. Throws a FormatError that names the section where it ends before an octet.
 */
export class Octets {
  readonly place: MessagePlace;
  readonly section: number;
  readonly #bytes: Uint8Array;

  constructor(place: MessagePlace, section: number, bytes: Uint8Array) {
    this.place = place;
    this.section = section;
    this.#bytes = bytes;
  }

  get length(): number {
    return this.#bytes.length;
  }

  /** An unsigned number of `count` octets. */
  unsigned(octet: number, count = 1): number {
    this.#assertLength(octet + count - 1);
    let value = 0;
    for (let i = 0; i < count; i++) value = value * 256 + this.#bytes[octet - 1 + i];
    return value;
  }

  /** A number of `count` octets whose first bit says that it is negative. */
  signed(octet: number, count = 1): number {
    const value = this.unsigned(octet, count);
    const limit = 2 ** (8 * count - 1);
    return value >= limit ? limit - value : value;
  }

  /**
   * A number of `count` octets whose first bit says that it is negative, by a sign or in two's complement: whichever is
   * nearer to 0.
   */
  signedEither(octet: number, count: number): number {
    const value = this.unsigned(octet, count);
    const limit = 2 ** (8 * count - 1);
    return value < limit ? value : Math.max(limit - value, value - 2 * limit);
  }

  /** The size of a distance of `count` octets: it is unsigned, but some writers that count backwards give it a sign. */
  distance(octet: number, count: number): number {
    return Math.abs(this.signedEither(octet, count));
  }

  /** Undefined where all bits are set, which stands for a missing value. */
  known(octet: number, count = 1): number | undefined {
    const value = this.unsigned(octet, count);
    return value === 2 ** (8 * count) - 1 ? undefined : value;
  }

  /** A number in the format of IBM's machines, four octets: a sign, an exponent of 16 and 24 bits of a fraction. */
  ibmFloat(octet: number): number {
    const head = this.unsigned(octet);
    const value = this.unsigned(octet + 1, 3) * 16 ** ((head & 0x7f) - 70);
    return head & 0x80 ? -value : value;
  }

  /** An IEEE number of four octets. */
  ieeeFloat(octet: number): number {
    this.#assertLength(octet + 3);
    const { buffer, byteOffset, byteLength } = this.#bytes;
    return new DataView(buffer, byteOffset, byteLength).getFloat32(octet - 1);
  }

  /** The scale factor in an octet, and the scaled value in the four after it: `value / 10^factor`. */
  scaled(octet: number): number | undefined {
    const value = this.known(octet + 1, 4);
    if (value === undefined) return undefined;
    const factor = this.known(octet) === undefined ? 0 : this.signed(octet);
    // A division by a power of ten is exact where the result is, unlike a product with its inverse.
    return factor >= 0 ? this.signed(octet + 1, 4) / 10 ** factor : this.signed(octet + 1, 4) * 10 ** -factor;
  }

  #assertLength(octet: number): void {
    if (octet <= this.#bytes.length) return;
    throw messageError(this.place, this.section, {
      problem: 'is shorter than its template',
      received: `${this.#bytes.length} bytes`,
      allowed: `at least ${octet}`,
    });
  }
}

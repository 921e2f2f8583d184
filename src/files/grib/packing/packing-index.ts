import type { ComplexGroups } from './complex-groups.js';

/** Points of a grid, or numbers of a field, in the order in which they are stored: `to` is the first behind them. */
export interface StoredRange {
  readonly from: number;
  readonly to: number;
}

/** Whether a range has all of so many points or numbers. */
export function isAll({ from, to }: StoredRange, count: number): boolean {
  return from === 0 && to === count;
}

/**
 * What is known of a field after a part of it was read, so that other parts are read at a cost in proportion: at most 2
 * kB. It is filled when a part is read; the field must not change meanwhile. A field that is read from its first to its
 * last point needs nothing to be known.
 */
export interface PackingIndex {
  heads?: Grib1Heads;
  ranks?: BitmapRanks;
  intervals?: CcsdsIntervals;
  groups?: IndexedGroups;
}

/** The first bytes of sections of edition 1: 3, where there is a bitmap, and 4. */
export interface Grib1Heads {
  readonly section3: Uint8Array | undefined;
  readonly section4: Uint8Array;
}

/** The bitmap: the number of ones before every `step`-th point, and of all. */
export interface BitmapRanks {
  readonly step: number;
  readonly ranks: Uint32Array;
  readonly ones: number;
}

/** CCSDS: the bit position of every `step`-th number, which begins an interval. */
export interface CcsdsIntervals {
  readonly step: number;
  readonly positions: Float64Array;
}

/** Complex packing. */
export interface IndexedGroups {
  readonly layout: ComplexGroups;
  /** For every `step`-th group the values before it, and the bit position of its numbers. */
  readonly step: number;
  readonly places: Float64Array;
  /** Where the last part that was read began and ended: `assembly/grib/complex.ts`. */
  begin: BigInt64Array;
  end: BigInt64Array;
}

/** An index has at most about this many places of each kind. */
export const MAX_PLACES = 64;
const MAX_FIELDS = 16_384;

/** The indices of fields, of at most 16,384: those that were used last. */
export class PackingIndices {
  readonly #indices = new Map<object, PackingIndex>();

  /** The index of a field, empty the first time. */
  of(field: object): PackingIndex {
    const index = this.#indices.get(field) ?? {};
    this.#indices.delete(field);
    this.#indices.set(field, index);
    if (this.#indices.size > MAX_FIELDS) {
      const [oldest] = this.#indices.keys();
      this.#indices.delete(oldest);
    }
    return index;
  }
}

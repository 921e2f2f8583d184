/** Weights are multiples of this: sums of so many are exact in any order. */
const WEIGHT_UNIT = 2 ** -20;

/** A weight as the nearest multiple of 2^-20. */
export function weightOf(weight: number): number {
  return Math.round(weight / WEIGHT_UNIT) * WEIGHT_UNIT;
}

/** Most members of an ensemble: what keys of tallies have space for. */
export const MAX_MEMBERS = 65_535;

/**
 * How many cases there were of each kind: sums of weights by a whole number, which is what they are about. Such sums are
 * exact, in any order.
 */
export class Tally {
  /**
   * Keys, each followed by its count, in a hash table with open addresses: a Map boxes its keys, and takes several times
   * as long. Empty places have the key -1.
   */
  #table: Float64Array | undefined;
  #size = 0;

  constructor(entries: Iterable<readonly [key: number, count: number]> = []) {
    for (const [key, count] of entries) this.add(key, count);
  }

  add(key: number, weight: number): void {
    let table = this.#table;
    // At most half full.
    if (table === undefined || 4 * this.#size >= table.length) table = this.#grow();
    const place = placeOf(table, key);
    if (table[place] === EMPTY) {
      table[place] = key;
      this.#size++;
    }
    table[place + 1] += weight;
  }

  addTally(other: Tally): void {
    for (const [key, count] of other.entries()) this.add(key, count);
  }

  /** The keys in ascending order, each with its count. */
  entries(): [key: number, count: number][] {
    const found: [number, number][] = [];
    const table = this.#table ?? new Float64Array(0);
    for (let i = 0; i < table.length; i += 2) if (table[i] !== EMPTY) found.push([table[i], table[i + 1]]);
    return found.sort(([a], [b]) => a - b);
  }

  #grow(): Float64Array {
    const old = this.#table ?? new Float64Array(0);
    const table = new Float64Array(Math.max(FIRST_LENGTH, 2 * old.length));
    for (let i = 0; i < table.length; i += 2) table[i] = EMPTY;
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== EMPTY) table.set(old.subarray(i, i + 2), placeOf(table, old[i]));
    }
    this.#table = table;
    return table;
  }
}

const EMPTY = -1;
/** Numbers of a first table: a power of two, as all are. */
const FIRST_LENGTH = 16;

/** Where a key is, or the empty place where it belongs. */
function placeOf(table: Float64Array, key: number): number {
  const mask = table.length - 1;
  // Numbers that follow each other are spread (Fibonacci hashing); places are even.
  let place = (Math.imul(key | 0, 0x9e3779b1) >>> 15) & mask & ~1;
  while (table[place] !== key && table[place] !== EMPTY) place = (place + 2) & mask;
  return place;
}

/** The key of an event's cases: whether it happened, and for how many of the members it held. */
export function eventKey(members: number, holds: number, happened: boolean): number {
  return (members * 65_536 + holds) * 2 + Number(happened);
}

export function readEventKey(key: number): { members: number; holds: number; happened: boolean } {
  const both = Math.floor(key / 2);
  return { members: Math.floor(both / 65_536), holds: both % 65_536, happened: key % 2 === 1 };
}

/** The key of the rank of an observation: how many of the members lie below it, and how many are equal to it. */
export function rankKey(members: number, below: number, equal: number): number {
  return (members * 65_536 + below) * 65_536 + equal;
}

export function readRankKey(key: number): { members: number; below: number; equal: number } {
  const both = Math.floor(key / 65_536);
  return { members: Math.floor(both / 65_536), below: both % 65_536, equal: key % 65_536 };
}

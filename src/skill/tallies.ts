import { type NumberRow, Rows } from './rows.js';

/** Numbers of a chunk of entries; an entry is two numbers. */
const CHUNK_NUMBERS = 65_536;

/**
 * Rows of tallies: how many cases there were of each kind, as sums of weights by a whole number, which is what they are about.
 * Such sums are exact, in any order.
 *
 * ```text
 * row:      | tally 0: address, entries | tally 1: address, entries | ...
 * address:  | key count | key count | ... | space for more           keys ascending
 * ```
 */
export class Tallies {
  readonly #rows: Rows;
  readonly #space = new EntrySpace();

  /** `width` is the number of tallies of a row. */
  constructor(width: number) {
    this.#rows = new Rows(new Float64Array(2 * width));
  }

  /** Adds a row of empty tallies, and returns its place. */
  addRow(): number {
    return this.#rows.add();
  }

  /** Takes all rows away, and keeps their memory for others. */
  clear(): void {
    this.#rows.clear();
    this.#space.clear();
  }

  /** The tallies of a row. */
  rowAt(row: number): TallyRow {
    return new TallyRow(this.#rows.rowAt(row), this.#space);
  }
}

/** The tallies of a row, by their places. */
export class TallyRow {
  readonly #heads: Float64Array;
  readonly #at: number;
  readonly #space: EntrySpace;

  constructor({ numbers, at }: NumberRow, space: EntrySpace) {
    this.#heads = numbers;
    this.#at = at;
    this.#space = space;
  }

  /** Adds a weight to what there is of a key. */
  add(tally: number, key: number, weight: number): void {
    const heads = this.#heads;
    const head = this.#at + 2 * tally;
    const entries = heads[head + 1];
    const address = heads[head];
    const chunk = entries === 0 ? NOTHING : this.#space.chunkOf(address);
    const from = address % CHUNK_NUMBERS;
    // The first entry whose key is not less.
    let [low, high] = [0, entries];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (chunk[from + 2 * middle] < key) low = middle + 1;
      else high = middle;
    }
    if (low < entries && chunk[from + 2 * low] === key) {
      chunk[from + 2 * low + 1] += weight;
      return;
    }
    const to = this.#space.widen(address, entries);
    const own = this.#space.chunkOf(to);
    const place = (to % CHUNK_NUMBERS) + 2 * low;
    own.copyWithin(place + 2, place, (to % CHUNK_NUMBERS) + 2 * entries);
    own[place] = key;
    own[place + 1] = weight;
    heads[head] = to;
    heads[head + 1] = entries + 1;
  }

  /** Adds the tallies of another row, which may be this one. */
  addRow(other: TallyRow, tallies: number): void {
    for (let tally = 0; tally < tallies; tally++) {
      const head = other.#at + 2 * tally;
      const entries = other.#heads[head + 1];
      if (entries === 0) continue;
      const address = other.#heads[head];
      const chunk = other.#space.chunkOf(address);
      const from = address % CHUNK_NUMBERS;
      if (this.#heads[this.#at + 2 * tally + 1] === 0) this.#copy(tally, chunk, from, entries);
      // Keys that are there already do not move, where both are the same row.
      else for (let i = from; i < from + 2 * entries; i += 2) this.add(tally, chunk[i], chunk[i + 1]);
    }
  }

  #copy(tally: number, chunk: Float64Array, from: number, entries: number): void {
    const to = this.#space.take(entries);
    this.#space.chunkOf(to).set(chunk.subarray(from, from + 2 * entries), to % CHUNK_NUMBERS);
    this.#heads[this.#at + 2 * tally] = to;
    this.#heads[this.#at + 2 * tally + 1] = entries;
  }

  /** The keys of a tally in ascending order, each with its count. */
  entries(tally: number): [key: number, count: number][] {
    const head = this.#at + 2 * tally;
    const entries = this.#heads[head + 1];
    if (entries === 0) return [];
    const chunk = this.#space.chunkOf(this.#heads[head]);
    const from = this.#heads[head] % CHUNK_NUMBERS;
    return Array.from({ length: entries }, (_, i) => [chunk[from + 2 * i], chunk[from + 2 * i + 1]]);
  }
}

const NOTHING = new Float64Array(0);

/** For how many entries there is space where there are some: steps of a quarter at most, so that little of it is empty. */
function spaceFor(entries: number): number {
  if (entries <= 8) return entries + (entries & 1);
  const step = 2 ** (29 - Math.clz32(entries - 1));
  return Math.ceil(entries / step) * step;
}

/** Space for lists of entries, which grow; what lists left is used again. */
class EntrySpace {
  readonly #chunks: Float64Array[] = [];
  /** Addresses that are free, by the number of entries that they have space for. */
  readonly #free = new Map<number, number[]>();
  #chunk = 0;
  #used = 0;

  chunkOf(address: number): Float64Array {
    return this.#chunks[Math.floor(address / CHUNK_NUMBERS)];
  }

  /** Makes space for one entry more than there are at an address: returns where they are then. */
  widen(address: number, entries: number): number {
    const space = spaceFor(entries);
    if (entries > 0 && entries < space) return address;
    const to = this.take(entries + 1);
    if (entries === 0) return to;
    const from = address % CHUNK_NUMBERS;
    this.chunkOf(to).set(this.chunkOf(address).subarray(from, from + 2 * entries), to % CHUNK_NUMBERS);
    const free = this.#free.get(space);
    if (free === undefined) this.#free.set(space, [address]);
    else free.push(address);
    return to;
  }

  clear(): void {
    this.#free.clear();
    this.#chunk = 0;
    this.#used = 0;
  }

  /** Space for so many entries: their address. */
  take(entries: number): number {
    const space = spaceFor(entries);
    const free = this.#free.get(space)?.pop();
    if (free !== undefined) return free;
    const needed = 2 * space;
    if (this.#used + needed > CHUNK_NUMBERS) {
      this.#chunk++;
      this.#used = 0;
    }
    const chunk = this.#chunks[this.#chunk] as Float64Array | undefined;
    // A list that is longer than a chunk has one by itself.
    if (chunk === undefined || chunk.length < needed)
      this.#chunks[this.#chunk] = new Float64Array(Math.max(CHUNK_NUMBERS, needed));
    const address = this.#chunk * CHUNK_NUMBERS + this.#used;
    this.#used += needed;
    return address;
  }
}

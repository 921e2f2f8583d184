/** Rows of a chunk: a power of two. */
const CHUNK_ROWS = 64;

/** Rows of numbers in chunks, which neither move nor are copied when there are more. */
export class Rows {
  readonly #width: number;
  readonly #first: Float64Array;
  readonly #chunks: Float64Array[] = [];
  #count = 0;

  /** `first` is what a new row has. */
  constructor(first: Float64Array) {
    this.#width = first.length;
    this.#first = first;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a row, and returns its place. */
  add(): number {
    const row = this.#count++;
    if (this.#placeOf(row) === 0 && row / CHUNK_ROWS === this.#chunks.length)
      this.#chunks.push(new Float64Array(CHUNK_ROWS * this.#width));
    const { numbers, at } = this.rowAt(row);
    numbers.set(this.#first, at);
    return row;
  }

  /** Takes all rows away, and keeps their memory for others. */
  clear(): void {
    this.#count = 0;
  }

  rowAt(row: number): NumberRow {
    return { numbers: this.#chunks[Math.floor(row / CHUNK_ROWS)], at: this.#placeOf(row) };
  }

  #placeOf(row: number): number {
    return (row % CHUNK_ROWS) * this.#width;
  }
}

/** Numbers of a row, from `at` on, among others. */
export interface NumberRow {
  readonly numbers: Float64Array;
  readonly at: number;
}

/**
 * How much the cells of a grid count for places: of each place some runs of consecutive cells with one weight each, in
 * ascending order of cells.
 */
export interface CellWeights {
  /** The number of cells of the grid. */
  readonly cells: number;
  /** For each place, where its runs begin; and at the end, their number. */
  readonly starts: Int32Array;
  /** Of each run the first cell, the number of cells, and the weight of each cell. */
  readonly first: Int32Array;
  readonly count: Int32Array;
  readonly weight: Float64Array;
}

/** Neighbours whose weights differ by less than this share are one run: they differ by rounding alone. */
const SAME = 1e-12;

/** Collects the weights of one place after the other. */
export class WeightsBuilder {
  readonly #cells: number;
  readonly #starts: number[] = [0];
  readonly #first: number[] = [];
  readonly #count: number[] = [];
  readonly #weight: number[] = [];

  constructor(cells: number) {
    this.#cells = cells;
  }

  /** Adds a cell of the present place; cells ascend. */
  add(cell: number, weight: number): void {
    const last = this.#first.length - 1;
    const isOfPlace = last >= this.#starts[this.#starts.length - 1];
    if (isOfPlace && this.#first[last] + this.#count[last] === cell) {
      if (Math.abs(this.#weight[last] - weight) <= SAME * weight) {
        this.#count[last]++;
        return;
      }
    }
    this.#first.push(cell);
    this.#count.push(1);
    this.#weight.push(weight);
  }

  /** Ends the present place. */
  end(): void {
    this.#starts.push(this.#first.length);
  }

  build(): CellWeights {
    return {
      cells: this.#cells,
      starts: Int32Array.from(this.#starts),
      first: Int32Array.from(this.#first),
      count: Int32Array.from(this.#count),
      weight: Float64Array.from(this.#weight),
    };
  }
}

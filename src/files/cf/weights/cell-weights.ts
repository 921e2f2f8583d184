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
/** Runs for which there is room at first. */
const INITIAL_RUNS = 1024;

/** Collects the weights of one place after the other. */
export class WeightsBuilder {
  readonly #cells: number;
  readonly #starts: number[] = [0];
  /** Runs that are there, of those for which there is room. */
  #length = 0;
  #first = new Int32Array(INITIAL_RUNS);
  #count = new Int32Array(INITIAL_RUNS);
  #weight = new Float64Array(INITIAL_RUNS);

  constructor(cells: number) {
    this.#cells = cells;
  }

  /** Adds a cell of the present place; cells ascend. */
  add(cell: number, weight: number): void {
    const last = this.#length - 1;
    const isOfPlace = last >= this.#starts[this.#starts.length - 1];
    if (isOfPlace && this.#first[last] + this.#count[last] === cell) {
      if (Math.abs(this.#weight[last] - weight) <= SAME * weight) {
        this.#count[last]++;
        return;
      }
    }
    if (this.#length === this.#first.length) {
      this.#first = grown(this.#first, new Int32Array(2 * this.#length));
      this.#count = grown(this.#count, new Int32Array(2 * this.#length));
      this.#weight = grown(this.#weight, new Float64Array(2 * this.#length));
    }
    this.#first[this.#length] = cell;
    this.#count[this.#length] = 1;
    this.#weight[this.#length++] = weight;
  }

  /** Ends the present place. */
  end(): void {
    this.#starts.push(this.#length);
  }

  build(): CellWeights {
    return {
      cells: this.#cells,
      starts: Int32Array.from(this.#starts),
      first: this.#first.slice(0, this.#length),
      count: this.#count.slice(0, this.#length),
      weight: this.#weight.slice(0, this.#length),
    };
  }
}

function grown<Values extends Int32Array | Float64Array>(values: Values, into: Values): Values {
  into.set(values);
  return into;
}

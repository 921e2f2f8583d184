import type { Block } from '../grid-ensemble.js';
import type { CellWeights } from './cell-weights.js';

/** Runs of consecutive cells of one weight, in the order of their first cells. */
export interface Runs {
  readonly length: number;
  /** Of each run the place, counted from the block's first, the first cell, the number of cells, and their weight. */
  readonly place: Int32Array;
  readonly cell: Int32Array;
  readonly count: Int32Array;
  readonly weight: Float64Array;
}

/** The cells of a block that runs need. */
export interface NeededCells {
  /** The block's first cell, and the number of its cells. */
  readonly cell: number;
  readonly count: number;
  /** Each needed cell once, ascending, counted from the block's first. */
  readonly cells: Int32Array;
  /** The parts of the runs in the block, whose cells are counted in `cells`. */
  readonly runs: Runs;
}

type Cells = Pick<Block, 'cell' | 'cells'>;

/** Runs are sorted by counting where they are at least this share of all cells. */
const MANY = 1 / 16;

/**
 * The runs of places in the order of their cells: memory is read ahead in this order. The cells of a place ascend, so
 * that sums stay the same. What was found last is kept, as blocks of the same places and cells follow each other.
 */
export class OrderedRuns {
  readonly #weights: CellWeights;
  #places: (Cells & { readonly runs: Runs }) | undefined;
  #needed: NeededCells | undefined;

  constructor(weights: CellWeights) {
    this.#weights = weights;
  }

  /** The runs of a range of places. */
  of({ cell, cells }: Cells): Runs {
    if (this.#places?.cell !== cell || this.#places.cells !== cells) {
      this.#places = { cell, cells, runs: runsOf(this.#weights, { cell, cells }) };
      this.#needed = undefined;
    }
    return this.#places.runs;
  }

  /** The cells of a block that a range of places needs. */
  needed(places: Cells, { cell, cells }: Cells): NeededCells {
    const runs = this.of(places);
    if (this.#needed?.cell !== cell || this.#needed.count !== cells) this.#needed = neededCells(runs, cell, cells);
    return this.#needed;
  }
}

function runsOf({ cells: all, starts, first, count, weight }: CellWeights, { cell, cells }: Cells): Runs {
  const [begin, end] = [starts[cell], starts[cell + cells]];
  const length = end - begin;
  const places = new Int32Array(length);
  for (let place = 0; place < cells; place++) {
    places.fill(place, starts[cell + place] - begin, starts[cell + place + 1] - begin);
  }
  const order = (length >= all * MANY ? countedOrder : sortedOrder)(first.subarray(begin, end), all);
  const runs = emptyRuns(length);
  for (let run = 0; run < length; run++) {
    const i = order[run];
    runs.place[run] = places[i];
    runs.cell[run] = first[begin + i];
    runs.count[run] = count[begin + i];
    runs.weight[run] = weight[begin + i];
  }
  return runs;
}

/** The order in which cells ascend; equal ones keep theirs. */
function countedOrder(cells: Int32Array, all: number): Int32Array {
  const next = new Int32Array(all + 1);
  for (let i = 0; i < cells.length; i++) next[cells[i] + 1]++;
  for (let cell = 0; cell < all; cell++) next[cell + 1] += next[cell];
  const order = new Int32Array(cells.length);
  for (let i = 0; i < cells.length; i++) order[next[cells[i]]++] = i;
  return order;
}

/** The same, for few of many cells. */
function sortedOrder(cells: Int32Array): Int32Array {
  const { length } = cells;
  // Numbers are sorted far faster than objects: the cell, and the place in the list below it.
  const keys = new Float64Array(length);
  for (let i = 0; i < length; i++) keys[i] = cells[i] * length + i;
  keys.sort();
  const order = new Int32Array(length);
  for (let i = 0; i < length; i++) order[i] = keys[i] % length;
  return order;
}

function neededCells(all: Runs, cell: number, count: number): NeededCells {
  const runs = clippedRuns(all, { cell, cells: count });
  const cells = new Int32Array(count);
  let [length, end] = [0, 0];
  for (let run = 0; run < runs.length; run++) {
    const first = runs.cell[run];
    const last = first + runs.count[run];
    for (let next = Math.max(end, first); next < last; next++) cells[length++] = next;
    end = Math.max(end, last);
    // Runs ascend, so that all cells from the first of this one to `end` are there.
    runs.cell[run] = length - (end - first);
  }
  return { cell, count, runs, cells: cells.slice(0, length) };
}

/** The parts of runs that are in a block, their cells counted from the block's first. */
export function clippedRuns(all: Runs, { cell, cells }: Pick<Block, 'cell' | 'cells'>): Runs {
  const runs = emptyRuns(all.length);
  let length = 0;
  for (let run = 0; run < all.length; run++) {
    const from = Math.max(all.cell[run], cell);
    const count = Math.min(all.cell[run] + all.count[run], cell + cells) - from;
    if (count <= 0) continue;
    runs.place[length] = all.place[run];
    runs.cell[length] = from - cell;
    runs.count[length] = count;
    runs.weight[length] = all.weight[run];
    length++;
  }
  return { ...runs, length };
}

function emptyRuns(length: number): Runs {
  const [place, cell, count] = [new Int32Array(length), new Int32Array(length), new Int32Array(length)];
  return { length, place, cell, count, weight: new Float64Array(length) };
}

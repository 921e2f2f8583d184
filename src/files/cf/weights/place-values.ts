import type { EnsembleField } from '../../../core/field.js';
import type { MemberColumn } from '../../../core/member-column.js';
import { type FloatArray, type FloatType, floatArray } from '../../../core/number-arrays.js';
import { firstFrom } from '../../../ensemble/first-from.js';
import type { Block } from '../grid-ensemble.js';
import { clippedRuns, type NeededCells, type OrderedRuns, type Runs } from './ordered-runs.js';

/**
 * What becomes of the values of the cells of a place: the value of its only cell, their weighted mean, the smallest or
 * the largest of them, or the share of the weight whose cells fulfil a condition.
 */
type PlaceStatistic = 'value' | 'mean' | 'min' | 'max' | ((value: number) => boolean);

/** How the values of places are made of the values of cells. */
export interface Weighing {
  readonly runs: OrderedRuns;
  readonly statistic: PlaceStatistic;
  /** The weight that each place would have if all of its cells had a value. */
  readonly whole: Float64Array;
  /** The share of it that cells with a value must have: below that, the value of the place is missing. */
  readonly minShare: number;
  /** What is added to the values of each place. */
  readonly added?: Float64Array | undefined;
}

/** A share that is smaller by rounding alone is enough. */
const ROUNDING = 1e-9;

/** The values of one member on one day: where the first cell's is, and where the first place's result goes. */
interface Layer {
  readonly values: FloatArray;
  readonly at: number;
  readonly to: number;
}

/**
 * The daily values of the places of a block, which come from blocks of cells in ascending order: each sum takes the cells
 * one by one, so that it does not depend on how they are divided.
 */
export class PlaceValues {
  readonly #weighing: Weighing;
  readonly #block: Block;
  readonly #type: FloatType;
  readonly #members: number;
  /** For each member and day the places. */
  readonly #totals: FloatArray;
  /** The weight of the cells without a value. */
  readonly #missing: Float64Array;
  readonly #runs: Runs;
  /** Where places have the value of one cell, these cells, ascending. */
  readonly #cells: Int32Array | undefined;
  readonly #places: Int32Array;

  constructor(weighing: Weighing, block: Block, members: number, type: FloatType) {
    this.#weighing = weighing;
    this.#block = block;
    this.#type = type;
    this.#members = members;
    const length = members * block.cells * block.days;
    const { statistic } = weighing;
    const first = { value: Number.NaN, mean: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    const totals = statistic === 'value' ? floatArray(type, length) : new Float64Array(length);
    this.#totals = totals.fill(typeof statistic === 'function' ? 0 : first[statistic]);
    this.#missing = new Float64Array(statistic === 'value' ? 0 : length);
    this.#runs = weighing.runs.of(block);
    if (statistic === 'value') this.#cells = this.#runs.cell;
    this.#places = this.#runs.place;
  }

  /** The range of cells between two that are needed; empty where none is. */
  cellsWithin(from: number, to: number): readonly [number, number] {
    if (this.#cells !== undefined) {
      const [first, end] = [firstFrom(this.#cells, from), firstFrom(this.#cells, to)];
      return first < end ? [this.#cells[first], this.#cells[end - 1] + 1] : [from, from];
    }
    let [first, end] = [to, from];
    const { length, cell, count } = this.#runs;
    for (let run = 0; run < length && cell[run] < to; run++) {
      const last = cell[run] + count[run];
      if (last <= from) continue;
      first = Math.min(first, Math.max(from, cell[run]));
      end = Math.max(end, Math.min(to, last));
    }
    return first < end ? [first, end] : [from, from];
  }

  /** Adds the values of cells: `field` has the values of `block`. */
  add(field: EnsembleField, block: Block): void {
    const { cells: places, days } = this.#block;
    const [cellStride, dayStride] = field.order === 'day-fastest' ? [field.days, 1] : [1, field.cells];
    const layers = field.members.flatMap((member, m) => {
      const values = contiguous(member, field.type);
      const first = m * days + block.day - this.#block.day;
      return Array.from({ length: block.days }, (_, day): Layer => {
        return { values, at: day * dayStride, to: (first + day) * places };
      });
    });
    if (this.#cells !== undefined) {
      const { cells, places: of } = this.#onlyCells(block);
      copyCells(
        layers,
        cells.map((cell) => (cell - block.cell) * cellStride),
        of,
        this.#totals,
      );
      return;
    }
    this.#addRuns(layers, clippedRuns(this.#runs, block), cellStride);
  }

  /** The cells that are needed of a block, each once, ascending, counted from its first. */
  chosenCells(block: Block): Int32Array {
    return this.#neededCells(block).cells;
  }

  /** Adds the values of these cells: of each member the cells of each day of `block`. */
  addChosen(chosen: readonly FloatArray[], block: Block): void {
    const { cells, runs } = this.#neededCells(block);
    const width = cells.length;
    const { cells: count, day, days } = this.#block;
    const layers = chosen.flatMap((values, m) =>
      Array.from({ length: block.days }, (_, d): Layer => {
        return { values, at: d * width, to: (m * days + block.day - day + d) * count };
      }),
    );
    this.#addRuns(layers, runs, 1);
  }

  #neededCells(block: Block): NeededCells {
    return this.#weighing.runs.needed(this.#block, block);
  }

  #addRuns(layers: readonly Layer[], runs: Runs, cellStride: number): void {
    const { statistic } = this.#weighing;
    const target = { totals: this.#totals, missing: this.#missing };
    if (statistic === 'mean') addCells(layers, runs, cellStride, target);
    else if (statistic !== 'value') visitCells(layers, runs, cellStride, target, visitorOf(statistic));
  }

  #onlyCells({ cell, cells }: Block): { readonly cells: Int32Array; readonly places: Int32Array } {
    const all = this.#cells as Int32Array;
    const [first, end] = [firstFrom(all, cell), firstFrom(all, cell + cells)];
    return { cells: all.subarray(first, end), places: this.#places.subarray(first, end) };
  }

  /** Whether no cell is without a value. */
  get isComplete(): boolean {
    return this.#missing.every((weight) => weight === 0);
  }

  /** For each member and day the places: the share of the weight of the place whose cells have a value. */
  shares(): Float64Array {
    const { cell } = this.#block;
    const covered = this.#covered();
    const { whole } = this.#weighing;
    return this.#missing.map((missing, i) => {
      const place = i % covered.length;
      return Math.max(0, covered[place] - missing) / whole[cell + place];
    });
  }

  /** The weight of all cells of each place. */
  #covered(): Float64Array {
    const covered = new Float64Array(this.#block.cells);
    const { length, place, count, weight } = this.#runs;
    for (let run = 0; run < length; run++) {
      for (let c = 0; c < count[run]; c++) covered[place[run]] += weight[run];
    }
    return covered;
  }

  /** The values of each member: the places of each day. */
  end(): readonly FloatArray[] {
    const { statistic, whole, minShare, added } = this.#weighing;
    const { cell, cells, days } = this.#block;
    const covered = this.#covered();
    const isDivided = statistic === 'mean' || typeof statistic === 'function';
    return Array.from({ length: this.#members }, (_, m) => {
      const length = cells * days;
      if (statistic === 'value' && added === undefined) return this.#totals.subarray(m * length, (m + 1) * length);
      const values = floatArray(this.#type, length);
      for (let i = 0, at = m * length; i < length; i++, at++) {
        const place = i % cells;
        const more = added?.[cell + place] ?? 0;
        const total = this.#totals[at];
        if (statistic === 'value') {
          values[i] = total + more;
          continue;
        }
        const valid = covered[place] - this.#missing[at];
        const isEnough = valid > ROUNDING * covered[place] && valid >= whole[cell + place] * (minShare - ROUNDING);
        values[i] = isEnough ? (isDivided ? total / valid : total) + more : Number.NaN;
      }
      return values;
    });
  }
}

/** The values of a member as one array. */
function contiguous(member: MemberColumn, type: FloatType): FloatArray {
  const [only] = member.chunks;
  if (member.chunks.length === 1 && only.bitmap === undefined) return only.values;
  const values = floatArray(type, member.length);
  member.copyTo(values, 0, 0, member.length);
  return values;
}

/** Where sums go. */
interface Target {
  readonly totals: FloatArray;
  readonly missing: Float64Array;
}

/** Copies the only cell of each place. */
function copyCells(layers: readonly Layer[], cells: Int32Array, places: Int32Array, totals: FloatArray): void {
  for (const { values, at, to } of layers) {
    for (let i = 0; i < cells.length; i++) totals[to + places[i]] = values[at + cells[i]];
  }
}

/** Adds four layers at a time, as each addition waits for the one before it. */
function addCells(layers: readonly Layer[], runs: Runs, cellStride: number, target: Target): void {
  const { totals } = target;
  const last = layers.length - 1;
  for (let l = 0; l <= last; l += 4) {
    const [one, two, three, four] = [0, 1, 2, 3].map((more) => layers[Math.min(last, l + more)]);
    const [a, b, c, d] = [one.values, two.values, three.values, four.values];
    const some = layers.slice(l, l + 4);
    for (let run = 0; run < runs.length; run++) {
      const place = runs.place[run];
      const count = runs.count[run];
      const weight = runs.weight[run];
      const first = runs.cell[run] * cellStride;
      let i = one.at + first;
      let j = two.at + first;
      let k = three.at + first;
      let n = four.at + first;
      let ofOne = totals[one.to + place];
      let ofTwo = totals[two.to + place];
      let ofThree = totals[three.to + place];
      let ofFour = totals[four.to + place];
      for (let cell = 0; cell < count; cell++) {
        ofOne += weight * a[i];
        ofTwo += weight * b[j];
        ofThree += weight * c[k];
        ofFour += weight * d[n];
        i += cellStride;
        j += cellStride;
        k += cellStride;
        n += cellStride;
      }
      if (Number.isNaN(ofOne + ofTwo + ofThree + ofFour)) {
        for (const layer of some) addPresent(layer, runs, run, cellStride, target);
        continue;
      }
      // Beyond the last layer these are its own once more.
      totals[four.to + place] = ofFour;
      totals[three.to + place] = ofThree;
      totals[two.to + place] = ofTwo;
      totals[one.to + place] = ofOne;
    }
  }
}

/** Adds the cells of a run that have a value, and the weight of the others. */
function addPresent({ values, at, to }: Layer, runs: Runs, run: number, cellStride: number, target: Target): void {
  const [count, weight] = [runs.count[run], runs.weight[run]];
  const place = to + runs.place[run];
  let total = target.totals[place];
  let missing = target.missing[place];
  for (let cell = 0, i = at + runs.cell[run] * cellStride; cell < count; cell++, i += cellStride) {
    const value = values[i];
    if (Number.isNaN(value)) missing += weight;
    else total += weight * value;
  }
  // Infinities of both signs: statistics reject an infinite value, and would take NaN for a missing one.
  target.totals[place] = Number.isNaN(total) ? Number.POSITIVE_INFINITY : total;
  target.missing[place] = missing;
}

/** The total after a cell, from the total before it. */
type Visitor = (total: number, value: number, weight: number) => number;

function visitorOf(statistic: 'min' | 'max' | ((value: number) => boolean)): Visitor {
  if (statistic === 'min') return (total, value) => (value < total ? value : total);
  if (statistic === 'max') return (total, value) => (value > total ? value : total);
  return (total, value, weight) => (statistic(value) ? total + weight : total);
}

function visitCells(layers: readonly Layer[], runs: Runs, cellStride: number, target: Target, next: Visitor): void {
  const { totals, missing } = target;
  for (const { values, at, to } of layers) {
    for (let run = 0; run < runs.length; run++) {
      const [cell, count, weight] = [runs.cell[run], runs.count[run], runs.weight[run]];
      const into = to + runs.place[run];
      let total = totals[into];
      let absent = missing[into];
      for (let c = 0, i = at + cell * cellStride; c < count; c++, i += cellStride) {
        const value = values[i];
        if (Number.isNaN(value)) absent += weight;
        else total = next(total, value, weight);
      }
      totals[into] = total;
      missing[into] = absent;
    }
  }
}

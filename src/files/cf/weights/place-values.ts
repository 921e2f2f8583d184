import type { EnsembleField } from '../../../core/field.js';
import type { MemberColumn } from '../../../core/member-column.js';
import { type FloatArray, type FloatType, floatArray } from '../../../core/number-arrays.js';
import type { Block } from '../grid-ensemble.js';
import type { CellWeights } from './cell-weights.js';

/**
 * What becomes of the values of the cells of a place: the value of its only cell, their weighted mean, the smallest or
 * the largest of them, or the share of the weight whose cells fulfil a condition.
 */
type PlaceStatistic = 'value' | 'mean' | 'min' | 'max' | ((value: number) => boolean);

/** How the values of places are made of the values of cells. */
export interface Weighing {
  readonly weights: CellWeights;
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

/** Some consecutive cells of one weight, of a place that is counted from the block's first. */
interface Run {
  readonly place: number;
  readonly cell: number;
  readonly count: number;
  readonly weight: number;
}

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
  /** For each member and place the days. */
  readonly #totals: Float64Array;
  /** The weight of the cells without a value. */
  readonly #missing: Float64Array;
  readonly #runs: readonly Run[];

  constructor(weighing: Weighing, block: Block, members: number, type: FloatType) {
    this.#weighing = weighing;
    this.#block = block;
    this.#type = type;
    this.#members = members;
    const length = members * block.cells * block.days;
    const { statistic } = weighing;
    const first = { value: Number.NaN, mean: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
    this.#totals = new Float64Array(length).fill(typeof statistic === 'function' ? 0 : first[statistic]);
    this.#missing = new Float64Array(statistic === 'value' ? 0 : length);
    this.#runs = runsOf(weighing.weights, block);
  }

  /** The range of cells between two that are needed; empty where none is. */
  cellsWithin(from: number, to: number): readonly [number, number] {
    let [first, end] = [to, from];
    for (const { cell, count } of this.#runs) {
      if (cell >= to || cell + count <= from) continue;
      first = Math.min(first, Math.max(from, cell));
      end = Math.max(end, Math.min(to, cell + count));
    }
    return first < end ? [first, end] : [from, from];
  }

  /** Adds the values of cells: `field` has the values of `block`. */
  add(field: EnsembleField, block: Block): void {
    const { statistic } = this.#weighing;
    const { cells: places, days } = this.#block;
    const runs = this.#runs.flatMap((run) => clipped(run, block));
    const [cellStride, dayStride] = field.order === 'day-fastest' ? [field.days, 1] : [1, field.cells];
    const layers = field.members.flatMap((member, m) => {
      const values = contiguous(member, field.type);
      const to = m * places * days + block.day - this.#block.day;
      return Array.from({ length: block.days }, (_, day): Layer => ({ values, at: day * dayStride, to: to + day }));
    });
    const target = { totals: this.#totals, missing: this.#missing, stride: days };
    if (statistic === 'value') copyCells(layers, runs, cellStride, target);
    else if (statistic === 'mean') addCells(layers, runs, cellStride, target);
    else visitCells(layers, runs, cellStride, target, visitorOf(statistic));
  }

  /** For each member and place the days: the share of the weight of the place whose cells have a value. */
  shares(): Float64Array {
    const { cell, days } = this.#block;
    const covered = this.#covered();
    const { whole } = this.#weighing;
    return this.#missing.map((missing, i) => {
      const place = Math.floor(i / days) % covered.length;
      return Math.max(0, covered[place] - missing) / whole[cell + place];
    });
  }

  /** The weight of all cells of each place. */
  #covered(): Float64Array {
    const covered = new Float64Array(this.#block.cells);
    for (const { place, count, weight } of this.#runs) for (let c = 0; c < count; c++) covered[place] += weight;
    return covered;
  }

  /** The values of each member: the days of each place. */
  end(): readonly FloatArray[] {
    const { statistic, whole, minShare, added } = this.#weighing;
    const { cell, cells, days } = this.#block;
    const covered = this.#covered();
    const isDivided = statistic === 'mean' || typeof statistic === 'function';
    return Array.from({ length: this.#members }, (_, m) => {
      const values = floatArray(this.#type, cells * days);
      for (let i = 0, at = m * values.length; i < values.length; i++, at++) {
        const place = Math.floor(i / days);
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

function runsOf({ starts, first, count, weight }: CellWeights, { cell, cells }: Block): Run[] {
  const runs: Run[] = [];
  for (let place = 0; place < cells; place++) {
    for (let run = starts[cell + place]; run < starts[cell + place + 1]; run++) {
      runs.push({ place, cell: first[run], count: count[run], weight: weight[run] });
    }
  }
  return runs;
}

/** The part of a run that is in a block, its cells counted from the block's first. */
function clipped(run: Run, { cell, cells }: Block): Run | [] {
  const from = Math.max(run.cell, cell);
  const count = Math.min(run.cell + run.count, cell + cells) - from;
  return count > 0 ? { ...run, cell: from - cell, count } : [];
}

/** The values of a member as one array. */
function contiguous(member: MemberColumn, type: FloatType): FloatArray {
  const [only] = member.chunks;
  if (member.chunks.length === 1 && only.bitmap === undefined) return only.values;
  const values = floatArray(type, member.length);
  member.copyTo(values, 0, 0, member.length);
  return values;
}

/** Where sums go: `stride` is the distance from one place to the next. */
interface Target {
  readonly totals: Float64Array;
  readonly missing: Float64Array;
  readonly stride: number;
}

function copyCells(layers: readonly Layer[], runs: readonly Run[], cellStride: number, { totals, stride }: Target) {
  for (const { values, at, to } of layers) {
    for (const { place, cell } of runs) totals[to + place * stride] = values[at + cell * cellStride];
  }
}

/** Adds four layers at a time, as each addition waits for the one before it. */
function addCells(layers: readonly Layer[], runs: readonly Run[], cellStride: number, target: Target): void {
  const { totals, stride } = target;
  const last = layers.length - 1;
  for (let l = 0; l <= last; l += 4) {
    const [one, two, three, four] = [0, 1, 2, 3].map((more) => layers[Math.min(last, l + more)]);
    const [a, b, c, d] = [one.values, two.values, three.values, four.values];
    const some = layers.slice(l, l + 4);
    for (const run of runs) {
      const { weight, count } = run;
      const place = run.place * stride;
      const first = run.cell * cellStride;
      let [i, j, k, n] = [one.at + first, two.at + first, three.at + first, four.at + first];
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
        for (const layer of some) addPresent(layer, run, cellStride, target);
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
function addPresent({ values, at, to }: Layer, run: Run, cellStride: number, target: Target): void {
  const { weight, count } = run;
  const place = to + run.place * target.stride;
  let total = target.totals[place];
  let missing = target.missing[place];
  for (let cell = 0, i = at + run.cell * cellStride; cell < count; cell++, i += cellStride) {
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

function visitCells(
  layers: readonly Layer[],
  runs: readonly Run[],
  cellStride: number,
  target: Target,
  next: Visitor,
): void {
  const { totals, missing, stride } = target;
  for (const { values, at, to } of layers) {
    for (const { place, cell, count, weight } of runs) {
      const into = to + place * stride;
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

import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray, valueBytes } from '../core/number-arrays.js';
import type { WindowTable } from '../period/period.js';
import type { Statistic } from './statistic.js';
import type { StatisticsRequest } from './statistics-request.js';
import type { Lanes } from './tiles.js';

/**
 * Statistics over members, one entry for each cell and window, in the order of the input: by cell and then window where
 * the day is fastest, by window and then cell where the cell is. NaN where too few members are valid.
 */
export interface StatisticsColumns {
  readonly length: number;
  readonly mean: FloatArray;
  /** Standard deviation with n - 1; NaN for a single member. */
  readonly spread?: FloatArray;
  /** One array for each requested quantile. */
  readonly quantiles: readonly FloatArray[];
  /** One array for each threshold: the share of valid members that exceed it, both rounded to the field's type. */
  readonly probabilities: readonly FloatArray[];
  /**
   * For each requested set of categories, one array for each category, from the lowest: the share of valid members in
   * it.
   */
  readonly categories: readonly (readonly FloatArray[])[];
  /** The number of valid members. */
  readonly members: Int32Array;
}

/** Columns shorter than this share one buffer: allocating them one by one takes longer than computing them. */
const SHORT_COLUMN = 512;

/** New columns for the results of a request. */
export function emptyColumns(
  { type, cells }: Pick<EnsembleField, 'type' | 'cells'>,
  windows: Pick<WindowTable, 'count'>,
  request: StatisticsRequest,
): StatisticsColumns {
  const length = cells * windows.count;
  if (length >= SHORT_COLUMN) return statisticsColumns(request, () => floatArray(type, length), new Int32Array(length));
  const bytes = length * valueBytes(type);
  const buffer = new ArrayBuffer(bytes * columnCount(request) + 4 * length);
  let next = 0;
  const column = () => {
    const from = next;
    next += bytes;
    return new (type === 'float32' ? Float32Array : Float64Array)(buffer, from, length);
  };
  return statisticsColumns(request, column, new Int32Array(buffer, buffer.byteLength - 4 * length, length));
}

/** The columns of a request, each made by `column`. */
export function statisticsColumns(
  { quantiles, thresholds, spread, categories = [] }: StatisticsRequest,
  column: () => FloatArray,
  members: Int32Array,
): StatisticsColumns {
  return {
    length: members.length,
    mean: column(),
    spread: spread ? column() : undefined,
    quantiles: quantiles.map(column),
    probabilities: thresholds.map(column),
    categories: categories.map(({ limits }) => [column(), ...limits.map(column)]),
    members,
  };
}

/** All columns but that of members, in the order in which they are made and the kernels write them. */
export function valueColumns({ mean, spread, quantiles, probabilities, categories }: StatisticsColumns): FloatArray[] {
  return [mean, ...(spread ? [spread] : []), ...quantiles, ...probabilities, ...categories.flat()];
}

/** A statistic, and its values among the columns of results. */
type OfColumns = readonly [statistic: Statistic, valuesOf: (columns: StatisticsColumns) => FloatArray];

/** The statistics of a request in the order of tables, without the number of members. */
export function statisticsInOrder({
  quantiles,
  thresholds,
  spread,
}: Pick<StatisticsRequest, 'quantiles' | 'thresholds' | 'spread'>): readonly OfColumns[] {
  const ofSpread: OfColumns = [{ kind: 'spread' }, (all) => all.spread as FloatArray];
  return [
    [{ kind: 'mean' }, ({ mean }) => mean],
    ...quantiles.map((probability, k): OfColumns => [{ kind: 'quantile', probability }, (all) => all.quantiles[k]]),
    ...(spread ? [ofSpread] : []),
    ...thresholds.map((threshold, k): OfColumns => [{ kind: 'exceedance', threshold }, (all) => all.probabilities[k]]),
  ];
}

/** The number of columns of a request, not counting that of members. */
export function columnCount(request: StatisticsRequest): number {
  let count = 0;
  statisticsColumns(request, () => count++ as never, [] as never);
  return count;
}

/** The number of results that are collected before they are copied out. */
export const BLOCK_LANES = 4096;
/** The kernels may write this many lanes more than requested. */
const SLACK = 8;
/** Fewer words than this are copied one by one: creating a view takes as long. */
const FEW = 64;

/**
 * Collects results in the core's memory, a row for each array, and copies those of several tiles to the arrays at a
 * time.
 */
export class ResultBlock {
  /** Where the rows of results lie. */
  readonly address: number;
  /** Bytes between them. */
  readonly outBytes: number;
  readonly #core: Core;
  #arrays: readonly FloatArray[];
  #counts: Int32Array;
  readonly #countsAt: number;
  readonly #lanes: number;
  readonly #size: number;
  /** The results that are collected and not copied yet. */
  #from = 0;
  #to = 0;

  /** Takes scratch from the core's memory; a tile has at most `tileLanes` lanes. */
  constructor(core: Core, arrays: readonly FloatArray[], counts: Int32Array, tileLanes: number) {
    this.#core = core;
    this.#arrays = arrays;
    this.#counts = counts;
    this.#lanes = Math.max(tileLanes, Math.min(BLOCK_LANES, counts.length));
    this.#size = arrays[0].BYTES_PER_ELEMENT;
    this.outBytes = (this.#lanes + (this.#lanes % 2) + SLACK) * this.#size;
    this.address = core.memory.scratch(this.outBytes * arrays.length);
    this.#countsAt = core.memory.scratch((this.#lanes + SLACK) * 4);
  }

  /** Begins anew with other arrays, of the same type, number and length. */
  begin(arrays: readonly FloatArray[], counts: Int32Array): void {
    this.#arrays = arrays;
    this.#counts = counts;
    this.#from = 0;
    this.#to = 0;
  }

  /** The addresses for the next tile's results and counts; tiles come in order, but some may be skipped. */
  place({ lane, lanes }: Lanes): { out: number; counts: number } {
    if (lane !== this.#to || lane + lanes - this.#from > this.#lanes) {
      this.flush();
      this.#from = lane;
    }
    this.#to = lane + lanes;
    const at = lane - this.#from;
    return { out: this.address + at * this.#size, counts: this.#countsAt + at * 4 };
  }

  /** Copies the collected results to the arrays. */
  flush(): void {
    const count = this.#to - this.#from;
    if (count === 0) return;
    this.#arrays.forEach((array, k) => {
      this.#copy(this.address + k * this.outBytes, count * this.#size, array);
    });
    this.#copy(this.#countsAt, count * 4, this.#counts);
    this.#from = this.#to;
  }

  /** Copies to an array, in words. */
  #copy(address: number, bytes: number, to: FloatArray | Int32Array): void {
    const from = this.#core.memory.whole('int32');
    const words = bytes / 4;
    const target = new Int32Array(to.buffer, to.byteOffset + this.#from * to.BYTES_PER_ELEMENT, words);
    const first = address / 4;
    if (words < FEW || (address | target.byteOffset) % 8 !== 0) copyWords(from, first, words, target);
    else target.set(from.subarray(first, first + words));
  }
}

/**
 * Copies four words at a time, as engines do not unroll such a loop. For shared memory, `set` is several times slower
 * than this unless both sides begin at multiples of eight bytes.
 */
function copyWords(from: Int32Array, first: number, words: number, to: Int32Array): void {
  let i = 0;
  for (; i + 4 <= words; i += 4) {
    to[i] = from[first + i];
    to[i + 1] = from[first + i + 1];
    to[i + 2] = from[first + i + 2];
    to[i + 3] = from[first + i + 3];
  }
  for (; i < words; i++) to[i] = from[first + i];
}

import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import { copyFiniteRows } from '../../ensemble/finite-rows.js';
import type { Horizon } from '../horizon.js';
import { placed } from './member-source.js';

/** Consecutive days, day numbers: from `from` up to `to` (exclusive). */
export interface DayRange {
  readonly from: number;
  readonly to: number;
}

/** Values of a horizon's members at some cells on some days, NaN where missing. */
export class SampledValues {
  readonly members: number;
  readonly #days: DayRange;
  readonly #cells: number;
  /** By member, cell and day. */
  readonly #values: FloatArray;

  /** Copies `cells` of a horizon. Throws DataError for an infinite value. */
  constructor(horizon: Horizon, cells: Int32Array, days: DayRange) {
    const field = placed(horizon);
    const { members, firstDay } = field;
    const span = days.to - days.from;
    this.members = members.length;
    this.#days = days;
    this.#cells = cells.length;
    this.#values = floatArray(field.type, members.length * cells.length * span).fill(Number.NaN);
    const from = Math.max(days.from, firstDay);
    const count = Math.min(days.to, firstDay + field.days) - from;
    if (count <= 0) return;
    const first = from - firstDay;
    for (let m = 0, at = from - days.from; m < members.length; m++) {
      for (let c = 0; c < cells.length; c++, at += span) {
        const row = cells[c] * field.days + first;
        members[m].copyTo(this.#values, at, row, row + count);
      }
    }
    const infinite = this.#values.findIndex((value) => Math.abs(value) === Number.POSITIVE_INFINITY);
    if (infinite < 0) return;
    const [m, c] = [Math.floor(infinite / span / cells.length), Math.floor(infinite / span) % cells.length];
    copyFiniteRows(field, m, cells[c] * field.days + first, floatArray(field.type, count));
  }

  /**
   * The departures of some members, which may be repeated, from their mean on each day at some cells, by member, day and
   * cell; 0 where missing.
   */
  departures(members: Int32Array, cells: readonly number[], { from, to }: DayRange): Float64Array {
    const span = to - from;
    const places = cells.length * span;
    const sums = new Float64Array(places);
    const counts = new Int32Array(places);
    const departures = new Float64Array(members.length * places);
    for (const isSummed of [false, true]) {
      for (let m = 0; m < members.length; m++) {
        for (let c = 0, place = 0; c < cells.length; c++) {
          const at = this.#at(members[m], cells[c], from);
          for (let d = 0; d < span; d++, place++) {
            const value = this.#values[at + d];
            if (Number.isNaN(value)) continue;
            if (isSummed) departures[m * places + d * cells.length + c] = value - sums[place] / counts[place];
            else {
              sums[place] += value;
              counts[place]++;
            }
          }
        }
      }
    }
    return departures;
  }

  value(member: number, cell: number, day: number): number {
    return day < this.#days.from || day >= this.#days.to ? Number.NaN : this.#values[this.#at(member, cell, day)];
  }

  #at(member: number, cell: number, day: number): number {
    return (member * this.#cells + cell) * (this.#days.to - this.#days.from) + day - this.#days.from;
  }
}

/** Departures of members from their ensemble's mean on each day, in standard deviations; 0 where missing. */
export interface Anomalies {
  readonly members: number;
  readonly days: DayRange;
  readonly cells: number;
  /** By member, day and cell. */
  readonly values: Float64Array;
}

/**
 * The anomalies of some members, which may be repeated, at some of the sampled cells. They are not yet divided by
 * standard deviations.
 */
export function departures(
  sampled: SampledValues,
  members: Int32Array,
  cells: readonly number[],
  days: DayRange,
): Anomalies {
  return { members: members.length, days, cells: cells.length, values: sampled.departures(members, cells, days) };
}

/**
 * Divides the anomalies of two ensembles by the standard deviation of both at each cell, over the days on which they are
 * compared. A cell that does not vary counts 0.
 */
export function standardize(
  earlier: Anomalies,
  later: Anomalies,
  compared: { readonly earlier: DayRange; readonly later: DayRange },
): void {
  const variance = new Float64Array(earlier.cells);
  addVariance(variance, earlier, compared.earlier);
  addVariance(variance, later, compared.later);
  const scale = variance.map((square) => (square > 0 ? 1 / Math.sqrt(square) : 0));
  for (const { values, cells } of [earlier, later]) {
    for (let i = 0; i < values.length; ) for (let c = 0; c < cells; c++, i++) values[i] *= scale[c];
  }
}

/** Adds half the variance at each cell over some days. */
function addVariance(variance: Float64Array, { values, members, days, cells }: Anomalies, { from, to }: DayRange) {
  const span = days.to - days.from;
  const count = members * (to - from);
  for (let m = 0; m < members; m++) {
    const at = (m * span + from - days.from) * cells;
    const end = at + (to - from) * cells;
    for (let i = at; i < end; ) for (let c = 0; c < cells; c++, i++) variance[c] += values[i] ** 2 / (2 * count);
  }
}

/** The means of anomalies over groups of cells; `groupOf` names the group of each cell. */
export function meansOfGroups(
  { members, days, cells, values }: Anomalies,
  groupOf: Uint8Array,
  weights: Float64Array,
): { readonly means: Anomalies; readonly weights: Float64Array } {
  const groups = [...new Set(groupOf)].sort();
  const places = Uint8Array.from(groupOf, (group) => groups.indexOf(group));
  const sums = new Float64Array(groups.length);
  weights.forEach((weight, c) => {
    sums[places[c]] += weight;
  });
  const rows = values.length / cells;
  const means = new Float64Array(rows * groups.length);
  for (let row = 0, i = 0; row < rows; row++) {
    const at = row * groups.length;
    for (let c = 0; c < cells; c++, i++) means[at + places[c]] += (values[i] * weights[c]) / sums[places[c]];
  }
  return { means: { members, days, cells: groups.length, values: means }, weights: sums };
}

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
    for (let m = 0; m < members.length; m++) {
      cells.forEach((cell, c) => {
        const at = (m * cells.length + c) * span + from - days.from;
        copyFiniteRows(field, m, cell * field.days + from - firstDay, this.#values.subarray(at, at + count));
      });
    }
  }

  value(member: number, cell: number, day: number): number {
    const { from, to } = this.#days;
    if (day < from || day >= to) return Number.NaN;
    return this.#values[(member * this.#cells + cell) * (to - from) + day - from];
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
  const length = (days.to - days.from) * cells.length;
  const values = new Float64Array(members.length * length);
  const sums = new Float64Array(length);
  const counts = new Float64Array(length);
  let at = 0;
  for (const member of members) {
    for (let k = 0, day = days.from; day < days.to; day++) {
      for (let c = 0; c < cells.length; c++, k++) {
        const value = sampled.value(member, cells[c], day);
        values[at++] = value;
        if (Number.isNaN(value)) continue;
        sums[k] += value;
        counts[k]++;
      }
    }
  }
  // What is missing is NaN: it departs by 0.
  for (let i = 0; i < at; i++) values[i] = values[i] - sums[i % length] / counts[i % length] || 0;
  return { members: members.length, days, cells: cells.length, values };
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
  for (const [{ values, members, days, cells }, { from, to }] of [
    [earlier, compared.earlier] as const,
    [later, compared.later] as const,
  ]) {
    const span = days.to - days.from;
    const count = members * (to - from);
    for (let m = 0; m < members; m++) {
      for (let day = from; day < to; day++) {
        const at = (m * span + day - days.from) * cells;
        for (let c = 0; c < cells; c++) variance[c] += values[at + c] ** 2 / (2 * count);
      }
    }
  }
  const scale = variance.map((square) => (square > 0 ? 1 / Math.sqrt(square) : 0));
  for (const { values, cells } of [earlier, later]) {
    for (let at = 0; at < values.length; at += cells) {
      for (let c = 0; c < cells; c++) values[at + c] *= scale[c];
    }
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
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < cells; c++) {
      means[row * groups.length + places[c]] += (values[row * cells + c] * weights[c]) / sums[places[c]];
    }
  }
  return { means: { members, days, cells: groups.length, values: means }, weights: sums };
}

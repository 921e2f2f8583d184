import { type FloatArray, floatArray } from '../../core/number-arrays.js';
import { copyFiniteRows } from '../../ensemble/finite-rows.js';
import type { Horizon } from '../horizon.js';
import type { SeamDays } from '../plan-timeline.js';
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
  /** By cell, member and day. */
  readonly #values: FloatArray;

  /** Copies `cells` of a horizon. Throws DataError for an infinite value. */
  constructor(horizon: Horizon, cells: Int32Array, days: DayRange) {
    const field = placed(horizon);
    const { members, firstDay, type } = field;
    const span = days.to - days.from;
    this.members = members.length;
    this.#days = days;
    this.#values = floatArray(type, members.length * cells.length * span);
    const from = Math.max(days.from, firstDay);
    const count = Math.min(days.to, firstDay + field.days) - from;
    if (count < span) this.#values.fill(Number.NaN);
    if (count <= 0) return;
    const each = (use: (member: number, row: number, at: number) => void) => {
      for (let m = 0; m < members.length; m++) {
        for (let c = 0; c < cells.length; c++) {
          use(m, cells[c] * field.days + from - firstDay, (c * members.length + m) * span + from - days.from);
        }
      }
    };
    each((m, row, at) => members[m].copyTo(this.#values, at, row, row + count));
    if ([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].some((infinity) => this.#values.includes(infinity)))
      each((m, row) => copyFiniteRows(field, m, row, floatArray(type, count)));
  }

  /** The value of a member at a cell, by its place among them, on one of the days. */
  value(member: number, cell: number, day: number): number {
    const { from, to } = this.#days;
    return this.#values[(cell * this.members + member) * (to - from) + day - from];
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
  { comparedEarlier, comparedLater, comparedDays }: SeamDays,
): void {
  const variance = new Float64Array(earlier.cells);
  for (const [{ values, members, days, cells }, from] of [
    [earlier, comparedEarlier] as const,
    [later, comparedLater] as const,
  ]) {
    const span = days.to - days.from;
    const count = members * comparedDays;
    for (let m = 0; m < members; m++) {
      for (let day = from; day < from + comparedDays; day++) {
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

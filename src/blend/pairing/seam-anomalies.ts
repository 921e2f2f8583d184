import type { Core } from '../../core/load.js';
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
    const infinity = Number.POSITIVE_INFINITY;
    if (this.#values.includes(infinity) || this.#values.includes(-infinity))
      each((m, row) => copyFiniteRows(field, m, row, floatArray(type, count)));
  }

  /** The value of a member at a cell, by its place among them, on one of the days. */
  value(member: number, cell: number, day: number): number {
    const { from, to } = this.#days;
    return this.#values[(cell * this.members + member) * (to - from) + day - from];
  }

  /**
   * The departures of some members, which may be repeated, from their mean at some of the cells on some days: in scratch
   * of the core.
   */
  departures(core: Core, members: Int32Array, cells: readonly number[], days: DayRange): Anomalies {
    const { memory, kernels } = core;
    const length = this.#days.to - this.#days.from;
    const cellValues = this.members * length;
    const span = days.to - days.from;
    const memberBytes = 8 * span * cells.length;
    const address = memory.scratch(memberBytes * members.length);
    const mark = memory.mark();
    const valuesAt = memory.scratch(8 * cells.length * cellValues);
    const order = memory.scratch(4 * members.length);
    const values = memory.float64(valuesAt, cells.length * cellValues);
    cells.forEach((cell, c) => {
      values.set(this.#values.subarray(cell * cellValues, (cell + 1) * cellValues), c * cellValues);
    });
    memory.int32(order, members.length).set(members.map((member) => 8 * member * length));
    kernels.departures(
      valuesAt + 8 * (days.from - this.#days.from),
      8 * cellValues,
      cells.length,
      order,
      members.length,
      span,
      address,
      memberBytes,
    );
    memory.release(mark);
    return { address, members: members.length, days, columns: cells.length };
  }
}

/** Departures of members from their ensemble's mean on each day, in standard deviations; 0 where missing. */
export interface Anomalies {
  /** Where they are in the core's memory: f64 by member, day and column, a cell or a mean over cells. */
  readonly address: number;
  readonly members: number;
  readonly days: DayRange;
  readonly columns: number;
}

/** Two ensembles of as many members and columns. */
export type Both = readonly [earlier: Anomalies, later: Anomalies];

/**
 * The anomalies of two ensembles divided by the standard deviation of both at each cell, over the days on which they are
 * compared. A cell that does not vary counts 0.
 */
export function standardized(core: Core, both: Both, seam: SeamDays): Both {
  const { comparedEarlier, comparedLater, comparedDays } = seam;
  const [{ members, columns }] = both;
  const variance = zeros(core, columns);
  const partOf: Part = (c) => [c, 1, 2 * members * comparedDays];
  both.forEach((anomalies, h) => {
    const first = h === 0 ? comparedEarlier : comparedLater;
    addColumns(core, anomalies, first, comparedDays, partOf, variance, 0, 0, 1);
  });
  const scale = core.memory.float64(variance, columns).map((square) => (square > 0 ? 1 / Math.sqrt(square) : 0));
  return sumsOfColumns(core, both, columns, (c) => [c, scale[c], 1]);
}

/** The means of anomalies over groups of cells, and the groups' areas; `groupOf` has the number of each cell's group. */
export function meansOfGroups(
  core: Core,
  both: Both,
  groupOf: Uint8Array,
  weights: Float64Array,
): { readonly means: Both; readonly areas: Float64Array } {
  const areas = new Float64Array(Math.max(...groupOf) + 1);
  weights.forEach((weight, c) => {
    areas[groupOf[c]] += weight;
  });
  const means = sumsOfColumns(core, both, areas.length, (c) => [groupOf[c], weights[c], areas[groupOf[c]]]);
  return { means, areas };
}

/** What is added of a column: to which number, by which weight, and divided by what. */
export type Part = (column: number) => readonly [to: number, weight: number, divisor: number];

/** Sums of columns as anomalies of as many columns as there are sums. */
function sumsOfColumns(core: Core, both: Both, sums: number, partOf: Part): Both {
  const [earlier, later] = both.map((anomalies) => {
    const { members, days } = anomalies;
    const span = days.to - days.from;
    const address = zeros(core, members * span * sums);
    addColumns(core, anomalies, days.from, span, partOf, address, 8 * sums, 8 * sums * span, 0);
    return { ...anomalies, address, columns: sums };
  });
  return [earlier, later];
}

/**
 * Adds columns of `count` days from `first` on, or their squares, to numbers that are `outBytes` apart from day to day, and `outStride` from member to
 * member.
 */
export function addColumns(
  core: Core,
  { address, members, days, columns }: Anomalies,
  first: number,
  count: number,
  partOf: Part,
  out: number,
  outBytes: number,
  outStride: number,
  areSquared: 0 | 1,
): void {
  const { memory, kernels } = core;
  const mark = memory.mark();
  const parts = memory.scratch(24 * columns);
  const table = memory.float64(parts, 3 * columns);
  for (let c = 0; c < columns; c++) table.set(partOf(c), 3 * c);
  const dayBytes = 8 * columns;
  kernels.addColumns(
    address + dayBytes * (first - days.from),
    members,
    dayBytes * (days.to - days.from),
    count,
    columns,
    parts,
    areSquared,
    out,
    outBytes,
    outStride,
  );
  memory.release(mark);
}

/** The address of zeros in scratch of the core. */
export function zeros({ memory }: Core, count: number): number {
  const address = memory.scratch(8 * count);
  memory.float64(address, count).fill(0);
  return address;
}

/** Copies numbers to scratch of the core, and returns their address. */
export function place({ memory }: Core, numbers: ArrayLike<number>): number {
  const address = memory.scratch(8 * numbers.length);
  memory.float64(address, numbers.length).set(numbers);
  return address;
}

import { type FloatArray, floatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { copyFiniteRows } from '../ensemble/finite-rows.js';
import type { Horizon, HorizonHead } from './horizon.js';
import { hasDays, placed } from './member-source.js';
import type { SeamDays } from './plan-timeline.js';
import type { MemberSource } from './seam-pairer.js';
import { switchOrder } from './switch-order.js';

/** Weighted sums over cells of each member's mean over some days of a horizon. */
interface DaySums {
  readonly horizon: number;
  readonly firstDay: number;
  readonly days: number;
  readonly totals: Float64Array;
  readonly weights: Float64Array;
}

/**
 * Each member's mean over a whole field, weighted by cell, on the days on which the members of consecutive horizons are
 * compared. Cells are added some at a time, in order, so that not all need to be in memory. A member's mean leaves out
 * cells where it has a missing day.
 */
export class FieldMeans {
  readonly #sums = new Map<string, DaySums>();

  /** `trajectories` is the number of members of the first horizon. */
  constructor(heads: readonly HorizonHead[], seams: readonly SeamDays[], trajectories: number) {
    seams.forEach((seam, earlier) => {
      const { comparedEarlier, comparedLater, comparedDays, handOver, complete, overlapDays } = seam;
      this.#expect(heads, earlier, comparedEarlier, comparedDays);
      this.#expect(heads, earlier + 1, comparedLater, comparedDays);
      if (switchOrder(trajectories, overlapDays).swaps.length === 0) return;
      for (const day of [handOver, complete]) {
        this.#expect(heads, earlier, day - 1, 1);
        this.#expect(heads, earlier + 1, day, 1);
      }
    });
  }

  #expect(heads: readonly HorizonHead[], horizon: number, firstDay: number, days: number): void {
    const { members } = heads[horizon];
    const sums = { totals: new Float64Array(members), weights: new Float64Array(members) };
    this.#sums.set(keyOf(horizon, firstDay, days), { horizon, firstDay, days, ...sums });
  }

  /**
   * Adds the next cells of all horizons, each with its weight. Throws DataError for an infinite value on the compared
   * days.
   */
  add(horizons: readonly Horizon[], weights: Float64Array): void {
    for (const { horizon, firstDay, days, totals, weights: sums } of this.#sums.values()) {
      const field = placed(horizons[horizon]);
      const from = firstDay - field.firstDay;
      if (!hasDays(field, from, days)) continue;
      const some = floatArray(field.type, days);
      for (let member = 0; member < totals.length; member++) {
        for (let cell = 0; cell < field.cells; cell++) {
          copyFiniteRows(field, member, cell * field.days + from, some);
          const mean = meanOf(some);
          if (Number.isNaN(mean)) continue;
          totals[member] += mean * weights[cell];
          sums[member] += weights[cell];
        }
      }
    }
  }

  /** The means of the whole field, as those of a single location. */
  source({ memory }: Core): MemberSource {
    return {
      reader: (horizon, spans) => () => {
        for (const { firstDay, days, address } of spans) {
          const { totals, weights } = this.#sums.get(keyOf(horizon, firstDay, days)) as DaySums;
          memory.float64(address, totals.length).set(totals.map((total, member) => total / weights[member]));
        }
      },
    };
  }
}

function keyOf(horizon: number, firstDay: number, days: number): string {
  return `${horizon} ${firstDay} ${days}`;
}

function meanOf(values: FloatArray): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

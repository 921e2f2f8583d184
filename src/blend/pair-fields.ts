import { assertObject, assertOneOf, trueOrFalse } from '../check/option-checks.js';
import type { Core } from '../core/load.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { copyFiniteRows } from '../ensemble/finite-rows.js';
import type { Places } from '../ensemble/nearest-place.js';
import { DataError, unusable } from '../errors.js';
import type { VariableSlug } from '../variable/slug.js';
import { checkAlike, type Horizon, type HorizonHead, horizonHead, sourceOf } from './horizon.js';
import { hasDays, placed } from './member-source.js';
import { assertPlaces, type BlendMethod, openPairing, type Pairing } from './pairing.js';
import { type PlanOptions, planTimeline, type SeamDays, type TimelinePlan } from './plan-timeline.js';
import { type MemberSource, SeamPairer } from './seam-pairer.js';
import { switchOrder } from './switch-order.js';

/** How fields are paired. */
export interface PairFieldsOptions extends PlanOptions {
  readonly method: BlendMethod;
  /** The slug of the variable, to be stated in the pairing. */
  readonly pairBy?: VariableSlug;
  /** The places of the cells, to be stated in the pairing. */
  readonly places?: Places;
  /**
   * A weight for each cell: one pairing for the whole field, by the weighted mean over cells. Without it, one for each
   * cell.
   */
  readonly weights?: Float64Array;
}

/** Begins a pairing; where it is open, its tables are still to be filled, cell by cell. */
export function beginPairing(
  core: Core,
  horizons: readonly Horizon[],
  options: PairFieldsOptions,
): { pairing: Pairing; isOpen: boolean } {
  checkAlike(horizons);
  assertPairOptions(options, horizons);
  const { method, weights } = options;
  const heads = horizons.map(horizonHead);
  if (weights !== undefined && method !== 'splice') {
    const pairer = new WholeFieldPairer(heads, options);
    pairer.add(horizons, weights);
    return { pairing: pairer.end(core), isOpen: false };
  }
  const pairing = planPairing(heads, method === 'splice' ? 1 : horizons[0].field.cells, options);
  return { pairing, isOpen: method !== 'splice' };
}

/**
 * Plans the pairing of horizons before their values are read: its tables, for `cells` cells, are still to be filled,
 * unless members are joined by index. Throws DataError where horizons do not fit each other, or one of several has
 * fewer than two members.
 */
export function planPairing(
  heads: readonly HorizonHead[],
  cells: number,
  options: Omit<PairFieldsOptions, 'weights'>,
): Pairing {
  if (heads.length > 1) for (const head of heads) assertSeveralMembers(head);
  const available = heads.map(({ name, source, firstDay, days }) => ({
    ...{ name, source, firstDay },
    lastDay: firstDay + days - 1,
  }));
  const { method, pairBy, places } = options;
  const staggered = planTimeline(available, options);
  const plan = method === 'splice' ? allAtOnce(staggered) : staggered;
  const sizes = heads.map(({ members }) => members);
  const pairing = { ...openPairing(plan, method, sizes, cells), pairBy, places };
  if (method === 'splice') splice(pairing);
  return pairing;
}

/** Pairs the members of a whole field by their weighted mean over cells, which are added some at a time, in order. */
export class WholeFieldPairer {
  readonly #pairing: Pairing;
  readonly #means: FieldMeans;

  /** Throws as `planPairing` does. */
  constructor(heads: readonly HorizonHead[], options: Omit<PairFieldsOptions, 'weights'>) {
    this.#pairing = planPairing(heads, 1, options);
    this.#means = new FieldMeans(heads, this.#pairing.seams, this.#pairing.members);
  }

  /** Adds the next cells, each with its weight. Throws DataError for an infinite value that members are paired by. */
  add(horizons: readonly Horizon[], weights: Float64Array): void {
    this.#means.add(horizons, weights);
  }

  /** Returns the pairing, once all cells are added. */
  end(core: Core): Pairing {
    const pairing = this.#pairing;
    const { members: trajectories, firstDay, horizons, seams } = pairing;
    const source = this.#means.source(core);
    const mark = core.memory.mark();
    try {
      let before: SeamPairer | undefined;
      seams.forEach((seam, earlier) => {
        const sizes = [horizons[earlier].members, horizons[earlier + 1].members] as const;
        before = new SeamPairer(core, { seam, earlier, sizes, trajectories, firstDay, source, before }, 1);
        before.ready(0, 1);
      });
    } finally {
      core.memory.release(mark);
    }
    return pairing;
  }
}

/**
 * Weights for a pairing of a whole field: the area of a grid's cells is proportional to the cosine of their latitude.
 */
export function cellWeights(latitude: Float64Array): Float64Array {
  return latitude.map((degrees) => (Number.isNaN(degrees) ? 1 : Math.cos((degrees * Math.PI) / 180)));
}

function assertPairOptions(options: PairFieldsOptions, horizons: readonly Horizon[]): void {
  assertObject('options', options, '{ method: "rank", overlaps: [3], lastLeads: [], keepGaps: false }');
  const { method, pairBy, places, weights, overlaps, lastLeads, keepGaps } = options;
  const areDays = (list: unknown, least: number) =>
    Array.isArray(list) && list.every((days) => days === undefined || (Number.isInteger(days) && days >= least));
  assertOneOf('method', method, ['rank', 'splice']);
  trueOrFalse('keepGaps', keepGaps);
  if (!areDays(overlaps, 1) || overlaps.length < horizons.length - 1) {
    throw unusable('overlaps', overlaps, `${horizons.length - 1} whole numbers from 1`);
  }
  if (!areDays(lastLeads, 0))
    throw unusable('lastLeads', lastLeads, 'a list of whole numbers from 0, or undefined for all');
  if (pairBy !== undefined && typeof pairBy !== 'string') throw unusable('pairBy', pairBy, 'the slug of a variable');
  if (places !== undefined) assertPlaces(places);
  const { cells } = horizons[0].field;
  if (weights !== undefined && !(weights instanceof Float64Array && weights.length === cells)) {
    throw unusable('weights', weights, `a Float64Array of ${cells}, one for each cell`);
  }
}

/** All members switch after the last day of the earlier horizon; the days that both have are still compared. */
function allAtOnce(plan: TimelinePlan): TimelinePlan {
  return { ...plan, seams: plan.seams.map((seam) => ({ ...seam, overlapDays: 0, handOver: seam.complete })) };
}

/** Joins members by index, repeated as often as needed, on the day after the earlier horizon's last. */
function splice({ firstDay, horizons, seams }: Pairing): void {
  seams.forEach(({ member, switchDay, handOver }, s) => {
    for (let t = 0; t < member.length; t++) member[t] = t % horizons[s + 1].members;
    switchDay.fill(handOver - firstDay);
  });
}

function assertSeveralMembers(head: HorizonHead): void {
  if (head.members >= 2) return;
  throw new DataError({
    source: sourceOf(head),
    problem: 'too few members to be joined to another horizon',
    received: head.members,
    allowed: 'an ensemble of at least 2 members',
  });
}

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
class FieldMeans {
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

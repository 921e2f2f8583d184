import { assertObject, assertOneOf, trueOrFalse } from '../../check/option-checks.js';
import type { Core } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError, unusable } from '../../errors.js';
import type { VariableSlug } from '../../variable/slug.js';
import { checkAlike, type Horizon, type HorizonHead, horizonHead, sourceOf } from '../horizon.js';
import { type PlanOptions, planTimeline, type TimelinePlan } from '../plan-timeline.js';
import { FieldPairer, valuesOnDay } from './field-pairer.js';
import { assertPlaces, type BlendMethod, METHODS, openPairing, type Pairing } from './pairing.js';

/** How fields are paired. */
export interface PairFieldsOptions extends PlanOptions {
  readonly method: BlendMethod;
  /** The slugs of the variables that members are paired by, to be stated in the pairing. */
  readonly pairBy?: readonly VariableSlug[];
  /**
   * The places of the cells: a field of more than 1,900 km is paired in regions. Without them it is one field, and
   * sampled by index.
   */
  readonly places?: Places;
  /**
   * The horizons of other variables by which members are paired, too, with method `field`; they have the cells of the
   * first variable.
   */
  readonly also?: readonly (readonly Horizon[])[];
}

/** Begins a pairing; where it is open, its tables are still to be filled, cell by cell. */
export function beginPairing(
  core: Core,
  horizons: readonly Horizon[],
  options: PairFieldsOptions,
): { pairing: Pairing; isOpen: boolean } {
  checkAlike(horizons);
  assertPairOptions(options, horizons);
  const { method, places, also = [] } = options;
  const heads = horizons.map(horizonHead);
  const { cells } = horizons[0].field;
  const pairing = planPairing(heads, method === 'cell' ? cells : 1, options);
  if (method !== 'field') return { pairing, isOpen: method === 'cell' };
  const hasValues = valuesOnDay(horizons[0], FieldPairer.comparedDay(pairing));
  const pairer = new FieldPairer(pairing, places, cells, { hasValues });
  for (const variable of [horizons, ...also]) {
    checkAlike(variable, cells);
    pairer.add(variable, pairer.cells);
  }
  return { pairing: pairer.end(core), isOpen: false };
}

/**
 * Plans the pairing of horizons before their values are read: its tables, for `cells` cells, are still to be filled,
 * unless members are joined by index. Throws DataError where horizons do not fit each other, or one of several has
 * fewer than two members.
 */
export function planPairing(
  heads: readonly HorizonHead[],
  cells: number,
  options: Omit<PairFieldsOptions, 'also'>,
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
  const own = method === 'cell' ? { places } : {};
  const pairing = { ...openPairing(plan, method, sizes, cells), pairBy, ...own };
  if (method === 'splice') splice(pairing);
  return pairing;
}

function assertPairOptions(options: PairFieldsOptions, horizons: readonly Horizon[]): void {
  assertObject('options', options, '{ method: "field", overlaps: [3], lastLeads: [], keepGaps: false }');
  const { method, pairBy, places, also, overlaps, lastLeads, keepGaps } = options;
  const areDays = (list: unknown, least: number) =>
    Array.isArray(list) && list.every((days) => days === undefined || (Number.isInteger(days) && days >= least));
  assertOneOf('method', method, METHODS);
  trueOrFalse('keepGaps', keepGaps);
  if (!areDays(overlaps, 1) || overlaps.length < horizons.length - 1) {
    throw unusable('overlaps', overlaps, `${horizons.length - 1} whole numbers from 1`);
  }
  if (!areDays(lastLeads, 0)) throw unusable('lastLeads', lastLeads, 'whole numbers from 0, or undefined for all');
  if (pairBy !== undefined && !(Array.isArray(pairBy) && pairBy.every((slug) => typeof slug === 'string')))
    throw unusable('pairBy', pairBy, 'a list of slugs of variables');
  const { cells } = horizons[0].field;
  if (places !== undefined) assertPlaces(places, cells);
  if (also !== undefined && !(Array.isArray(also) && also.every((list) => Array.isArray(list))))
    throw unusable('also', also, 'for each variable a list of its horizons');
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

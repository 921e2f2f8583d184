import type { Places } from '../arrow/nearest-place.js';
import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import { floatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import type { DataPlace } from '../errors.js';
import { DataError, unusable } from '../errors.js';
import { assertObject, oneOf, trueOrFalse } from '../option-checks.js';
import { formatDate } from '../period/day.js';
import type { VariableSlug } from '../variable/slug.js';
import { checkAlike, type Horizon, placeInHorizon, sourceOf } from './horizon.js';
import { membersOfField } from './member-source.js';
import { assertPlaces, type BlendMethod, openPairing, type Pairing, placeInSeam } from './pairing.js';
import { type PlanOptions, planTimeline, type TimelinePlan } from './plan-timeline.js';
import { SeamPairer } from './seam-pairer.js';
import { type TimelineGroup, timelineGroups } from './timeline-groups.js';

/** How fields are paired. */
export interface PairFieldsOptions extends PlanOptions {
  readonly method: BlendMethod;
  /** The slug of the variable, to remember in the pairing. */
  readonly pairBy?: VariableSlug;
  /** Where the cells are, to remember in the pairing. */
  readonly places?: Places;
  /** A weight for each cell: one pairing for the whole field, by the weighted mean over cells. Without it, one for each cell. */
  readonly weights?: Float64Array;
}

/**
 * Pairs the members of consecutive horizons, from the shortest to the longest; the pairing serves all variables. Throws DataError
 * where horizons do not fit each other, one of several has fewer than two members, or a value that they are paired by is infinite.
 */
export function pairFields(core: Core, horizons: readonly Horizon[], options: PairFieldsOptions): Pairing {
  assertCore(core);
  const { pairing, isOpen } = beginPairing(core, horizons, options);
  if (isOpen) for (const _ of timelineGroups(core, horizons, pairing, 0, true));
  return pairing;
}

/**
 * One variable's timeline a group of cells at a time, so that a field of any size needs little memory: the horizons' fields joined as
 * `pairing` says, or else paired on the way. Groups come in order; each holds until the next is asked for, and scratch of
 * the core is given back when the loop ends, so that a core serves one such loop at a time. Members are the trajectories, in the order of the first horizon's members.
 * A day that the horizon in charge has not is missing; of a variable that ends earlier than the one that was paired, the timeline ends
 * with the last day that any of its horizons has, and members stay with the last of its horizons. Throws as `pairFields` does, and DataError where cells or members are not those that were paired.
 */
export function* blendInGroups(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
): Generator<TimelineGroup, Pairing> {
  assertCore(core);
  const isPaired = isPairing(how);
  const { pairing, isOpen } = isPaired ? { pairing: how, isOpen: false } : beginPairing(core, horizons, how);
  if (isPaired) checkPaired(horizons, pairing);
  const days = timelineDays(
    horizons.map(({ field }) => field),
    pairing,
  );
  yield* timelineGroups(core, horizons, pairing, days, isOpen);
  return pairing;
}

/** As `blendInGroups`, the whole timeline in new arrays. */
export function blendFields(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
): { field: EnsembleField; pairing: Pairing } {
  const groups = blendInGroups(core, horizons, how);
  let next = groups.next();
  const [{ field: first }] = horizons;
  let values: ReturnType<typeof floatArray>[] = [];
  let days = 0;
  for (; !next.done; next = groups.next()) {
    const { cell, field } = next.value;
    if (values.length === 0) {
      days = field.days;
      values = first.members.map(() => floatArray(first.type, first.cells * days));
    }
    field.members.forEach((member, m) => {
      member.copyTo(values[m], cell * days, 0, member.length);
    });
  }
  const pairing = next.value;
  const members = first.members.map(({ name }, m) => new MemberColumn(name, [{ values: values[m] }]));
  const place = (trajectory: number, row: number) => sourcePlace(horizons, pairing, days, trajectory, row);
  const { type, cells } = first;
  const field: EnsembleField = { type, order: 'day-fastest', firstDay: pairing.firstDay, days, cells, members, place };
  return { field, pairing };
}

/** Throws OptionError for what neither is a pairing nor says how to pair. */
function isPairing(how: Pairing | PairFieldsOptions): how is Pairing {
  if (typeof how !== 'object' || how === null) throw unusable('pairing', how, 'a Pairing, or how to pair');
  return 'seams' in how;
}

/** A pairing whose tables are still to be filled cell by cell where it is open. */
function beginPairing(
  core: Core,
  horizons: readonly Horizon[],
  options: PairFieldsOptions,
): { pairing: Pairing; isOpen: boolean } {
  checkAlike(horizons);
  if (horizons.length > 1) for (const horizon of horizons) refuseSingleMember(horizon);
  const available = horizons.map(({ name, source, field }) => ({
    name,
    source,
    firstDay: field.firstDay,
    lastDay: field.firstDay + field.days - 1,
  }));
  assertPairOptions(options, horizons);
  const { method, weights } = options;
  const staggered = planTimeline(available, options);
  const plan = method === 'splice' ? allAtOnce(staggered) : staggered;
  const sizes = horizons.map(({ field }) => field.members.length);
  const isShared = method === 'splice' || weights !== undefined;
  const pairing = {
    ...openPairing(plan, method, sizes, isShared ? 1 : horizons[0].field.cells),
    pairBy: options.pairBy,
    places: options.places,
  };
  if (method === 'splice') splice(pairing);
  else if (weights !== undefined) pairWholeField(core, horizons, pairing, weights);
  return { pairing, isOpen: !isShared };
}

function assertPairOptions(options: PairFieldsOptions, horizons: readonly Horizon[]): void {
  assertObject('options', options, '{ method: "rank", overlaps: [3], lastLeads: [], keepGaps: false }');
  const { method, pairBy, places, weights, overlaps, lastLeads, keepGaps } = options;
  const areDays = (list: unknown, least: number) =>
    Array.isArray(list) && list.every((days) => days === undefined || (Number.isInteger(days) && days >= least));
  oneOf('method', method, ['rank', 'splice']);
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

/** A hard cut lies behind the last day of the earlier horizon; the days that both have still tell how they compare. */
function allAtOnce(plan: TimelinePlan): TimelinePlan {
  return { ...plan, seams: plan.seams.map((seam) => ({ ...seam, overlapDays: 0, handOver: seam.complete })) };
}

/** Index by index, repeated as often as needed, on the day after the earlier horizon's last. */
function splice({ firstDay, horizons, seams }: Pairing): void {
  seams.forEach(({ member, switchDay, handOver }, s) => {
    for (let t = 0; t < member.length; t++) member[t] = t % horizons[s + 1].members;
    switchDay.fill(handOver - firstDay);
  });
}

function pairWholeField(core: Core, horizons: readonly Horizon[], pairing: Pairing, weights: Float64Array): void {
  const { members: trajectories, firstDay } = pairing;
  const source = membersOfField(core, horizons, weights);
  const mark = core.memory.mark();
  try {
    let before: SeamPairer | undefined;
    pairing.seams.forEach((seam, earlier) => {
      const sizes = [pairing.horizons[earlier].members, pairing.horizons[earlier + 1].members] as const;
      before = new SeamPairer(core, { seam, earlier, sizes, trajectories, firstDay, source, before }, 1);
      before.ready(0, 1);
    });
  } finally {
    core.memory.release(mark);
  }
}

/** The days of a variable's timeline: it ends with the last day that is used of any of its horizons; undefined is one that lacks it. */
export function timelineDays(
  available: readonly ({ readonly firstDay: number; readonly days: number } | undefined)[],
  plan: TimelinePlan,
): number {
  const lastDays = available.flatMap((horizon, h) =>
    horizon === undefined ? [] : Math.min(plan.horizons[h].lastDay, horizon.firstDay + horizon.days - 1),
  );
  return Math.max(...lastDays) - plan.firstDay + 1;
}

function refuseSingleMember(horizon: Horizon): void {
  const { field } = horizon;
  if (field.members.length >= 2) return;
  throw new DataError({
    source: sourceOf(horizon),
    problem: 'too few members to be joined to another horizon',
    received: field.members.length,
    allowed: 'an ensemble of at least 2 members',
  });
}

function checkPaired(horizons: readonly Horizon[], pairing: Pairing): void {
  checkAlike(horizons);
  horizons.forEach((horizon, h) => {
    const { field } = horizon;
    const refuse = (problem: string, received: number | string, allowed: string) =>
      new DataError({ source: sourceOf(horizon), problem, received, allowed });
    const paired = pairing.horizons[h];
    if (paired === undefined) {
      throw refuse('a horizon beyond those that were paired', h + 1, `${pairing.horizons.length} horizons`);
    }
    if (field.members.length !== paired.members) {
      throw refuse('another number of members than was paired', field.members.length, `${paired.members}`);
    }
    if (field.firstDay > paired.lastDay || field.firstDay + field.days <= pairing.firstDay) {
      const span = `${formatDate(pairing.firstDay)} to ${formatDate(paired.lastDay)}`;
      throw refuse('none of its days were paired', formatDate(field.firstDay), span);
    }
    if (pairing.cells > 1 && field.cells !== pairing.cells) {
      throw refuse('another number of locations than was paired', field.cells, `${pairing.cells}`);
    }
  });
}

/** Where in the input a value of the timeline stands. */
function sourcePlace(
  horizons: readonly Horizon[],
  pairing: Pairing,
  days: number,
  trajectory: number,
  row: number,
): DataPlace {
  const cell = Math.floor(row / days);
  const day = row - cell * days;
  const place = placeInSeam(pairing, cell, trajectory);
  let h = 0;
  while (h < horizons.length - 1 && day >= pairing.seams[h].switchDay[place]) h++;
  const member = h === 0 ? trajectory : pairing.seams[h - 1].member[place];
  const { field } = horizons[h];
  const own = cell * field.days + pairing.firstDay + day - field.firstDay;
  return placeInHorizon(horizons[h], member, own);
}

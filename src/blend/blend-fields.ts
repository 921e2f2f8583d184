import { assertCore } from '../core/assert-core.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import type { Places } from '../ensemble/nearest-place.js';
import { DataError, type DataPlace, unusable } from '../errors.js';
import { formatDate } from '../period/day.js';
import { checkAlike, type Horizon, placeInHorizon, sourceOf } from './horizon.js';
import { beginPairing, type PairFieldsOptions } from './pairing/pair-fields.js';
import { assertPlaces, type Pairing } from './pairing/pairing.js';
import { membersAtPlaces } from './pairing/regions.js';
import type { TimelinePlan } from './plan-timeline.js';
import { type TimelineGroup, timelineGroups } from './timeline-groups.js';
import type { BlendPlan } from './window-runs.js';

/**
 * Pairs the members of consecutive horizons, from the shortest to the longest; the pairing serves all variables of the
 * same forecasts. Throws DataError where horizons do not fit each other, one of several has fewer than two members, or a
 * value that they are paired by is infinite.
 */
export function pairFields(core: Core, horizons: readonly Horizon[], options: PairFieldsOptions): Pairing {
  assertCore(core);
  const { pairing, isOpen } = beginPairing(core, horizons, options);
  return completePairing(core, { horizons, pairing, isOpen, days: 0 });
}

/** The pairing of a plan, whose members are paired now unless they are. */
export function completePairing(core: Core, plan: BlendPlan): Pairing {
  if (plan.isOpen) for (const _ of timelineGroups(core, plan, 0));
  return plan.pairing;
}

/**
 * Joins one variable's timeline a group of cells at a time, so that a field of any size needs little memory: as a given
 * pairing says, or pairing members on the way. Groups come in order; each is valid until the next one is requested.
 * Scratch of the core is released when the loop ends, so a core serves one such loop at a time.
 *
 * Members are the trajectories, in the order of the first horizon's members. A day that a member's horizon does not
 * have is missing. Where a variable ends earlier than the one that was paired, its timeline ends with the last day of
 * its horizons, and members stay with the last of these. Throws as `pairFields` does, and DataError where cells or
 * members are not those that were paired. A pairing by regions needs the `places` of the cells: without them it is an
 * OptionError.
 */
export function* blendInGroups(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
  places?: Places,
): Generator<TimelineGroup, Pairing> {
  assertCore(core);
  const plan = planBlend(core, horizons, how, places);
  yield* timelineGroups(core, plan, plan.days);
  return plan.pairing;
}

/** Plans a timeline: as a given pairing says, which is checked, or by a new one. Throws as `blendInGroups` does. */
export function planBlend(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
  places: Places | undefined = isPairing(how) ? undefined : how.places,
): BlendPlan {
  const isPaired = isPairing(how);
  const { pairing, isOpen } = isPaired ? { pairing: how, isOpen: false } : beginPairing(core, horizons, how);
  if (isPaired) checkPaired(horizons, pairing);
  if (pairing.regions !== undefined || places !== undefined) assertPlaces(places, horizons[0].field.cells);
  const fields = horizons.map(({ field }) => field);
  return { horizons, pairing, isOpen, days: timelineDays(fields, pairing), places };
}

/** Like `blendInGroups`, but returns the complete timeline in new arrays. */
export function blendFields(
  core: Core,
  horizons: readonly Horizon[],
  how: Pairing | PairFieldsOptions,
  places?: Places,
): { field: EnsembleField; pairing: Pairing } {
  assertCore(core);
  const plan = planBlend(core, horizons, how, places);
  return { field: blendedField(core, plan), pairing: plan.pairing };
}

/** The complete timeline of a plan in new arrays. */
export function blendedField(core: Core, plan: BlendPlan): EnsembleField {
  const { pairing, days } = plan;
  const [{ field: first }] = plan.horizons;
  const values = first.members.map(() => floatArray(first.type, first.cells * days));
  blendInto(core, plan, values);
  const members = first.members.map(({ name }, m) => new MemberColumn(name, [{ values: values[m] }]));
  const place = (trajectory: number, row: number) => sourcePlace(plan, trajectory, row);
  const { type, cells } = first;
  return { type, order: 'day-fastest', firstDay: pairing.firstDay, days, cells, members, place };
}

/** Writes the complete timeline of a plan to arrays, one for each member, the day fastest. */
export function blendInto(core: Core, plan: BlendPlan, values: readonly FloatArray[]): void {
  for (const { cell, field } of timelineGroups(core, plan, plan.days)) {
    field.members.forEach((member, m) => {
      member.copyTo(values[m], cell * plan.days, 0, member.length);
    });
  }
}

/** Throws OptionError for what is neither a pairing nor options of one. */
function isPairing(how: Pairing | PairFieldsOptions): how is Pairing {
  if (typeof how !== 'object' || how === null) throw unusable('pairing', how, 'a Pairing, or how to pair');
  return 'seams' in how;
}

/**
 * The days of a variable's timeline, which ends with the last day used of any horizon; undefined is a horizon without
 * the variable.
 */
export function timelineDays(
  available: readonly ({ readonly firstDay: number; readonly days: number } | undefined)[],
  plan: TimelinePlan,
): number {
  const lastDays = available.flatMap((horizon, h) =>
    horizon === undefined ? [] : Math.min(plan.horizons[h].lastDay, horizon.firstDay + horizon.days - 1),
  );
  return Math.max(...lastDays) - plan.firstDay + 1;
}

function checkPaired(horizons: readonly Horizon[], pairing: Pairing): void {
  checkAlike(horizons);
  horizons.forEach((horizon, h) => {
    const { field } = horizon;
    const fault = (problem: string, received: number | string, allowed: string) =>
      new DataError({ source: sourceOf(horizon), problem, received, allowed });
    const paired = pairing.horizons[h];
    if (paired === undefined) {
      throw fault('a horizon beyond those that were paired', h + 1, `${pairing.horizons.length} horizons`);
    }
    if (field.members.length !== paired.members) {
      throw fault('another number of members than was paired', field.members.length, `${paired.members}`);
    }
    if (field.firstDay > paired.lastDay || field.firstDay + field.days <= pairing.firstDay) {
      const span = `${formatDate(pairing.firstDay)} to ${formatDate(paired.lastDay)}`;
      throw fault('none of its days were paired', formatDate(field.firstDay), span);
    }
    if (pairing.cells > 1 && pairing.regions === undefined && field.cells !== pairing.cells) {
      throw fault('another number of locations than was paired', field.cells, `${pairing.cells}`);
    }
  });
}

/** The place in the input of a value of the timeline. */
function sourcePlace({ horizons, pairing, days, places }: BlendPlan, trajectory: number, row: number): DataPlace {
  const cell = Math.floor(row / days);
  const day = row - cell * days;
  const { regions, seams } = pairing;
  const place = (pairing.cells === 1 || regions ? 0 : cell) * pairing.members + trajectory;
  let h = 0;
  while (h < horizons.length - 1 && day >= seams[h].switchDay[place]) h++;
  const memberAt = (seam: number) =>
    regions === undefined || places === undefined
      ? seams[seam].member[place]
      : membersAtPlaces(regions)(places.latitude[cell], places.longitude[cell])[seam][trajectory];
  const member = h === 0 ? trajectory : memberAt(h - 1);
  const { field } = horizons[h];
  const own = cell * field.days + pairing.firstDay + day - field.firstDay;
  return placeInHorizon(horizons[h], member, own);
}

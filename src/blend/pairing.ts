import type { Places } from '../ensemble/nearest-place.js';
import { unusable } from '../errors.js';
import type { VariableSlug } from '../variable/slug.js';
import type { HorizonDays, SeamDays, TimelinePlan } from './plan-timeline.js';

/**
 * How members pass from one horizon to the next: paired by rank and one after the other, or by index and all at once.
 */
export type BlendMethod = 'rank' | 'splice';

export const METHODS: readonly BlendMethod[] = /* @__PURE__ */ Object.freeze(['rank', 'splice']);

/** Which member of the later horizon each trajectory continues as, and from which day on. */
export interface SeamPairing extends SeamDays {
  /** By cell and trajectory: an index of the later horizon's members. */
  readonly member: Int32Array;
  /** By cell and trajectory: the first day that comes from the later horizon, counted from the timeline's first. */
  readonly switchDay: Int32Array;
  /** How many members of the later horizon are in use; fewer than trajectories where it is the smaller ensemble. */
  readonly distinctMembers: number;
}

/**
 * How the members of consecutive horizons are joined to trajectories: one member and one switch day for each
 * trajectory, cell and seam. It is made from one variable and used for all, so that they stay consistent with each
 * other.
 */
export interface Pairing extends TimelinePlan {
  readonly method: BlendMethod;
  /** The slug of the variable that it was made from, where it is known. */
  readonly pairBy?: VariableSlug;
  /** The places of its cells, where they are known. */
  readonly places?: Places;
  /** The number of trajectories: the members of the first horizon, in their order. */
  readonly members: number;
  /** The number of cells that have a pairing of their own: 1 where one pairing is for the whole field. */
  readonly cells: number;
  /** The days used of each horizon, and its number of members. */
  readonly horizons: readonly (HorizonDays & { readonly members: number })[];
  readonly seams: readonly SeamPairing[];
}

/** Throws OptionError for what is not a pairing. */
export function assertPairing(pairing: unknown): asserts pairing is Pairing {
  const { firstDay, days, members, cells, horizons, seams, places }: Partial<Pairing> = pairing ?? {};
  if (places !== undefined) assertPlaces(places);
  const areLists = Array.isArray(horizons) && Array.isArray(seams) && horizons.every(isHorizon);
  if (areLists && isCount(members) && isCount(cells) && Number.isSafeInteger(firstDay)) {
    const areDaysConsistent =
      days === horizons[horizons.length - 1]?.lastDay - (firstDay as number) + 1 && isCount(days);
    const areSeams = seams.length === horizons.length - 1 && seams.every((seam) => isSeam(seam, cells * members));
    if (areDaysConsistent && areSeams && horizons[0].members === members) return;
  }
  throw unusable('pairing', pairing, 'what blend or pairMembers returns as its pairing');
}

/** Throws OptionError for what is not the coordinates of places. */
export function assertPlaces(places: unknown): asserts places is Places {
  const { latitude, longitude }: Partial<Places> = places ?? {};
  const areArrays = latitude instanceof Float64Array && longitude instanceof Float64Array;
  if (areArrays && latitude.length === longitude.length && latitude.length > 0) return;
  throw unusable('places', places, 'Float64Arrays latitude and longitude of one length');
}

function isCount(count: unknown): count is number {
  return Number.isSafeInteger(count) && (count as number) > 0;
}

function isHorizon(horizon: unknown): boolean {
  const { name, firstDay, lastDay, members }: Partial<Pairing['horizons'][number]> = horizon ?? {};
  return typeof name === 'string' && [firstDay, lastDay, members].every(Number.isSafeInteger);
}

function isSeam(seam: unknown, size: number): boolean {
  const { member, switchDay, handOver, complete }: Partial<SeamPairing> = seam ?? {};
  const areTables = [member, switchDay].every((table) => table instanceof Int32Array && table.length === size);
  return areTables && [handOver, complete].every(Number.isSafeInteger);
}

/**
 * Creates a pairing of `cells` cells, its tables still to be filled; `sizes` are the numbers of members of the
 * horizons.
 */
export function openPairing(plan: TimelinePlan, method: BlendMethod, sizes: readonly number[], cells: number): Pairing {
  const [members] = sizes;
  const table = () => new Int32Array(cells * members);
  const seams = plan.seams.map((seam, s) => ({
    ...seam,
    member: table(),
    switchDay: table(),
    distinctMembers: Math.min(members, sizes[s + 1]),
  }));
  const horizons = plan.horizons.map((horizon, h) => ({ ...horizon, members: sizes[h] }));
  return { ...plan, method, members, cells, horizons, seams };
}

/** The place of a trajectory in the arrays of a seam. */
export function placeInSeam({ cells, members }: Pairing, cell: number, trajectory: number): number {
  return (cells === 1 ? 0 : cell) * members + trajectory;
}

/**
 * The share of each horizon on each day of the timeline: an array for each horizon, a number from 0 to 1 for each day.
 * Shares are the same at every location; those of a day sum to 1, or to 0 on a day that no horizon has. A variable that
 * only the first `available` horizons have stays with the last of them to its end.
 */
export function horizonShares(pairing: Pairing, available: number = pairing.horizons.length): Float64Array[] {
  assertPairing(pairing);
  const { firstDay, days, members, horizons, seams } = pairing;
  if (!(Number.isInteger(available) && available >= 1 && available <= horizons.length)) {
    throw unusable('available', available, `a number of horizons from 1 to ${horizons.length}`);
  }
  const shares = horizons.map(() => new Float64Array(days));
  for (let trajectory = 0; trajectory < members; trajectory++) {
    horizons.slice(0, available).forEach((horizon, h) => {
      const from = h === 0 ? 0 : seams[h - 1].switchDay[trajectory];
      const to = h === available - 1 ? days : seams[h].switchDay[trajectory];
      for (let day = from; day < Math.min(to, horizon.lastDay - firstDay + 1); day++) shares[h][day]++;
    });
  }
  return shares.map((share) => share.map((count) => count / members));
}

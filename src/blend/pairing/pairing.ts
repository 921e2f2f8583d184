import type { Places } from '../../ensemble/nearest-place.js';
import { unusable } from '../../errors.js';
import type { VariableSlug } from '../../variable/slug.js';
import type { HorizonDays, SeamDays, TimelinePlan } from '../plan-timeline.js';
import type { PairedRegions } from './regions.js';

/**
 * How members pass from one horizon to the next: `field`, paired as fields and one after the other; `cell`, the same by
 * rank, each cell by itself; `splice`, by index and all at once.
 */
export type BlendMethod = 'field' | 'cell' | 'splice';

export const METHODS: readonly BlendMethod[] = /* @__PURE__ */ Object.freeze(['field', 'cell', 'splice']);

/** Which member of the later horizon each trajectory continues as, and from which day on. */
export interface SeamPairing extends SeamDays {
  /** By cell or region, and trajectory: an index of the later horizon's members. */
  readonly member: Int32Array;
  /** The same: the first day that comes from the later horizon, counted from the timeline's first. */
  readonly switchDay: Int32Array;
  /** How many members of the later horizon are in use; fewer than trajectories where it is the smaller ensemble. */
  readonly distinctMembers: number;
}

/**
 * How the members of consecutive horizons are joined to trajectories: one member and one switch day for each
 * trajectory and seam, for a whole field, its regions or its cells. It is used for all variables, so that they stay
 * consistent with each other.
 */
export interface Pairing extends TimelinePlan {
  readonly method: BlendMethod;
  /** The slugs of the variables that it was made from, where they are known. */
  readonly pairBy?: readonly VariableSlug[];
  /** The places of its cells, where each has a pairing of its own and they are known. */
  readonly places?: Places;
  /** The regions of a large field: between them members change over from one region's partners to the next one's. */
  readonly regions?: PairedRegions;
  /** The number of trajectories: the members of the first horizon, in their order. */
  readonly members: number;
  /** The number of cells, or regions, that have a pairing of their own: 1 where one pairing is for the whole field. */
  readonly cells: number;
  /** The days used of each horizon, and its number of members. */
  readonly horizons: readonly (HorizonDays & { readonly members: number })[];
  readonly seams: readonly SeamPairing[];
}

/** Throws OptionError for what is not a pairing. */
export function assertPairing(pairing: unknown): asserts pairing is Pairing {
  const { firstDay, days, members, cells, horizons, seams, places, regions }: Partial<Pairing> = pairing ?? {};
  if (places !== undefined) assertPlaces(places);
  const areLists = Array.isArray(horizons) && Array.isArray(seams) && horizons.every(isHorizon);
  if (areLists && isCount(members) && isCount(cells) && Number.isSafeInteger(firstDay)) {
    const areDaysConsistent =
      days === horizons[horizons.length - 1]?.lastDay - (firstDay as number) + 1 && isCount(days);
    const areSeams = seams.length === horizons.length - 1 && seams.every((seam) => isSeam(seam, cells * members));
    const areRegions = regions === undefined || isDivided(regions, cells, members, seams.length);
    if (areDaysConsistent && areSeams && areRegions && horizons[0].members === members) return;
  }
  throw unusable('pairing', pairing, 'what blend or pairMembers returns as its pairing');
}

/** Throws OptionError for what is not the coordinates of places, or of another number of them than `count`. */
export function assertPlaces(places: unknown, count?: number): asserts places is Places {
  const { latitude, longitude }: Partial<Places> = places ?? {};
  const areArrays = latitude instanceof Float64Array && longitude instanceof Float64Array;
  const isRight = areArrays && latitude.length === longitude.length && latitude.length === (count ?? latitude.length);
  if (isRight && latitude.length > 0) return;
  throw unusable('places', places, `Float64Arrays latitude and longitude of ${count ?? 'one length'}`);
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

function isDivided(regions: unknown, count: number, members: number, seams: number): boolean {
  const { bands, count: own, seams: tables, ...span }: Partial<PairedRegions> = regions ?? {};
  if (own !== count || !Array.isArray(bands) || !Array.isArray(tables) || tables.length !== seams) return false;
  const isTable = (table: unknown, length: number) => table instanceof Int32Array && table.length === length;
  const areTables = tables.every((seam) => isTable(seam.partners, count * members) && isTable(seam.chosen, members));
  return areTables && [span.south, span.height, span.west].every(Number.isFinite);
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

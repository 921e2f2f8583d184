import type { BlendMethod, Pairing } from '../../src/blend/pairing/pairing.js';
import { switchOrder } from '../../src/blend/pairing/switch-order.js';

/**
 * One forecast of the twin: a value for each member, cell and day, from a map by day; a day that is not in it is
 * missing.
 */
export interface TwinHorizon {
  readonly members: readonly (readonly ReadonlyMap<number, number>[])[];
  readonly firstDay: number;
  readonly lastDay: number;
}

/** As the library's options, all filled in. */
export interface TwinOptions {
  readonly method: BlendMethod;
  readonly overlaps: readonly number[];
  /** Days after the timeline's first; infinity for all. */
  readonly lastLeads: readonly number[];
  /** With method `field`, how members are paired: members and days by trajectory, the same at all cells. */
  readonly pairing?: Pick<Pairing, 'seams'>;
}

/** Which horizon and which of its members a trajectory is, at a cell on a day. */
interface TwinSource {
  readonly horizon: number;
  readonly member: number;
}

export interface TwinTimeline {
  readonly firstDay: number;
  readonly lastDay: number;
  source(trajectory: number, cell: number, day: number): TwinSource;
  value(trajectory: number, cell: number, day: number): number;
}

/** How the trajectories of one cell pass to the next horizon. */
interface TwinSeam {
  /** The trajectories from the lowest rank to the highest. */
  readonly order: readonly number[];
  readonly member: readonly number[];
  /** The first day of the later horizon, by trajectory. */
  readonly switchDay: readonly number[];
}

interface SeamDays {
  /** Days in which members switch one after the other, and the first on which all have. */
  readonly overlap: readonly number[];
  readonly complete: number;
  readonly comparedEarlier: readonly number[];
  readonly comparedLater: readonly number[];
}

/**
 * The slow and obvious blending of horizons: for each cell, members are sorted and paired at each seam; then each value
 * is looked up. Only the order in which ranks switch is the library's own, see `switchOrder`.
 */
export function twinBlend(all: readonly TwinHorizon[], options: TwinOptions): TwinTimeline {
  const { firstDay } = all[0];
  const horizons = all.map((horizon, h) => ({
    ...horizon,
    firstDay: Math.max(horizon.firstDay, firstDay),
    lastDay: Math.min(horizon.lastDay, firstDay + options.lastLeads[h]),
  }));
  const days: SeamDays[] = [];
  for (let s = 0; s + 1 < horizons.length; s++) {
    const overlap = options.method === 'splice' ? 0 : options.overlaps[s];
    days.push(seamDays(horizons[s], horizons[s + 1], days[s - 1]?.complete ?? firstDay, overlap));
  }
  const cells = all[0].members[0].length;
  const seamsOfCell = Array.from({ length: cells }, (_, cell) =>
    options.pairing === undefined
      ? pairCell(horizons, days, options, cell)
      : options.pairing.seams.map(({ member, switchDay }) => {
          return { order: [], member: [...member], switchDay: [...switchDay].map((day) => firstDay + day) };
        }),
  );
  const source = (trajectory: number, cell: number, day: number): TwinSource => {
    const seams = seamsOfCell[cell];
    const horizon = seams.filter(({ switchDay }) => day >= switchDay[trajectory]).length;
    return { horizon, member: horizon === 0 ? trajectory : seams[horizon - 1].member[trajectory] };
  };
  return {
    firstDay,
    lastDay: horizons[horizons.length - 1].lastDay,
    source,
    value(trajectory, cell, day) {
      const { horizon, member } = source(trajectory, cell, day);
      const { members, lastDay } = horizons[horizon];
      return day > lastDay ? Number.NaN : (members[member][cell].get(day) ?? Number.NaN);
    },
  };
}

/** `whole` is the first day on which all trajectories are of the earlier horizon. */
function seamDays(earlier: TwinHorizon, later: TwinHorizon, whole: number, overlapDays: number): SeamDays {
  const of = (first: number, last: number) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, d) => first + d);
  const ours = of(whole, earlier.lastDay);
  const shared = ours.filter((day) => day >= later.firstDay);
  const overlap = shared.slice(Math.max(0, shared.length - overlapDays));
  if (overlap.length > 0) {
    return { overlap, complete: earlier.lastDay + 1, comparedEarlier: overlap, comparedLater: overlap };
  }
  const theirs = of(Math.max(later.firstDay, earlier.lastDay + 1), later.lastDay);
  const count = Math.max(1, Math.min(overlapDays, ours.length, theirs.length));
  return {
    overlap,
    complete: theirs[0],
    comparedEarlier: ours.slice(ours.length - count),
    comparedLater: theirs.slice(0, count),
  };
}

/** The seams of one cell. */
function pairCell(
  horizons: readonly TwinHorizon[],
  seamDaysOf: readonly SeamDays[],
  { method }: TwinOptions,
  cell: number,
): TwinSeam[] {
  const size = horizons[0].members.length;
  const seams: TwinSeam[] = [];
  for (let s = 0; s + 1 < horizons.length; s++) {
    const { overlap, complete, comparedEarlier, comparedLater } = seamDaysOf[s];
    const [earlier, later] = [horizons[s].members, horizons[s + 1].members];
    const present = seams[s - 1]?.member ?? [...earlier.keys()];
    if (method === 'splice') {
      const order = [...present.keys()];
      seams.push({ order, member: order.map((t) => t % later.length), switchDay: order.map(() => complete) });
      continue;
    }
    const means = (members: typeof earlier, days: readonly number[]) =>
      members.map((member) => meanOf(member[cell], days));
    const earlierMeans = means(earlier, comparedEarlier);
    // Of trajectories with equal means, those that ranked lower at the seam before come first.
    const queue = seams[s - 1]?.order ?? [...present.keys()];
    const order = sortedIndices(queue.map((t) => earlierMeans[present[t]])).map((place) => queue[place]);
    const partners = sortedIndices(means(later, comparedLater));
    const { steps, swaps } = switchOrder(size, overlap.length);
    const first = overlap[0] ?? complete;
    const member = new Array<number>(size);
    const switchDay = new Array<number>(size);
    order.forEach((trajectory, rank) => {
      member[trajectory] = partners[Math.floor(((rank + 0.5) * later.length) / size)];
      switchDay[trajectory] = first + steps[rank];
    });
    for (const { atEdge, inside } of swaps) {
      const day = first + steps[atEdge];
      const before = sides(means(earlier, [day - 1]));
      const after = sides(means(later, [day]));
      const [edge, other] = [order[atEdge], order[inside]];
      const changesSide = before[present[edge]] * after[member[edge]] < 0;
      const staysThere = before[present[other]] * after[member[other]] > 0;
      if (changesSide && staysThere) [switchDay[edge], switchDay[other]] = [switchDay[other], switchDay[edge]];
    }
    seams.push({ order, member, switchDay });
  }
  return seams;
}

/** The mean over days, missing where one is. */
function meanOf(series: ReadonlyMap<number, number>, days: readonly number[]): number {
  return days.reduce((sum, day) => sum + (series.get(day) ?? Number.NaN), 0) / days.length;
}

/** Indices from the lowest value to the highest, equal ones by index, missing ones last. */
export function sortedIndices(values: readonly number[]): number[] {
  const key = (i: number) => (Number.isNaN(values[i]) ? Number.POSITIVE_INFINITY : values[i]);
  return [...values.keys()].sort((i, j) => (key(i) === key(j) ? i - j : key(i) - key(j)));
}

/** 1 above the mean of all that are there, -1 below, 0 at it or missing. */
function sides(values: readonly number[]): number[] {
  const there = values.filter((value) => !Number.isNaN(value));
  const mean = there.reduce((sum, value) => sum + value, 0) / there.length;
  return values.map((value) => (value > mean ? 1 : value < mean ? -1 : 0));
}

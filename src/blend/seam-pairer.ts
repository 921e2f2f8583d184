import { SeamJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import type { SeamPairing } from './pairing.js';
import { evenRank, switchOrder } from './switch-order.js';

/** Tables of a seam for the core, for some locations at a time. */
export interface SeamTables {
  /**
   * Addresses of an i32 for each location and trajectory: its member of the later horizon, and the day on which it
   * switches.
   */
  readonly member: number;
  readonly switchDay: number;
  /** Fills the tables for `locations` locations from `location` on. */
  ready(location: number, locations: number): void;
}

/** Copies the tables of a seam that is already paired to scratch of the core. */
export function pairedSeam({ memory }: Core, seam: SeamPairing, trajectories: number, locations: number): SeamTables {
  const length = Math.min(locations * trajectories, seam.member.length);
  const member = memory.scratch(4 * length);
  const switchDay = memory.scratch(4 * length);
  // A pairing for all locations has the tables of one.
  const isShared = seam.member.length === trajectories;
  const ready = (location: number, count: number) => {
    const from = isShared ? 0 : location * trajectories;
    const to = from + (isShared ? 1 : count) * trajectories;
    memory.int32(member, to - from).set(seam.member.subarray(from, to));
    memory.int32(switchDay, to - from).set(seam.switchDay.subarray(from, to));
  };
  return { member, switchDay, ready };
}

/**
 * What a pairer reads of the horizons at some locations: written to an address, the members of a location contiguous.
 */
export interface MemberSource {
  /** The mean of each member over some days (f64). */
  means(horizon: number, firstDay: number, days: number, address: number): void;
  /** On which side of the ensemble mean each member lies on a day (i8): 1 above, -1 below, 0 equal or missing. */
  sides(horizon: number, day: number, address: number): void;
}

/** What a `SeamPairer` pairs. */
export interface SeamMembers {
  readonly seam: SeamPairing;
  /** Index of the earlier horizon. */
  readonly earlier: number;
  /** The numbers of members of the earlier and of the later horizon. */
  readonly sizes: readonly [number, number];
  readonly trajectories: number;
  /** The timeline's first day. */
  readonly firstDay: number;
  readonly source: MemberSource;
  /** The pairer of the seam before, where there is one. */
  readonly before?: SeamPairer;
}

/** Pairs the members of two horizons in the core, by rank, some locations at a time. */
export class SeamPairer implements SeamTables {
  readonly member: number;
  readonly switchDay: number;
  /** Address of the trajectories of each location, from the lowest rank to the highest. */
  readonly order: number;
  readonly #core: Core;
  readonly #seam: SeamPairing;
  readonly #earlier: number;
  readonly #source: MemberSource;
  readonly #before: SeamPairer | undefined;
  readonly #trajectories: number;
  readonly #sizes: readonly [number, number];
  readonly #swaps: number;
  readonly #means: number;
  readonly #values: number;
  readonly #ranks: number;
  readonly #laterRanks: number;
  /** Addresses of four rows of sides. */
  readonly #sides: readonly number[];
  readonly #job: SeamJob;

  /** Takes scratch from the core's memory for `locations` locations. */
  constructor(core: Core, requested: SeamMembers, locations: number) {
    const { memory } = core;
    const { seam, earlier, sizes, trajectories, firstDay, source, before } = requested;
    const most = Math.max(trajectories, ...sizes);
    this.#core = core;
    this.#seam = seam;
    this.#earlier = earlier;
    this.#source = source;
    this.#before = before;
    this.#trajectories = trajectories;
    this.#sizes = sizes;
    const { steps, swaps } = switchOrder(trajectories, seam.overlapDays);
    this.#swaps = swaps.length;
    const rulesAt = memory.scratch(4 * (2 * trajectories + 3 * swaps.length));
    const rules = memory.int32(rulesAt, 2 * trajectories + 3 * swaps.length);
    steps.forEach((step, rank) => {
      rules[rank] = evenRank(rank, trajectories, sizes[1]);
      rules[trajectories + rank] = seam.handOver - firstDay + step;
    });
    swaps.forEach(({ atEdge, inside }, i) => {
      rules.set([atEdge, inside, steps[atEdge] === 0 ? 0 : 1], 2 * trajectories + 3 * i);
    });
    this.#means = memory.scratch(8 * locations * most);
    this.#values = memory.scratch(8 * locations * most);
    this.#ranks = memory.scratch(4 * locations * most);
    this.#laterRanks = memory.scratch(4 * locations * most);
    this.order = memory.scratch(4 * locations * trajectories);
    this.member = memory.scratch(4 * locations * trajectories);
    this.switchDay = memory.scratch(4 * locations * trajectories);
    this.#sides = [0, 1, 2, 3].map(() => memory.scratch(locations * most));
    const rows = memory.scratch(16);
    memory.int32(rows, 4).set(this.#sides);
    this.#job = new SeamJob(memory, {
      ranks: this.#ranks,
      trajectories,
      memberRanks: this.#laterRanks,
      members: sizes[1],
      earlier: before?.member ?? 0,
      earlierOrder: before?.order ?? 0,
      earlierMembers: sizes[0],
      rules: rulesAt,
      swaps: swaps.length,
      rows,
      memberAt: memory.scratch(4 * most),
      order: this.order,
      member: this.member,
      switchDay: this.switchDay,
    });
  }

  /**
   * Pairs members at `locations` locations, and stores the result in the pairing as that of `location` and those after
   * it.
   */
  ready(location: number, locations: number): void {
    this.#rank(locations);
    if (this.#swaps > 0) this.#findSides();
    this.#job.set(locations);
    this.#core.kernels.joinMembers(this.#job.address);
    const { memory } = this.#core;
    const length = locations * this.#trajectories;
    const at = location * this.#trajectories;
    this.#seam.member.set(memory.int32(this.member, length), at);
    this.#seam.switchDay.set(memory.int32(this.switchDay, length), at);
  }

  #rank(locations: number): void {
    const { kernels } = this.#core;
    const { comparedEarlier, comparedLater, comparedDays } = this.#seam;
    const values = this.#trajectoryMeans(comparedEarlier, comparedDays, locations);
    kernels.rankMembers(values, this.#trajectories, locations, this.#ranks);
    this.#source.means(this.#earlier + 1, comparedLater, comparedDays, this.#means);
    kernels.rankMembers(this.#means, this.#sizes[1], locations, this.#laterRanks);
  }

  /**
   * Finds on which side of the mean members lie: the day before the first switch and on its day, and the same for the
   * last.
   */
  #findSides(): void {
    const { handOver, complete } = this.#seam;
    [handOver, complete].forEach((day, edge) => {
      this.#source.sides(this.#earlier, day - 1, this.#sides[2 * edge]);
      this.#source.sides(this.#earlier + 1, day, this.#sides[2 * edge + 1]);
    });
  }

  /**
   * Address of the means of the trajectories, which are members of the earlier horizon: in the order of their ranks at
   * the seam before, so that trajectories of the same member keep that order.
   */
  #trajectoryMeans(firstDay: number, days: number, locations: number): number {
    this.#source.means(this.#earlier, firstDay, days, this.#means);
    const before = this.#before;
    if (before === undefined) return this.#means;
    this.#core.kernels.trajectoryValues(
      this.#means,
      this.#sizes[0],
      before.member,
      before.order,
      this.#trajectories,
      locations,
      this.#values,
    );
    return this.#values;
  }
}

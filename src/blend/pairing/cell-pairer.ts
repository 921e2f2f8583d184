import { SeamJob } from '../../core/generated/jobs.js';
import type { Core } from '../../core/load.js';
import type { SeamPairing } from './pairing.js';
import type { SeamTables } from './seam-tables.js';
import { evenRank, switchOrder } from './switch-order.js';

/** Some days of a horizon, and the address to write each member's mean over them to. */
export interface DaySpan {
  readonly firstDay: number;
  readonly days: number;
  readonly address: number;
}

/** What a pairer reads of the horizons at some locations. */
export interface MemberSource {
  /**
   * Prepares to read the members of a horizon at up to `locations` locations. The function that is returned writes
   * their means (f64, the members of a location contiguous; NaN where a day is missing).
   */
  reader(horizon: number, spans: readonly DaySpan[], locations: number): () => void;
}

/** What a `CellPairer` pairs. */
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
  readonly before?: CellPairer;
}

/** Pairs the members of two horizons in the core, by rank, some locations at a time. */
export class CellPairer implements SeamTables {
  readonly member: number;
  readonly switchDay: number;
  /** Address of the trajectories of each location, from the lowest rank to the highest. */
  readonly order: number;
  readonly #core: Core;
  readonly #seam: SeamPairing;
  readonly #before: CellPairer | undefined;
  readonly #trajectories: number;
  readonly #sizes: readonly [number, number];
  /** Read the members of both horizons on the days of the seam. */
  readonly #readers: readonly (() => void)[];
  /** Addresses of the means of the earlier horizon's members, of the later one's, and of the trajectories. */
  readonly #earlierMeans: number;
  readonly #laterMeans: number;
  readonly #trajectoryMeans: number;
  /** Addresses of places of the means, from the lowest mean to the highest, and of scratch to sort them. */
  readonly #sorted: number;
  readonly #laterSorted: number;
  readonly #column: number;
  readonly #job: SeamJob;

  /** Takes scratch from the core's memory for `locations` locations. */
  constructor(core: Core, requested: SeamMembers, locations: number) {
    const { memory } = core;
    const { seam, earlier, sizes, trajectories, firstDay, source, before } = requested;
    this.#core = core;
    this.#seam = seam;
    this.#before = before;
    this.#trajectories = trajectories;
    this.#sizes = sizes;
    const { steps, swaps } = switchOrder(trajectories, seam.overlapDays);
    const rulesAt = memory.scratch(4 * (2 * trajectories + 3 * swaps.length));
    const rules = memory.int32(rulesAt, 2 * trajectories + 3 * swaps.length);
    steps.forEach((step, rank) => {
      rules[rank] = evenRank(rank, trajectories, sizes[1]);
      rules[trajectories + rank] = seam.handOver - firstDay + step;
    });
    swaps.forEach(({ atEdge, inside }, i) => {
      rules.set([atEdge, inside, steps[atEdge] === 0 ? 0 : 1], 2 * trajectories + 3 * i);
    });
    const { handOver, complete, comparedDays, comparedEarlier, comparedLater } = seam;
    // On the days next to the first switch and the last, members may be on another side of the mean.
    const edges = swaps.length === 0 ? [] : [handOver, complete];
    const readMembers = (later: 0 | 1, firstDay: number) => {
      const spans = [{ firstDay, days: comparedDays }, ...edges.map((day) => ({ firstDay: day - 1 + later, days: 1 }))];
      const placed = spans.map((span) => ({ ...span, address: memory.scratch(8 * locations * sizes[later]) }));
      return {
        read: source.reader(earlier + later, placed, locations),
        addresses: placed.map(({ address }) => address),
      };
    };
    const members = [readMembers(0, comparedEarlier), readMembers(1, comparedLater)];
    this.#readers = members.map(({ read }) => read);
    const [ours, theirs] = members.map(({ addresses }) => addresses);
    this.#earlierMeans = ours[0];
    this.#laterMeans = theirs[0];
    this.#trajectoryMeans = before === undefined ? ours[0] : memory.scratch(8 * locations * trajectories);
    const edgesAt = memory.scratch(16);
    memory.int32(edgesAt, 2 * edges.length).set(edges.flatMap((_, i) => [ours[i + 1], theirs[i + 1]]));
    this.#sorted = memory.scratch(4 * locations * trajectories);
    this.#laterSorted = memory.scratch(4 * locations * sizes[1]);
    this.#column = memory.scratch(core.kernels.sortBytes(Math.max(trajectories, sizes[1])));
    this.order = memory.scratch(4 * locations * trajectories);
    this.member = memory.scratch(4 * locations * trajectories);
    this.switchDay = memory.scratch(4 * locations * trajectories);
    this.#job = new SeamJob(memory, {
      sorted: this.#sorted,
      trajectories,
      laterSorted: this.#laterSorted,
      members: sizes[1],
      earlier: before?.member ?? 0,
      earlierOrder: before?.order ?? 0,
      earlierMembers: sizes[0],
      rules: rulesAt,
      swaps: swaps.length,
      edges: edgesAt,
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
    const { kernels, memory } = this.#core;
    for (const read of this.#readers) read();
    this.#copyToTrajectories(locations);
    kernels.orderMembers(this.#trajectoryMeans, this.#trajectories, locations, this.#column, this.#sorted);
    kernels.orderMembers(this.#laterMeans, this.#sizes[1], locations, this.#column, this.#laterSorted);
    this.#job.set(locations);
    kernels.joinMembers(this.#job.address);
    const length = locations * this.#trajectories;
    const at = location * this.#trajectories;
    this.#seam.member.set(memory.int32(this.member, length), at);
    this.#seam.switchDay.set(memory.int32(this.switchDay, length), at);
  }

  /**
   * Copies the means of the earlier horizon's members to those trajectories that continue them: in the order of their
   * ranks at the seam before, so that trajectories of the same member keep that order. Before the first seam,
   * trajectories are members.
   */
  #copyToTrajectories(locations: number): void {
    const before = this.#before;
    if (before === undefined) return;
    this.#core.kernels.trajectoryValues(
      this.#earlierMeans,
      this.#sizes[0],
      before.member,
      before.order,
      this.#trajectories,
      locations,
      this.#trajectoryMeans,
    );
  }
}

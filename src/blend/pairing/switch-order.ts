/** The day of an overlap on which each rank switches to the later horizon. */
export interface SwitchOrder {
  /** By rank: 0 for the first day of the overlap, and so on; the number of its days for the day after its last. */
  readonly steps: Int32Array;
  /**
   * Pairs of neighbouring ranks: one switches at an edge of the overlap, the other inside; each rank is in one pair at
   * most.
   */
  readonly swaps: readonly { readonly atEdge: number; readonly inside: number }[];
}

/**
 * Finds the order in which members switch, by rank.
 *
 * Of `members` members, `round(members * d / (overlapDays + 1))` have switched by day `d` of the overlap, counted from
 * 1, so that the ensemble is the linearly weighted mixture of both horizons; the members that switch on one day are
 * spread evenly over the ranks.
 */
export function switchOrder(members: number, overlapDays: number): SwitchOrder {
  // Multiples of the golden ratio, modulo 1, fill the unit interval evenly, so the ranks whose multiple is below a
  // limit are spread evenly, too. Counted from the middle, low ranks switch as early as high ones switch late.
  const middle = (members - 1) / 2;
  const phase = Float64Array.from({ length: members }, (_, rank) => fraction((rank - middle) * GOLDEN_RATIO));
  const order = Int32Array.from(phase.keys()).sort((a, b) => phase[a] - phase[b]);
  const steps = new Int32Array(members);
  let step = 0;
  for (let place = 0; place < members; place++) {
    while (place >= Math.round((members * (step + 1)) / (overlapDays + 1))) step++;
    steps[order[place]] = step;
  }
  return { steps, swaps: edgeSwaps(steps, overlapDays) };
}

function edgeSwaps(steps: Int32Array, overlapDays: number): { atEdge: number; inside: number }[] {
  const isEdge = (rank: number) => steps[rank] === 0 || steps[rank] === overlapDays;
  const taken = new Set<number>();
  const isFree = (rank: number) => rank >= 0 && rank < steps.length && !taken.has(rank) && !isEdge(rank);
  const swaps: { atEdge: number; inside: number }[] = [];
  steps.forEach((_, atEdge) => {
    const inside = [atEdge + 1, atEdge - 1].find(isFree);
    if (!isEdge(atEdge) || inside === undefined) return;
    taken.add(inside);
    swaps.push({ atEdge, inside });
  });
  return swaps;
}

/** The rank among `available` that takes the place of `rank` among `wanted`: evenly spaced. */
export function evenRank(rank: number, wanted: number, available: number): number {
  return Math.floor(((2 * rank + 1) * available) / (2 * wanted));
}

function fraction(x: number): number {
  return x - Math.floor(x);
}

const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

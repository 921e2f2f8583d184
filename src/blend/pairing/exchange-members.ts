import type { Core } from '../../core/load.js';
import { type Aim, planeBytes, planeRow } from './seam-aims.js';
import { place } from './seam-anomalies.js';

/** What it counts when members keep the partner that they have in another permutation. */
export interface Loyalty {
  readonly partners: Int32Array;
  /** The worth of a member that does. */
  readonly worth: number;
}

/**
 * Exchanges the partners of two members at a time, each time those whose exchange brings the sums nearest to what is
 * aimed at, until no exchange does, or there were four for each member. Members that are `settled` keep theirs. Changes
 * `partners`, a permutation, and the first of the planes.
 */
export function exchangeMembers(
  core: Core,
  partners: Int32Array,
  aims: readonly Aim[],
  settled: Uint8Array,
  loyalty?: Loyalty,
): void {
  const { memory, kernels } = core;
  const members = partners.length;
  const row = planeRow(members);
  const mark = memory.mark();
  const list = memory.scratch(4 * members);
  const steps = memory.scratch(planeBytes(members) * (aims.length + 1));
  const kept = memory.scratch(planeBytes(members));
  const planeAt = (address: number) => memory.float64(address, row * members);
  const factors = aims.map(({ products, target }) => {
    const plane = planeAt(products);
    const sum = partners.reduce((total, partner, i) => total + plane[i * row + partner], 0);
    return [1, 2 * (sum - target), products];
  });
  if (loyalty !== undefined) {
    // Each partner that is kept is worth something, whatever is aimed at.
    const plane = planeAt(kept).fill(0);
    loyalty.partners.forEach((partner, i) => {
      plane[i * row + partner] = 1;
    });
    factors.unshift([0, -loyalty.worth, kept]);
  }
  // What is not a number is no gain.
  settled.forEach((isSettled, i) => {
    if (isSettled && factors.length > 0) planeAt(factors[0][2]).fill(Number.NaN, i * row, (i + 1) * row);
  });
  memory.int32(list, members).set(partners);
  kernels.exchangePartners(list, members, place(core, factors.flat()), factors.length, steps);
  partners.set(memory.int32(list, members));
  memory.release(mark);
}

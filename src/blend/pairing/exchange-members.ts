import type { Aim } from './seam-aims.js';

/** What it counts when members keep the partner that they have in another permutation. */
export interface Loyalty {
  readonly partners: Int32Array;
  /** The worth of a member that does. */
  readonly worth: number;
}

/** An exchange that lessens the squared deviations from the aims by less is not made. */
const LEAST_GAIN = 1e-6;

/**
 * Exchanges the partners of two members at a time, each time those whose exchange brings the sums nearest to what is
 * aimed at, until no exchange does, or there were four for each member. Members that are `settled` keep theirs. Changes
 * `partners`, a permutation.
 */
export function exchangeMembers(
  partners: Int32Array,
  aims: readonly Aim[],
  settled: Uint8Array,
  loyalty?: Loyalty,
): void {
  const members = partners.length;
  const deviations = aims.map(({ products, target }) => {
    let sum = 0;
    for (let i = 0; i < members; i++) sum += products[i * members + partners[i]];
    return sum - target;
  });
  // By aim and pair: what the exchange of their partners adds to the sum. It changes for pairs of those that did.
  const steps = aims.map(() => new Float64Array(members * members));
  const findSteps = (member: number, from: number) => {
    for (let other = from; other < members; other++) {
      const [i, j] = member < other ? [member, other] : [other, member];
      for (let a = 0; a < aims.length; a++)
        steps[a][i * members + j] = stepOf(aims[a].products, members, partners, i, j);
    }
  };
  for (let i = 0; i < members; i++) findSteps(i, i + 1);
  for (let exchange = 0; exchange < 4 * members; exchange++) {
    let [first, second, least] = [0, 0, -LEAST_GAIN];
    for (let i = 0; i < members; i++) {
      if (settled[i]) continue;
      for (let j = i + 1; j < members; j++) {
        if (settled[j]) continue;
        let change = loyalty === undefined ? 0 : loyaltyLost(partners, loyalty, i, j);
        for (let a = 0; a < aims.length; a++) {
          const step = steps[a][i * members + j];
          change += step * (step + 2 * deviations[a]);
        }
        if (change < least) [first, second, least] = [i, j, change];
      }
    }
    if (first === second) return;
    for (let a = 0; a < aims.length; a++) deviations[a] += steps[a][first * members + second];
    [partners[first], partners[second]] = [partners[second], partners[first]];
    findSteps(first, 0);
    findSteps(second, 0);
  }
}

/** What the exchange of two members' partners adds to a sum over pairs. */
function stepOf(products: Float64Array, members: number, partners: Int32Array, i: number, j: number): number {
  const [a, b] = [partners[i], partners[j]];
  const [row, other] = [i * members, j * members];
  return products[row + b] - products[row + a] + products[other + a] - products[other + b];
}

function loyaltyLost(partners: Int32Array, { partners: own, worth }: Loyalty, i: number, j: number): number {
  const [a, b] = [partners[i], partners[j]];
  const kept = Number(own[i] === a) + Number(own[j] === b);
  const gained = Number(own[i] === b) + Number(own[j] === a);
  return worth * (kept - gained);
}

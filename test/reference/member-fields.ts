import type { Loyalty } from '../../src/blend/pairing/exchange-members.js';
import type { Aim } from '../../src/blend/pairing/seam-aims.js';
import type { Anomalies, DayRange } from '../../src/blend/pairing/seam-anomalies.js';

/** How often a day of the earlier horizon and one of the later are met by a kind of pairs of days. */
type DayWeight = (earlier: number, later: number) => number;

/** The slow twin of `memberProducts` of `assembly/core/member-fields.ts`, and of what calls it. */
export function memberProducts(
  earlier: Anomalies,
  later: Anomalies,
  weights: Float64Array,
  weightOf: DayWeight,
): Float64Array {
  const [ours, theirs] = [earlier, later].map(({ days }) => days.to - days.from);
  const { cells } = earlier;
  const { members } = later;
  const products = new Float64Array(earlier.members * members);
  const pairs = dayPairs(earlier.days, later.days, weightOf);
  const [first, end] = [Math.min(...pairs.map(({ e }) => e)), Math.max(...pairs.map(({ e }) => e)) + 1];
  const length = (end - first) * cells;
  const weighted = new Float64Array(Math.max(0, length));
  for (let i = 0; i < earlier.members; i++) {
    weighted.fill(0);
    for (const { d, e, weight } of pairs) {
      const from = (i * ours + d) * cells;
      const to = (e - first) * cells;
      for (let c = 0; c < cells; c++) weighted[to + c] += weight * weights[c] * earlier.values[from + c];
    }
    // Two members at a time: half as many values are read, and one sum does not wait for the other.
    for (let j = 0; j < members; j += 2) {
      const one = (j * theirs + first) * cells;
      const other = (Math.min(j + 1, members - 1) * theirs + first) * cells;
      let [sum, otherSum] = [0, 0];
      for (let k = 0; k < length; k++) {
        sum += weighted[k] * later.values[one + k];
        otherSum += weighted[k] * later.values[other + k];
      }
      products[i * members + j] = sum;
      if (j + 1 < members) products[i * members + j + 1] = otherSum;
    }
  }
  return products;
}

function dayPairs(ours: DayRange, theirs: DayRange, weightOf: DayWeight) {
  const pairs: { readonly d: number; readonly e: number; readonly weight: number }[] = [];
  for (let d = ours.from; d < ours.to; d++) {
    for (let e = theirs.from; e < theirs.to; e++) {
      const weight = weightOf(d, e);
      if (weight !== 0) pairs.push({ d: d - ours.from, e: e - theirs.from, weight });
    }
  }
  return pairs;
}

/** An exchange that lessens the squared deviations from the aims by less is not made. */
const LEAST_GAIN = 1e-6;

/** `exchangeMembers`, which finds what every exchange changes each time. */
export function slowExchange(partners: Int32Array, aims: readonly Aim[], settled: Uint8Array, loyalty?: Loyalty): void {
  const members = partners.length;
  const deviations = aims.map(({ products, target }) => {
    let sum = 0;
    for (let i = 0; i < members; i++) sum += products[i * members + partners[i]];
    return sum - target;
  });
  for (let exchange = 0; exchange < 4 * members; exchange++) {
    let [first, second, least] = [0, 0, -LEAST_GAIN];
    for (let i = 0; i < members; i++) {
      if (settled[i]) continue;
      for (let j = i + 1; j < members; j++) {
        if (settled[j]) continue;
        let change = loyalty === undefined ? 0 : loyaltyLost(partners, loyalty, i, j);
        for (let a = 0; a < aims.length; a++) {
          const step = stepOf(aims[a].products, members, partners, i, j);
          change += step * (step + 2 * deviations[a]);
        }
        if (change < least) [first, second, least] = [i, j, change];
      }
    }
    if (first === second) return;
    for (let a = 0; a < aims.length; a++) deviations[a] += stepOf(aims[a].products, members, partners, first, second);
    [partners[first], partners[second]] = [partners[second], partners[first]];
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

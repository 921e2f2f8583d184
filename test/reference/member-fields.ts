import type { Loyalty } from '../../src/blend/pairing/exchange-members.js';
import type { DayRange } from '../../src/blend/pairing/seam-anomalies.js';
import type { SeamDays } from '../../src/blend/plan-timeline.js';

/**
 * The slow twin of the kernels of `assembly/core/member-fields.ts` and of what calls them: every sum in the same order, so
 * that results are the same to the last bit.
 */

const WEEK = 7;

/** Departures of members from their ensemble's mean on each day, in standard deviations; 0 where missing. */
export interface Anomalies {
  readonly members: number;
  readonly days: DayRange;
  readonly cells: number;
  /** By member, day and cell. */
  readonly values: Float64Array;
}

/**
 * The anomalies of some members, which may be repeated, at some of the sampled cells. They are not yet divided by
 * standard deviations.
 */
export function departures(
  sampled: { value(member: number, cell: number, day: number): number },
  members: Int32Array,
  cells: readonly number[],
  days: DayRange,
): Anomalies {
  const length = (days.to - days.from) * cells.length;
  const values = new Float64Array(members.length * length);
  const sums = new Float64Array(length);
  const counts = new Float64Array(length);
  let at = 0;
  for (const member of members) {
    for (let k = 0, day = days.from; day < days.to; day++) {
      for (let c = 0; c < cells.length; c++, k++) {
        const value = sampled.value(member, cells[c], day);
        values[at++] = value;
        if (Number.isNaN(value)) continue;
        sums[k] += value;
        counts[k]++;
      }
    }
  }
  // What is missing is NaN: it departs by 0.
  for (let i = 0; i < at; i++) values[i] = values[i] - sums[i % length] / counts[i % length] || 0;
  return { members: members.length, days, cells: cells.length, values };
}

/**
 * Divides the anomalies of two ensembles by the standard deviation of both at each cell, over the days on which they are
 * compared. A cell that does not vary counts 0.
 */
export function standardize(
  earlier: Anomalies,
  later: Anomalies,
  compared: { readonly earlier: DayRange; readonly later: DayRange },
): void {
  const variance = new Float64Array(earlier.cells);
  for (const [{ values, members, days, cells }, { from, to }] of [
    [earlier, compared.earlier] as const,
    [later, compared.later] as const,
  ]) {
    const span = days.to - days.from;
    const count = members * (to - from);
    for (let m = 0; m < members; m++) {
      for (let day = from; day < to; day++) {
        const at = (m * span + day - days.from) * cells;
        for (let c = 0; c < cells; c++) variance[c] += values[at + c] ** 2 / (2 * count);
      }
    }
  }
  const scale = variance.map((square) => (square > 0 ? 1 / Math.sqrt(square) : 0));
  for (const { values, cells } of [earlier, later]) {
    for (let at = 0; at < values.length; at += cells) {
      for (let c = 0; c < cells; c++) values[at + c] *= scale[c];
    }
  }
}

/** The means of anomalies over groups of cells; `groupOf` names the group of each cell. */
export function meansOfGroups(
  { members, days, cells, values }: Anomalies,
  groupOf: Uint8Array,
  weights: Float64Array,
): { readonly means: Anomalies; readonly weights: Float64Array } {
  const groups = [...new Set(groupOf)].sort();
  const places = Uint8Array.from(groupOf, (group) => groups.indexOf(group));
  const sums = new Float64Array(groups.length);
  weights.forEach((weight, c) => {
    sums[places[c]] += weight;
  });
  const rows = values.length / cells;
  const means = new Float64Array(rows * groups.length);
  for (let row = 0; row < rows; row++) {
    for (let c = 0; c < cells; c++) {
      means[row * groups.length + places[c]] += (values[row * cells + c] * weights[c]) / sums[places[c]];
    }
  }
  return { means: { members, days, cells: groups.length, values: means }, weights: sums };
}

/** What a pairing aims at: a covariance across the seam, as a sum over pairs of members. */
export interface Aim {
  /** By earlier and later member: what the pair adds to the sum. Divided by the tolerance below, as `target` is. */
  readonly products: Float64Array;
  /** The sum that trajectories of one model have. */
  readonly target: number;
}

/** How often a day of the earlier horizon and one of the later are met by a kind of pairs of days. */
type DayWeight = (earlier: number, later: number) => number;

/**
 * What weeks across a seam, and neighbouring days, have in common inside of the horizons, at one scale. `weights` are
 * the areas of the cells, `importance` counts the deviations of the scale. Where values have no memory the tolerance is
 * a tenth of what they could have in common.
 */
export function aimsOfScale(
  earlier: Anomalies,
  later: Anomalies,
  weights: Float64Array,
  seam: SeamDays,
  importance: number,
): Aim[] {
  const memory = autocorrelations([earlier, later]);
  const spreads = [earlier, later].map((anomalies) => spreadByDay(anomalies, weights));
  const kinds: [DayWeight, number][] = [
    [weeksAcross(seam), 1],
    [daysAcross(seam), 1 / 4],
  ];
  return kinds.flatMap(([weightOf, share]) => {
    let [expected, most] = [0, 0];
    for (let d = earlier.days.from; d < earlier.days.to; d++) {
      for (let e = Math.max(d + 1, later.days.from); e < Math.min(later.days.to, d + WEEK); e++) {
        const size = weightOf(d, e) * spreads[0][d - earlier.days.from] * spreads[1][e - later.days.from];
        expected += size * memory[e - d];
        most += size;
      }
    }
    if (most === 0) return [];
    // Two ensembles have independent errors of their means: this returns what weeks lose by them.
    const members = earlier.members;
    const target = (expected * members * members) / (members - 1);
    const tolerance = Math.max(target, 0.1 * members * most) / Math.sqrt(importance * share);
    const products = pairProducts(earlier, later, weights, weightOf).map((product) => product / tolerance);
    return { products, target: target / tolerance };
  });
}

/** The number of weeks that have both days and the switch between them, averaged over the days of the switch. */
function weeksAcross({ handOver, complete }: SeamDays): DayWeight {
  return (d, e) => {
    const switches = Math.max(0, Math.min(e, complete) - Math.max(d + 1, handOver) + 1);
    return (Math.max(0, WEEK - (e - d)) * switches) / (complete - handOver + 1);
  };
}

function daysAcross({ handOver, complete }: SeamDays): DayWeight {
  return (d, e) => (e === d + 1 && e >= handOver && e <= complete ? 1 : 0);
}

/**
 * How much alike members are on the days on which they are compared: the same days of the overlap, or the adjoining
 * ones of horizons that only touch. By earlier and later member.
 */
export function likeness(
  earlier: Anomalies,
  later: Anomalies,
  weights: Float64Array,
  { overlapDays, comparedEarlier, comparedLater, comparedDays }: SeamDays,
): Float64Array {
  const last = comparedEarlier + comparedDays - 1;
  const isCompared: DayWeight =
    overlapDays > 0
      ? (d, e) => (d === e && d >= comparedEarlier && d <= last ? 1 : 0)
      : (d, e) => (d === last && e === comparedLater ? 1 : 0);
  return pairProducts(earlier, later, weights, isCompared);
}

/** Products of anomalies, summed over cells and pairs of days, by earlier and later member. */
function pairProducts(earlier: Anomalies, later: Anomalies, weights: Float64Array, weightOf: DayWeight): Float64Array {
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

/** The correlation of anomalies with themselves after 0 to 6 days, inside of both horizons. */
function autocorrelations(both: readonly Anomalies[]): number[] {
  return Array.from({ length: WEEK }, (_, lag) => {
    const found = both.map((anomalies) => autocorrelation(anomalies, lag)).filter((value) => !Number.isNaN(value));
    return found.length === 0 ? 0 : found.reduce((sum, value) => sum + value, 0) / found.length;
  });
}

function autocorrelation({ values, members, days, cells }: Anomalies, lag: number): number {
  const span = days.to - days.from;
  const shift = lag * cells;
  let [products, before, after] = [0, 0, 0];
  for (let m = 0; m < members; m++) {
    const end = (m + 1) * span * cells - shift;
    for (let at = m * span * cells; at < end; at++) {
      products += values[at] * values[at + shift];
      before += values[at] ** 2;
      after += values[at + shift] ** 2;
    }
  }
  return products / Math.sqrt(before * after);
}

/** The standard deviation over members and cells on each day. */
function spreadByDay({ values, members, days, cells }: Anomalies, weights: Float64Array): Float64Array {
  const span = days.to - days.from;
  const squares = new Float64Array(span);
  for (let m = 0; m < members; m++) {
    for (let d = 0; d < span; d++) {
      const at = (m * span + d) * cells;
      for (let c = 0; c < cells; c++) squares[d] += (weights[c] * values[at + c] ** 2) / members;
    }
  }
  return squares.map(Math.sqrt);
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

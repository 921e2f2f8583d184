import type { Core } from '../../core/load.js';
import type { SeamDays } from '../plan-timeline.js';
import type { Anomalies } from './seam-anomalies.js';

/** Days before and after a hand-over that are in one week with a day on its other side. */
const WEEK = 7;
export const DAYS_AROUND = WEEK - 1;

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
  core: Core,
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
    const products = pairProducts(core, earlier, later, weights, weightOf).map((product) => product / tolerance);
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
  core: Core,
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
  return pairProducts(core, earlier, later, weights, isCompared);
}

/** Products of anomalies, summed over cells and pairs of days, by earlier and later member. */
function pairProducts(
  { memory, kernels }: Core,
  earlier: Anomalies,
  later: Anomalies,
  weights: Float64Array,
  weightOf: DayWeight,
): Float64Array {
  const mark = memory.mark();
  const place = (numbers: ArrayLike<number>) => {
    const address = memory.scratch(8 * numbers.length);
    memory.float64(address, numbers.length).set(numbers);
    return address;
  };
  const { members, cells } = earlier;
  const dayBytes = 8 * cells;
  const [ours, theirs] = [place(earlier.values), place(later.values)];
  const pairs: [d: number, e: number, weight: number][] = [];
  for (let d = earlier.days.from; d < earlier.days.to; d++) {
    for (let e = later.days.from; e < later.days.to; e++) {
      const weight = weightOf(d, e);
      if (weight !== 0) pairs.push([d, e, weight]);
    }
  }
  const lateDays = pairs.map(([, e]) => e);
  const from = Math.min(...lateDays);
  const bytes = dayBytes * (Math.max(...lateDays) + 1 - from);
  const numbers = [
    ...weights,
    ...pairs.flatMap(([d, e, weight]) => [ours + (d - earlier.days.from) * dayBytes, (e - from) * dayBytes, weight]),
  ];
  const table = place(numbers);
  // The kernel computes eight members at a time.
  const row = 8 * Math.ceil(members / 8);
  const out = memory.scratch(8 * row * members);
  kernels.memberProducts(
    members,
    dayBytes * (earlier.days.to - earlier.days.from),
    dayBytes * (later.days.to - later.days.from),
    theirs + dayBytes * (from - later.days.from),
    bytes,
    table,
    table + dayBytes,
    table + 8 * numbers.length,
    memory.scratch(bytes * (1 + row)),
    out,
  );
  const products = new Float64Array(members * members);
  for (let i = 0; i < members; i++) products.set(memory.float64(out + 8 * i * row, members), i * members);
  memory.release(mark);
  return products;
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

import type { Core } from '../../core/load.js';
import type { SeamDays } from '../plan-timeline.js';
import { type Anomalies, addColumns, type Both, place, zeros } from './seam-anomalies.js';

/** Days before and after a hand-over that are in one week with a day on its other side. */
const WEEK = 7;
export const DAYS_AROUND = WEEK - 1;

/** What a pairing aims at: a covariance across the seam, as a sum over pairs of members. */
export interface Aim {
  /** The address of a plane: what each pair adds to the sum. Divided by the tolerance below, as `target` is. */
  readonly products: number;
  /** The sum that trajectories of one model have. */
  readonly target: number;
}

/** How many numbers a plane, for each earlier (row) and later member, has in a row: kernels compute four at a time. */
export function planeRow(members: number): number {
  return 4 * Math.ceil(members / 4);
}

/** The bytes of a plane, which has as many rows. */
export function planeBytes(members: number): number {
  return 8 * planeRow(members) ** 2;
}

/** How often a day of the earlier horizon and one of the later are met by a kind of pairs of days. */
type DayWeight = (earlier: number, later: number) => number;

/**
 * What weeks across a seam, and neighbouring days, have in common inside of the horizons, at one scale. `weights` are
 * the areas of the columns, `importance` counts the deviations of the scale. Where values have no memory the tolerance
 * is a tenth of what they could have in common.
 */
export function aimsOfScale(core: Core, both: Both, weights: Float64Array, seam: SeamDays, importance: number): Aim[] {
  const [earlier, later] = both;
  const memory = autocorrelations(core, both);
  const spreads = both.map((anomalies) => spreadByDay(core, anomalies, weights));
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
    const { members } = earlier;
    const target = (expected * members * members) / (members - 1);
    const tolerance = Math.max(target, 0.1 * members * most) / Math.sqrt(importance * share);
    const products = productsOf(core, both, weights, weightOf, tolerance);
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
 * How much alike members are on the days on which they are compared: the same days of the overlap, or the adjoining ones
 * of horizons that only touch. The address of a plane in scratch of the core.
 */
export function likeness(
  core: Core,
  both: Both,
  weights: Float64Array,
  { overlapDays, comparedEarlier, comparedLater, comparedDays }: SeamDays,
): number {
  const last = comparedEarlier + comparedDays - 1;
  const isCompared: DayWeight =
    overlapDays > 0
      ? (d, e) => (d === e && d >= comparedEarlier && d <= last ? 1 : 0)
      : (d, e) => (d === last && e === comparedLater ? 1 : 0);
  return productsOf(core, both, weights, isCompared, 1);
}

/** Products of anomalies, summed over columns and pairs of days, and divided: the address of a plane. */
function productsOf(
  core: Core,
  [earlier, later]: Both,
  weights: Float64Array,
  weightOf: DayWeight,
  divisor: number,
): number {
  const { memory, kernels } = core;
  const { members, columns } = earlier;
  const plane = memory.scratch(planeBytes(members));
  const mark = memory.mark();
  const dayBytes = 8 * columns;
  // For each pair of days the address of the earlier one, the place of the later one, and the weight.
  const pairs: number[] = [];
  let [from, to] = [later.days.to, 0];
  for (let d = earlier.days.from; d < earlier.days.to; d++) {
    const address = earlier.address + (d - earlier.days.from) * dayBytes;
    for (let e = later.days.from; e < later.days.to; e++) {
      const weight = weightOf(d, e);
      if (weight === 0) continue;
      pairs.push(address, e, weight);
      from = Math.min(from, e);
      to = Math.max(to, e + 1);
    }
  }
  for (let at = 1; at < pairs.length; at += 3) pairs[at] = (pairs[at] - from) * dayBytes;
  const bytes = dayBytes * (to - from);
  kernels.memberProducts(
    members,
    dayBytes * (earlier.days.to - earlier.days.from),
    dayBytes * (later.days.to - later.days.from),
    later.address + dayBytes * (from - later.days.from),
    bytes,
    columns,
    place(core, weights),
    place(core, pairs),
    pairs.length / 3,
    divisor,
    memory.scratch(bytes * (2 + planeRow(members))),
    plane,
  );
  memory.release(mark);
  return plane;
}

/** The correlation of anomalies with themselves after 0 to 6 days, inside of both horizons. */
function autocorrelations({ memory, kernels }: Core, [earlier, later]: Both): number[] {
  const { members, columns } = earlier;
  const mark = memory.mark();
  const out = memory.scratch(16 * WEEK);
  const spanOf = ({ days }: Anomalies) => days.to - days.from;
  const correlations = (one: Anomalies, other: Anomalies) => {
    const memberBytes = 8 * columns * spanOf(one);
    kernels.lagCorrelations(one.address, other.address, members, memberBytes, 8 * columns, WEEK, out);
    return memory.float64(out, 2 * WEEK).slice();
  };
  // Two at a time have as many days.
  const areAlike = spanOf(earlier) === spanOf(later);
  const first = correlations(earlier, areAlike ? later : earlier);
  const second = areAlike ? first : correlations(later, later);
  memory.release(mark);
  return Array.from({ length: WEEK }, (_, lag) => {
    const found = [first[2 * lag], second[2 * lag + 1]].filter((value) => !Number.isNaN(value));
    return found.reduce((sum, value) => sum + value / found.length, 0);
  });
}

/** The standard deviation over members and columns on each day. */
function spreadByDay(core: Core, anomalies: Anomalies, weights: Float64Array): Float64Array {
  const { members, days } = anomalies;
  const span = days.to - days.from;
  const out = zeros(core, span);
  addColumns(core, anomalies, days.from, span, (c) => [0, weights[c], members], out, 8, 0, 1);
  return core.memory.float64(out, span).map(Math.sqrt);
}

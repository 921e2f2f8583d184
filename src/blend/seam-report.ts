import { assertObject } from '../check/option-checks.js';
import type { EnsembleField } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import type { Places } from '../ensemble/nearest-place.js';
import { unusable } from '../errors.js';
import type { Horizon } from './horizon.js';
import { assertPairing, assertPlaces, type Pairing, type SeamPairing } from './pairing/pairing.js';

/** How consistent a timeline is where one horizon hands over to the next. */
export interface SeamReport {
  /** The names of the two horizons. */
  readonly earlier: string;
  readonly later: string;
  /** Day numbers: the first day on which a member may come from the later horizon, and the first on which all do. */
  readonly handOver: number;
  readonly complete: number;
  /** The days that both horizons have and in which members switch; 0 where they only touch. */
  readonly overlapDays: number;
  /** How many members of the later horizon are in use, at each location. */
  readonly distinctMembers: number;
  /**
   * The later horizon's mean minus the earlier one's, over the days that both have (or the adjoining ones), in the
   * variable's unit.
   */
  readonly jump: number;
  /** The variance over members of the later horizon, divided by the earlier one's, over the same days. */
  readonly varianceRatio: number;
  /**
   * Spearman's rank correlation over members between one day of the timeline and the next, averaged over days and
   * locations: across the seam, from the day before the hand-over to its end, and inside the horizons, over as many
   * days before and after.
   */
  readonly correlationAcross: number;
  readonly correlationInside: number;
  /**
   * The variance over members of the mean over all locations, weighted by the cosine of latitude where it is known, on
   * the seven days from the end of the hand-over on: of the timeline, divided by the later horizon's. It is 1 where
   * members are fields, and small where each location is paired by itself. NaN for a single location.
   */
  readonly areaVariance: number;
  /**
   * Totals over the seven days around the middle of the hand-over: their variance over members, divided by the mean
   * variance of the last seven days before the hand-over and the first seven after it; and the share of members above
   * the upper tenth of the totals of these two weeks, divided by their own share: NaN where fewer than 50 are.
   */
  readonly weekVariance: number;
  readonly weekTail: number;
}

/** The maximum number of locations that a report looks at, spread evenly over all. */
export const MAX_REPORTED_CELLS = 1000;

/**
 * Reports on each seam of a timeline, as `blend` returns it: how the two horizons agree where they meet, whether members
 * keep their persistence across the seam and are fields after it, and how weeks across it vary. Of a large field it looks at 1,000 locations. Missing members are
 * ignored; NaN where no value is left.
 */
export function seamReport(timeline: {
  readonly horizons: readonly Horizon[];
  readonly field: EnsembleField;
  readonly pairing: Pairing;
  /** The places of the locations, where they are known. */
  readonly places?: Places;
}): SeamReport[] {
  assertObject('timeline', timeline, 'what blend returns');
  const { horizons, field, pairing, places } = timeline;
  assertPairing(pairing);
  if (!Array.isArray(horizons)) throw unusable('timeline.horizons', horizons, 'those that blend returns');
  if (places !== undefined) assertPlaces(places, field?.cells);
  for (const one of [field, ...horizons.map((horizon) => horizon?.field)]) assertTimelineField(one);
  const step = Math.ceil(field.cells / MAX_REPORTED_CELLS);
  const cells = Array.from({ length: Math.ceil(field.cells / step) }, (_, i) => i * step);
  return pairing.seams.slice(0, horizons.length - 1).map((seam, s) => {
    const [earlier, later] = [horizons[s], horizons[s + 1]];
    return {
      earlier: earlier.name,
      later: later.name,
      handOver: seam.handOver,
      complete: seam.complete,
      overlapDays: seam.overlapDays,
      distinctMembers: seam.distinctMembers,
      ...compareHorizons(earlier.field, later.field, seam, cells),
      ...persistence(field, pairing, s, cells),
      areaVariance: areaVariance(field, later.field, seam, cells, places),
      ...weeksAcross(field, pairing, s, cells),
    };
  });
}

function assertTimelineField(field: unknown): void {
  const { members, days, cells, firstDay }: Partial<EnsembleField> = field ?? {};
  const areCounts = [days, cells, firstDay].every(Number.isSafeInteger);
  if (areCounts && Array.isArray(members) && members.every((member) => member instanceof MemberColumn)) return;
  throw unusable('timeline.field', members, 'a field of members by day and location, as blend returns it');
}

function compareHorizons(earlier: EnsembleField, later: EnsembleField, seam: SeamPairing, cells: readonly number[]) {
  const jumps: number[] = [];
  let [before, after] = [0, 0];
  for (const cell of cells) {
    for (let d = 0; d < seam.comparedDays; d++) {
      const ours = membersOn(earlier, cell, seam.comparedEarlier + d);
      const theirs = membersOn(later, cell, seam.comparedLater + d);
      if (ours.length < 2 || theirs.length < 2) continue;
      jumps.push(mean(theirs) - mean(ours));
      before += variance(ours);
      after += variance(theirs);
    }
  }
  return { jump: mean(jumps), varianceRatio: after / before };
}

/** The members' values on a day, without missing ones. */
function membersOn(field: EnsembleField, cell: number, day: number): number[] {
  return valuesOn(field, cell, day).filter((value) => !Number.isNaN(value));
}

function valuesOn({ members, days, firstDay }: EnsembleField, cell: number, day: number): number[] {
  const at = day - firstDay;
  return members.map((member) => (at >= 0 && at < days ? member.value(cell * days + at) : Number.NaN));
}

function persistence(field: EnsembleField, { firstDay, seams }: Pairing, s: number, cells: readonly number[]) {
  const { handOver, complete } = seams[s];
  const transitions = complete - handOver + 1;
  // Inside are the days nearest to the seam on which the timeline comes from one horizon.
  const firstInside = Math.max(handOver - transitions, (seams[s - 1]?.complete ?? firstDay) + 1);
  const endInside = Math.min(complete + 1 + transitions, seams[s + 1]?.handOver ?? Number.POSITIVE_INFINITY);
  const first = Math.max(firstDay + 1, Math.min(firstInside, handOver));
  const end = Math.min(firstDay + field.days, Math.max(endInside, complete + 1));
  const across: number[] = [];
  const inside: number[] = [];
  for (const cell of cells) {
    let before = valuesOn(field, cell, first - 1);
    for (let day = first; day < end; day++) {
      const values = valuesOn(field, cell, day);
      const correlation = rankCorrelation(before, values);
      const isAcross = day >= handOver && day <= complete;
      if (!Number.isNaN(correlation)) (isAcross ? across : inside).push(correlation);
      before = values;
    }
  }
  return { correlationAcross: mean(across), correlationInside: mean(inside) };
}

const WEEK = 7;
/** Shares of fewer totals say little. */
const LEAST_RARE = 50;

function areaVariance(
  field: EnsembleField,
  later: EnsembleField,
  { complete }: SeamPairing,
  cells: readonly number[],
  places: Places | undefined,
): number {
  if (cells.length < 2) return Number.NaN;
  const weightOf = (cell: number) => {
    const latitude = places?.latitude[cell] ?? Number.NaN;
    return Number.isNaN(latitude) ? 1 : Math.cos((latitude * Math.PI) / 180);
  };
  const weights = cells.map(weightOf);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const of = (one: EnsembleField, day: number) => {
    const values = cells.map((cell) => valuesOn(one, cell, day));
    const means = one.members.map(
      (_, m) => cells.reduce((total, _cell, c) => total + values[c][m] * weights[c], 0) / sum,
    );
    return variance(means.filter((value) => !Number.isNaN(value)));
  };
  let [ours, theirs] = [0, 0];
  for (let day = complete; day < complete + WEEK; day++) {
    const both = [of(field, day), of(later, day)];
    if (both.some(Number.isNaN)) continue;
    ours += both[0];
    theirs += both[1];
  }
  return ours / theirs;
}

/** Variance and upper tail of weekly totals across a seam, against those before and after it. */
function weeksAcross(field: EnsembleField, { seams }: Pairing, s: number, cells: readonly number[]) {
  const { handOver, complete } = seams[s];
  const middle = Math.round((handOver + complete) / 2);
  let [across, inside, above, aboveInside, rare] = [0, 0, 0, 0, 0];
  for (const cell of cells) {
    const [before, week, after] = [handOver - WEEK, middle - 3, complete].map((day) => weekTotals(field, cell, day));
    if (Math.min(before.length, week.length, after.length) < 2) continue;
    across += variance(week);
    inside += (variance(before) + variance(after)) / 2;
    const known = [...before, ...after].sort((a, b) => a - b);
    const limit = known[Math.ceil(0.9 * known.length) - 1];
    above += week.filter((total) => total > limit).length / week.length;
    const count = known.filter((total) => total > limit).length;
    rare += count;
    aboveInside += count / known.length;
  }
  return { weekVariance: across / inside, weekTail: rare < LEAST_RARE ? Number.NaN : above / aboveInside };
}

/** The totals of members over seven days; members with a missing day are left out. */
function weekTotals(field: EnsembleField, cell: number, first: number): number[] {
  const days = Array.from({ length: WEEK }, (_, d) => valuesOn(field, cell, first + d));
  return field.members
    .map((_, m) => days.reduce((total, values) => total + values[m], 0))
    .filter((total) => !Number.isNaN(total));
}

/** The arithmetic mean; NaN for no values. */
export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The sample variance, with n - 1. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  return values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1);
}

/**
 * Spearman's rank correlation of pairs; equal values share the mean of their ranks. Pairs with a missing value are
 * ignored. NaN where fewer than two are left, or all values on one side are equal.
 */
export function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const pairs = [...a.keys()].filter((i) => !Number.isNaN(a[i]) && !Number.isNaN(b[i]));
  const [x, y] = [a, b].map((values) => sharedRanks(pairs.map((i) => values[i])));
  const [meanX, meanY] = [mean(x), mean(y)];
  const covariance = mean(x.map((rank, i) => (rank - meanX) * (y[i] - meanY)));
  const [varianceX, varianceY] = [x, y].map((ranks) => mean(ranks.map((rank) => (rank - meanX) ** 2)));
  return covariance / Math.sqrt(varianceX * varianceY);
}

/** Ranks from 0; equal values share the mean of theirs. */
function sharedRanks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i] - values[j]);
  const ranks = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let place = from; place < to; place++) ranks[order[place]] = (from + to - 1) / 2;
    from = to;
  }
  return ranks;
}

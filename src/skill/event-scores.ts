import type { Skill } from './load-skill.js';
import { readEventKey } from './tally.js';
import type { CountList } from './totals.js';

/** Scores of the probability of an event: the share of members. NaN where there are no cases, or nothing to compare. */
export interface EventScores {
  /** How often it happened. */
  readonly baseRate: number;
  /** The mean square of the probability minus 1 or 0 (Brier 1950). */
  readonly brier: number;
  /** The Brier score that an infinite ensemble would have (Ferro 2014); NaN where an ensemble has one member. */
  readonly fairBrier: number;
  /** Its parts by distinct probabilities (Murphy 1973): brier = reliability - resolution + uncertainty. */
  readonly reliability: number;
  readonly resolution: number;
  readonly uncertainty: number;
  /** The mean of -log2 of the probability (k + 1/2) / (n + 1) of what happened: bits. */
  readonly ignorance: number;
  /** The area under the curve of hit rates over false alarm rates; NaN where the event always or never happened. */
  readonly rocArea: number;
}

/** The cases with one probability. */
export interface ReliabilityPoint {
  readonly probability: number;
  /** How often the event happened; NaN without cases. */
  readonly observed: number;
  /** The weight of the cases, which is their number where all weights are 1: sharpness. */
  readonly cases: number;
}

/** Warning whenever the probability is at least this. */
export interface RocPoint {
  readonly probability: number;
  readonly hitRate: number;
  readonly falseAlarmRate: number;
}

/** The cases by distinct probability, ascending. */
export function reliabilityPoints({ keys, counts }: CountList): ReliabilityPoint[] {
  const points = new Map<number, { happened: number; cases: number }>();
  keys.forEach((key, i) => {
    const { members, holds, happened } = readEventKey(key);
    const probability = holds / members;
    const point = points.get(probability) ?? { happened: 0, cases: 0 };
    point.cases += counts[i];
    if (happened) point.happened += counts[i];
    points.set(probability, point);
  });
  return [...points]
    .filter(([, { cases }]) => cases > 0)
    .sort(([a], [b]) => a - b)
    .map(([probability, { happened, cases }]) => ({ probability, observed: happened / cases, cases }));
}

/** The points of the curve from the highest probability on: from (0, 0), which is no warning at all, to (1, 1). */
export function rocPoints(points: readonly ReliabilityPoint[]): RocPoint[] {
  const events = points.reduce((sum, { observed, cases }) => sum + observed * cases, 0);
  const others = points.reduce((sum, { observed, cases }) => sum + (1 - observed) * cases, 0);
  let hits = 0;
  let falseAlarms = 0;
  const curve = [{ probability: Infinity, hitRate: 0 / events, falseAlarmRate: 0 / others }];
  for (const { probability, observed, cases } of [...points].reverse()) {
    hits += observed * cases;
    falseAlarms += (1 - observed) * cases;
    curve.push({ probability, hitRate: hits / events, falseAlarmRate: falseAlarms / others });
  }
  return curve;
}

/** Makes scores of counts of cases by members for which the event holds, and whether it happened. */
export function eventScores(skill: Skill, list: CountList): EventScores {
  let weight = 0;
  let happenedWeight = 0;
  let brier = 0;
  let correction = 0;
  let ignorance = 0;
  list.keys.forEach((key, i) => {
    const count = list.counts[i];
    if (count === 0) return;
    const { members, holds, happened } = readEventKey(key);
    const miss = holds / members - Number(happened);
    weight += count;
    if (happened) happenedWeight += count;
    brier += count * miss * miss;
    correction += (count * holds * (members - holds)) / (members * members * (members - 1));
    ignorance -= count * skill.tools.kernels.log2(((happened ? holds : members - holds) + 0.5) / (members + 1));
  });
  const points = reliabilityPoints(list);
  const baseRate = happenedWeight / weight;
  const uncertainty = baseRate * (1 - baseRate);
  const mean = (term: (point: ReliabilityPoint) => number) =>
    points.reduce((sum, point) => sum + point.cases * term(point), 0) / weight;
  return {
    ...{ baseRate, brier: brier / weight, fairBrier: (brier - correction) / weight, uncertainty },
    reliability: mean(({ probability, observed }) => (probability - observed) ** 2),
    resolution: mean(({ observed }) => (observed - baseRate) ** 2),
    ignorance: ignorance / weight,
    rocArea: baseRate > 0 && baseRate < 1 ? areaUnder(rocPoints(points)) : Number.NaN,
  };
}

function areaUnder(curve: readonly RocPoint[]): number {
  let area = 0;
  for (let k = 1; k < curve.length; k++) {
    const [from, to] = [curve[k - 1], curve[k]];
    area += (to.falseAlarmRate - from.falseAlarmRate) * (0.5 * (to.hitRate + from.hitRate));
  }
  return area;
}

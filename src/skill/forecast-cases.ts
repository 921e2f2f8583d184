import type { FloatArray } from '../core/number-arrays.js';
import { caseBlocks, WHAT } from './case-blocks.js';
import { type ClimateQuantiles, countEvents, type EventCounts } from './count-event.js';
import { FORECAST_SUMS, type ForecastSum, type ForecastSums } from './group-sums.js';
import type { Skill } from './load-skill.js';
import { type CheckedVerification, conditionsOf, type Events } from './options.js';
import { eventKey, rankKey } from './tally.js';

/** The places of sums. */
const SUM = /* @__PURE__ */ (() =>
  Object.fromEntries(FORECAST_SUMS.map((name, place) => [name, place])) as Record<ForecastSum, number>)();

/** Which cases count, 1 or 0, with what weight, and in which of the groups. */
interface ChosenCases {
  readonly isValid: Uint8Array;
  readonly weights: Float64Array;
  placeOf(i: number): number;
}

/** What is computed of a forecast. */
interface ForecastPlan {
  readonly skill: Skill;
  readonly events: Events;
  readonly options: CheckedVerification;
}

/** The cases of one forecast. */
export class ForecastCases {
  readonly #name: string;
  readonly #members: readonly FloatArray[];
  readonly #observed: readonly EventCounts[];
  readonly #counts: readonly EventCounts[];
  readonly #options: CheckedVerification;
  /** The places of the events "in one of the lowest categories" among all. */
  readonly #cumulative: readonly number[];

  constructor(
    { skill, events, options }: ForecastPlan,
    name: string,
    members: readonly FloatArray[],
    observed: readonly EventCounts[],
    climate: ClimateQuantiles,
  ) {
    this.#name = name;
    this.#members = members;
    this.#observed = observed;
    this.#options = options;
    this.#cumulative = events.cumulative.map((_, k) => events.conditions.length + k);
    this.#counts = countEvents(skill, conditionsOf(events), members, climate);
  }

  /** Adds the cases that count; one with fewer members than `needed` does not any more. */
  addTo(
    skill: Skill,
    groups: readonly ForecastSums[],
    observations: FloatArray,
    chosen: ChosenCases,
    needed: number,
    each?: { readonly crps: Float64Array; readonly rps: Float64Array },
  ): void {
    each?.crps.fill(Number.NaN);
    each?.rps.fill(Number.NaN);
    const { quantiles, decomposition } = this.#options;
    const what = WHAT.crps | WHAT.moments | WHAT.ranks | (quantiles.length > 0 || decomposition ? WHAT.sorted : 0);
    for (const block of caseBlocks(skill, { members: this.#members, observations }, what, this.#name)) {
      for (let k = 0; k < block.cases; k++) {
        const i = block.from + k;
        const members = block.valid[k];
        if (members < needed) chosen.isValid[i] = 0;
        if (chosen.isValid[i] === 0) continue;
        const own = groups[chosen.placeOf(i)];
        const weight = chosen.weights[i];
        const y = observations[i];
        const mean = block.mean[k];
        const error = block.error[k];
        own.add(SUM.error, weight * error);
        own.add(SUM.absoluteError, weight * Math.abs(error));
        own.add(SUM.squaredError, weight * (error * error));
        own.add(SUM.mean, weight * mean);
        own.add(SUM.squaredMean, weight * (mean * mean));
        own.add(SUM.product, weight * (mean * y));
        own.add(SUM.crps, weight * block.crps[k]);
        own.addRange(members > 1 ? weight : 0, mean, mean);
        own.addRank(rankKey(members, block.below[k], block.equal[k]), weight);
        if (members > 1) {
          own.add(SUM.fairCrps, weight * block.fairCrps[k]);
          own.add(SUM.variance, weight * block.variance[k]);
          own.add(SUM.inflatedVariance, weight * (block.variance[k] * (1 + 1 / members)));
        }
        for (let q = 0; q < quantiles.length; q++) {
          const value = quantileOf(block.sorted, k, members, quantiles[q]);
          own.add(FORECAST_SUMS.length + q, weight * ((Number(y < value) - quantiles[q]) * (value - y)));
        }
        if (decomposition) addBins(own, block.sorted, k, members, y, weight);
        if (each !== undefined) {
          each.crps[i] = block.crps[k];
          each.rps[i] = this.#rankedProbabilityScore(i);
        }
        for (let e = 0; e < this.#counts.length; e++) {
          const { known, holds } = this.#counts[e];
          const observed = this.#observed[e];
          if (observed.known[i] === 0 || known[i] === 0) continue;
          own.addEvent(e, eventKey(known[i], holds[i], observed.holds[i] === 1), weight);
        }
      }
    }
  }

  /** The RPS of a case (Epstein 1969); NaN where a limit of its categories is not known. */
  #rankedProbabilityScore(i: number): number {
    let sum = 0;
    for (const e of this.#cumulative) {
      const { known, holds } = this.#counts[e];
      const observed = this.#observed[e];
      if (observed.known[i] === 0 || known[i] === 0) return Number.NaN;
      sum += (holds[i] / known[i] - observed.holds[i]) ** 2;
    }
    return this.#cumulative.length === 0 ? Number.NaN : sum;
  }
}

/** The quantile of type 7 (Hyndman and Fan 1996) of ascending members. */
function quantileOf(sorted: readonly Float64Array[], k: number, members: number, probability: number): number {
  const at = (members - 1) * probability;
  const low = Math.floor(at);
  const share = at - low;
  const value = sorted[low][k];
  return share === 0 ? value : value + share * (sorted[low + 1][k] - value);
}

/** Adds to the mean widths below and above the observation, between neighbouring members (Hersbach 2000, equation 26). */
function addBins(
  own: ForecastSums,
  sorted: readonly Float64Array[],
  k: number,
  members: number,
  y: number,
  weight: number,
): void {
  const bins = own.binsOf(members);
  const [least, greatest] = [sorted[0][k], sorted[members - 1][k]];
  bins.addWeights(weight, y < least ? weight : 0, y > greatest ? weight : 0);
  if (y < least) bins.addBeta(0, weight * (least - y));
  if (y > greatest) bins.addAlpha(members, weight * (y - greatest));
  for (let i = 1; i < members; i++) {
    const [low, high] = [sorted[i - 1][k], sorted[i][k]];
    if (y > low) bins.addAlpha(i, weight * (Math.min(y, high) - low));
    if (y < high) bins.addBeta(i, weight * (high - Math.max(y, low)));
  }
}

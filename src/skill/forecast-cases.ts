import type { FloatArray } from '../core/number-arrays.js';
import { caseBlocks, WHAT } from './case-blocks.js';
import { type ClimateQuantiles, countEvent, type EventCounts } from './count-event.js';
import type { ForecastSums } from './group-sums.js';
import type { Skill } from './load-skill.js';
import { allEvents, type CheckedVerification, type Events } from './options.js';
import { eventKey, rankKey } from './tally.js';

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
    this.#counts = allEvents(events).map(({ condition }) => countEvent(skill, condition, members, climate));
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
        const { sums } = own;
        const mean = block.mean[k];
        const error = block.error[k];
        sums.error.add(weight * error);
        sums.absoluteError.add(weight * Math.abs(error));
        sums.squaredError.add(weight * (error * error));
        sums.mean.add(weight * mean);
        sums.squaredMean.add(weight * (mean * mean));
        sums.product.add(weight * (mean * y));
        sums.crps.add(weight * block.crps[k]);
        own.leastMean = Math.min(own.leastMean, mean);
        own.greatestMean = Math.max(own.greatestMean, mean);
        own.ranks.add(rankKey(members, block.below[k], block.equal[k]), weight);
        if (members > 1) {
          own.fairWeight += weight;
          sums.fairCrps.add(weight * block.fairCrps[k]);
          sums.variance.add(weight * block.variance[k]);
          sums.inflatedVariance.add(weight * (block.variance[k] * (1 + 1 / members)));
        }
        quantiles.forEach((probability, q) => {
          const value = quantileOf(block.sorted, k, members, probability);
          own.quantiles[q].add(weight * ((Number(y < value) - probability) * (value - y)));
        });
        if (decomposition) addBins(own, block.sorted, k, members, y, weight);
        if (each !== undefined) {
          each.crps[i] = block.crps[k];
          each.rps[i] = this.#rankedProbabilityScore(i);
        }
        for (let e = 0; e < this.#counts.length; e++) {
          const { known, holds } = this.#counts[e];
          const observed = this.#observed[e];
          if (observed.known[i] === 0 || known[i] === 0) continue;
          own.events[e].add(eventKey(known[i], holds[i], observed.holds[i] === 1), weight);
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
  bins.weight += weight;
  const [least, greatest] = [sorted[0][k], sorted[members - 1][k]];
  if (y < least) {
    bins.below += weight;
    bins.beta[0].add(weight * (least - y));
  }
  if (y > greatest) {
    bins.above += weight;
    bins.alpha[members].add(weight * (y - greatest));
  }
  for (let i = 1; i < members; i++) {
    const [low, high] = [sorted[i - 1][k], sorted[i][k]];
    if (y > low) bins.alpha[i].add(weight * (Math.min(y, high) - low));
    if (y < high) bins.beta[i].add(weight * (high - Math.max(y, low)));
  }
}

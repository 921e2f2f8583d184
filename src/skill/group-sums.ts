import { ExactSum } from './exact-sum.js';
import { Tally } from './tally.js';

/** The sums of a forecast's scores over cases, each times the weight of its case. */
export const FORECAST_SUMS = [
  ...['error', 'absoluteError', 'squaredError', 'mean', 'squaredMean', 'product'],
  ...['crps', 'fairCrps', 'variance', 'inflatedVariance'],
] as const;

export type ForecastSum = (typeof FORECAST_SUMS)[number];

/** What the decomposition of the CRPS needs of ensembles with the same number of members. */
export class CrpsBins {
  readonly alpha: readonly ExactSum[];
  readonly beta: readonly ExactSum[];
  weight = 0;
  /** Weights of observations below and above all members. */
  below = 0;
  above = 0;

  constructor(members: number) {
    this.alpha = Array.from({ length: members + 1 }, () => new ExactSum());
    this.beta = Array.from({ length: members + 1 }, () => new ExactSum());
  }

  addBins(other: CrpsBins): void {
    this.weight += other.weight;
    this.below += other.below;
    this.above += other.above;
    other.alpha.forEach((sum, i) => {
      this.alpha[i].addSum(sum);
    });
    other.beta.forEach((sum, i) => {
      this.beta[i].addSum(sum);
    });
  }
}

/** The sums of one forecast: of that which is verified, or of its reference. */
export class ForecastSums {
  readonly sums: Readonly<Record<ForecastSum, ExactSum>>;
  /** Of each quantile that is scored. */
  readonly quantiles: readonly ExactSum[];
  /** Of each event: see `eventKey`. */
  readonly events: readonly Tally[];
  /** See `rankKey`. */
  readonly ranks = new Tally();
  /** By the number of members. */
  readonly bins = new Map<number, CrpsBins>();
  /** The weight of cases with at least two members, of which there are fair scores and spread. */
  fairWeight = 0;
  leastMean = Infinity;
  greatestMean = -Infinity;

  constructor(quantiles: number, events: number) {
    const all = FORECAST_SUMS.map((name) => [name, new ExactSum()]);
    this.sums = Object.fromEntries(all) as Record<ForecastSum, ExactSum>;
    this.quantiles = Array.from({ length: quantiles }, () => new ExactSum());
    this.events = Array.from({ length: events }, () => new Tally());
  }

  binsOf(members: number): CrpsBins {
    let bins = this.bins.get(members);
    if (bins === undefined) {
      bins = new CrpsBins(members);
      this.bins.set(members, bins);
    }
    return bins;
  }

  addSums(other: ForecastSums): void {
    for (const name of FORECAST_SUMS) this.sums[name].addSum(other.sums[name]);
    other.quantiles.forEach((sum, i) => {
      this.quantiles[i].addSum(sum);
    });
    other.events.forEach((tally, i) => {
      this.events[i].addTally(tally);
    });
    this.ranks.addTally(other.ranks);
    for (const [members, bins] of [...other.bins]) this.binsOf(members).addBins(bins);
    this.fairWeight += other.fairWeight;
    this.leastMean = Math.min(this.leastMean, other.leastMean);
    this.greatestMean = Math.max(this.greatestMean, other.greatestMean);
  }
}

/** The sums of a group of cases. They do not depend on the order in which cases and other sums were added. */
export class GroupSums {
  cases = 0;
  weight = 0;
  /** Cases without an observation, with too few members, or without a reference, which nothing else counts. */
  missing = 0;
  leastObserved = Infinity;
  greatestObserved = -Infinity;
  readonly observed = new ExactSum();
  readonly squaredObserved = new ExactSum();
  readonly forecast: ForecastSums;
  /** Where a reference was given. */
  reference: ForecastSums | undefined;
  readonly #quantiles: number;
  readonly #events: number;

  constructor(quantiles: number, events: number) {
    this.#quantiles = quantiles;
    this.#events = events;
    this.forecast = this.newForecast();
  }

  newForecast(): ForecastSums {
    return new ForecastSums(this.#quantiles, this.#events);
  }

  addGroup(other: GroupSums): void {
    this.cases += other.cases;
    this.weight += other.weight;
    this.missing += other.missing;
    this.leastObserved = Math.min(this.leastObserved, other.leastObserved);
    this.greatestObserved = Math.max(this.greatestObserved, other.greatestObserved);
    this.observed.addSum(other.observed);
    this.squaredObserved.addSum(other.squaredObserved);
    this.forecast.addSums(other.forecast);
    if (other.reference === undefined) return;
    this.reference ??= this.newForecast();
    this.reference.addSums(other.reference);
  }
}

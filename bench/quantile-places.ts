import { PROBABILITIES } from './workloads.js';

/** Between which order statistics, counted from 0, a quantile of type 7 lies, and the weight of the higher one. */
export interface QuantilePlace {
  readonly low: number;
  readonly high: number;
  readonly weight: number;
}

export function quantilePlaces(members: number): QuantilePlace[] {
  return PROBABILITIES.map((p) => {
    const rank = (members - 1) * p;
    const low = Math.floor(rank);
    return { low, high: Math.ceil(rank), weight: rank - low };
  });
}

/** The order statistics that the quantiles need, ascending, each once. */
export function neededRanks(places: readonly QuantilePlace[]): number[] {
  return [...new Set(places.flatMap(({ low, high }) => [low, high]))].sort((a, b) => a - b);
}

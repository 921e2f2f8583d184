import type { Contestant } from '../contestant.js';
import { loadPeer } from '../peers.js';
import { neededRanks, type QuantilePlace, quantilePlaces } from '../quantile-places.js';
import { MEMBERS } from '../workloads.js';
import { overWindows, type Summaries } from './over-windows.js';

/** What is used of simple-statistics; its own `quantile` is of another type, without interpolation. */
interface SimpleStatistics {
  sum(values: ArrayLike<number>): number;
  mean(values: ArrayLike<number>): number;
  numericSort(values: number[]): number[];
  quickselect(values: number[], place: number, left?: number, right?: number): void;
}

/** Two ways to the order statistics, which are interpolated here. */
export async function simpleStatisticsContestants(): Promise<Contestant[]> {
  const { sum, mean, numericSort, quickselect } = await loadPeer<SimpleStatistics>('simple-statistics');
  const places = quantilePlaces(MEMBERS);
  const ranks = neededRanks(places);
  const contestant = (formulation: string, order: (values: number[]) => number[]): Contestant => {
    const summarize: Summaries<number[]>['summarize'] = (values, results, place) => {
      results[0][place] = mean(values);
      const ordered = order(values);
      for (let k = 0; k < places.length; k++) results[k + 1][place] = between(ordered, places[k]);
    };
    return {
      name: 'simple-statistics',
      formulation,
      kind: 'library',
      order: 'cell-first',
      prepare: (workload, parts) =>
        overWindows(workload, parts, { mean, sum, values: new Array<number>(MEMBERS).fill(0), summarize }),
    };
  };
  return [
    contestant('numericSort', numericSort),
    contestant('quickselect', (values) => {
      let left = 0;
      for (const rank of ranks) {
        quickselect(values, rank, left);
        left = rank + 1;
      }
      return values;
    }),
  ];
}

function between(sorted: readonly number[], { low, high, weight }: QuantilePlace): number {
  return sorted[low] + weight * (sorted[high] - sorted[low]);
}

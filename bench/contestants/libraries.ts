import { mean, quantileSorted, sum } from 'd3-array';
import { type Contestant, newResults } from '../contestant.js';
import type { Members } from '../members.js';
import { loadPeer } from '../peers.js';
import { DAYS, MEMBERS, neededRanks, PROBABILITIES, quantilePlaces, type Workload } from '../workloads.js';

/** `quantileSorted` of values that a typed array has sorted, which d3's documentation advises for several quantiles. */
export const d3Contestant: Contestant = {
  name: 'd3-array',
  formulation: 'sort and quantileSorted',
  kind: 'library',
  order: 'cell-first',
  prepare: (workload, parts) =>
    overWindows(workload, parts, {
      mean: (values) => mean(values)!,
      sum,
      values: new Float64Array(MEMBERS),
      summarize(values, results, place) {
        results[0][place] = mean(values)!;
        // The type asks for an array; the function takes any sequence.
        const sorted = values.sort() as unknown as number[];
        for (let k = 0; k < PROBABILITIES.length; k++) {
          results[k + 1][place] = quantileSorted(sorted, PROBABILITIES[k])!;
        }
      },
    }),
};

/** The functions of simple-statistics that are used; its own `quantile` is of another type, without interpolation. */
interface SimpleStatistics {
  sum(values: ArrayLike<number>): number;
  mean(values: ArrayLike<number>): number;
  quickselect(values: number[], place: number, left?: number, right?: number): void;
}

/** The order statistics by `quickselect`, interpolated here. */
export async function simpleStatisticsContestant(): Promise<Contestant> {
  const { sum, mean, quickselect } = await loadPeer<SimpleStatistics>('simple-statistics');
  const places = quantilePlaces(MEMBERS);
  const ranks = neededRanks(places);
  const summarize: Library<number[]>['summarize'] = (values, results, place) => {
    results[0][place] = mean(values);
    let left = 0;
    for (const rank of ranks) {
      quickselect(values, rank, left);
      left = rank + 1;
    }
    for (let k = 0; k < places.length; k++) {
      const { low, high, weight } = places[k];
      results[k + 1][place] = values[low] + weight * (values[high] - values[low]);
    }
  };
  return {
    name: 'simple-statistics',
    formulation: 'quickselect',
    kind: 'library',
    order: 'cell-first',
    prepare: (workload, parts) =>
      overWindows(workload, parts, { mean, sum, values: new Array<number>(MEMBERS).fill(0), summarize }),
  };
}

/** How a library that takes one sequence of values at a time adds up a window and summarizes the members. */
interface Library<T extends Float64Array | number[]> {
  readonly mean: (values: Float32Array) => number;
  readonly sum: (values: Float32Array) => number;
  /** Holds the members of one window. */
  readonly values: T;
  readonly summarize: (values: T, results: Float32Array[], place: number) => void;
}

/** Goes cell by cell and window by window: adds up each member's window, then summarizes the members. */
function overWindows<T extends Float64Array | number[]>(
  { windows, rule }: Workload,
  parts: readonly Members[],
  { mean, sum, values, summarize }: Library<T>,
): (part: number) => Float32Array[] {
  const cells = parts[0][0].length / DAYS;
  const combine = rule === 'mean' ? mean : sum;
  return (part) => {
    const members = parts[part];
    const results = newResults(cells * windows.count);
    for (let cell = 0, place = 0; cell < cells; cell++) {
      for (let w = 0; w < windows.count; w++, place++) {
        const first = cell * DAYS + windows.first[w];
        const days = windows.days[w];
        for (let m = 0; m < MEMBERS; m++) {
          values[m] = days === 1 ? members[m][first] : combine(members[m].subarray(first, first + days));
        }
        summarize(values, results, place);
      }
    }
    return results;
  };
}

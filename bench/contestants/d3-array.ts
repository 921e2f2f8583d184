import { mean, quantile, quantileSorted, sum } from 'd3-array';
import type { Contestant } from '../contestant.js';
import { MEMBERS, PROBABILITIES } from '../workloads.js';
import { overWindows, type Summaries } from './over-windows.js';

/** `quantileSorted` of values that a typed array has sorted, which d3's documentation advises for several quantiles. */
export const d3Sorted = contestant('sort and quantileSorted', (values, results, place) => {
  results[0][place] = mean(values)!;
  // The type asks for an array; the function takes any sequence.
  const sorted = values.sort() as unknown as number[];
  for (let k = 0; k < PROBABILITIES.length; k++) results[k + 1][place] = quantileSorted(sorted, PROBABILITIES[k])!;
});

/** `quantile` for each of them, which selects in a copy. */
export const d3Quantile = contestant('quantile', (values, results, place) => {
  results[0][place] = mean(values)!;
  for (let k = 0; k < PROBABILITIES.length; k++) results[k + 1][place] = quantile(values, PROBABILITIES[k])!;
});

function contestant(formulation: string, summarize: Summaries<Float64Array>['summarize']): Contestant {
  return {
    name: 'd3-array',
    formulation,
    kind: 'library',
    order: 'cell-first',
    prepare: (workload, parts) =>
      overWindows(workload, parts, {
        mean: (values) => mean(values)!,
        sum,
        values: new Float64Array(MEMBERS),
        summarize,
      }),
  };
}

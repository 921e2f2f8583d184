import { mean, quantile, quantileSorted, sum } from 'd3-array';
import { type Contestant, newResults } from '../contestant.js';
import type { Members } from '../data.js';
import { DAYS, MEMBERS, PROBABILITIES, type Workload } from '../workloads.js';

/** `quantileSorted` of values that a typed array has sorted, which d3's documentation advises for several quantiles. */
export const d3Sorted: Contestant = {
  name: 'd3-array',
  formulation: 'sort and quantileSorted',
  kind: 'library',
  order: 'cell-first',
  prepare: (workload, parts) =>
    overWindows(workload, parts, (values, results, place) => {
      results[0][place] = mean(values)!;
      // The type asks for an array; the function takes any sequence.
      const sorted = values.sort() as unknown as number[];
      for (let k = 0; k < PROBABILITIES.length; k++) results[k + 1][place] = quantileSorted(sorted, PROBABILITIES[k])!;
    }),
};

/** `quantile` for each of them, which selects in a copy. */
export const d3Quantile: Contestant = {
  name: 'd3-array',
  formulation: 'quantile',
  kind: 'library',
  order: 'cell-first',
  prepare: (workload, parts) =>
    overWindows(workload, parts, (values, results, place) => {
      results[0][place] = mean(values)!;
      for (let k = 0; k < PROBABILITIES.length; k++) results[k + 1][place] = quantile(values, PROBABILITIES[k])!;
    }),
};

function overWindows(
  { windows, rule }: Workload,
  parts: readonly Members[],
  summarize: (values: Float64Array, results: Float32Array[], place: number) => void,
): (part: number) => Float32Array[] {
  const cells = parts[0][0].length / DAYS;
  const values = new Float64Array(MEMBERS);
  const add: (values: Iterable<number>) => number | undefined = rule === 'mean' ? mean : sum;
  return (part) => {
    const members = parts[part];
    const results = newResults(cells * windows.count);
    for (let cell = 0, place = 0; cell < cells; cell++) {
      for (let w = 0; w < windows.count; w++, place++) {
        const first = cell * DAYS + windows.first[w];
        const days = windows.days[w];
        for (let m = 0; m < members.length; m++) {
          values[m] = days === 1 ? members[m][first] : add(members[m].subarray(first, first + days))!;
        }
        summarize(values, results, place);
      }
    }
    return results;
  };
}

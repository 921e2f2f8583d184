import { newResults } from '../contestant.js';
import type { Members } from '../data.js';
import { DAYS, MEMBERS, type Workload } from '../workloads.js';

/** How a library that takes one sequence of values at a time adds up a window and summarizes the members. */
export interface Summaries<T extends Float64Array | number[]> {
  readonly mean: (values: Float32Array) => number;
  readonly sum: (values: Float32Array) => number;
  /** What holds the members of one window. */
  readonly values: T;
  readonly summarize: (values: T, results: Float32Array[], place: number) => void;
}

/** Cell by cell and window by window: each member's window, then what a library makes of all members. */
export function overWindows<T extends Float64Array | number[]>(
  { windows, rule }: Workload,
  parts: readonly Members[],
  { mean, sum, values, summarize }: Summaries<T>,
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

import type { Results } from './contestant.js';
import type { Members } from './data.js';
import { DAYS, PROBABILITIES, type Workload } from './workloads.js';

/** The slow, obvious computation in float64: what is right once it is rounded to float32. Results by cell and then window. */
export function reference({ windows, rule }: Workload, members: Members): Float64Array[] {
  const cells = members[0].length / DAYS;
  const results = Array.from({ length: 1 + PROBABILITIES.length }, () => new Float64Array(cells * windows.count));
  for (let cell = 0; cell < cells; cell++) {
    for (let w = 0; w < windows.count; w++) {
      const first = cell * DAYS + windows.first[w];
      const values = members.map((member) => {
        let sum = 0;
        for (const x of member.subarray(first, first + windows.days[w])) sum += x;
        return rule === 'mean' ? sum / windows.days[w] : sum;
      });
      values.sort((a, b) => a - b);
      const place = cell * windows.count + w;
      results[0][place] = values.reduce((sum, x) => sum + x, 0) / values.length;
      PROBABILITIES.forEach((p, k) => {
        const rank = (values.length - 1) * p;
        const low = values[Math.floor(rank)];
        const high = values[Math.ceil(rank)];
        results[k + 1][place] = low + (rank - Math.floor(rank)) * (high - low);
      });
    }
  }
  return results;
}

/** How far results are from the reference rounded to float32. */
export interface Deviation {
  /** The worst relative error. */
  readonly worst: number;
  /** The share of results that are not the same number. */
  readonly share: number;
}

/** Compares all of `expected` with those results whose place `placeOf` gives. */
export function deviation(
  expected: readonly Float64Array[],
  actual: Results,
  placeOf: (i: number) => number,
): Deviation {
  const { length } = expected[0];
  let worst = 0;
  let different = 0;
  expected.forEach((column, k) => {
    for (let i = 0; i < length; i++) {
      const right = Math.fround(column[i]);
      const got = actual[k][placeOf(i)];
      if (got === right) continue;
      different++;
      const error = Math.abs((got - right) / right);
      worst = Math.max(worst, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
    }
  });
  return { worst, share: different / (length * expected.length) };
}

import { type Contestant, fullName, type Results } from './contestant.js';
import { firstCells, type Members } from './members.js';
import { DAYS, PROBABILITIES, type Workload } from './workloads.js';

const CHECKED_CELLS = 500;
/** The largest relative error that rounding explains. */
const MAX_ERROR = 1e-4;

/** How far results are from the reference rounded to float32. */
export interface Deviation {
  /** The largest relative error. */
  readonly worst: number;
  /** The share of results that are not the same number. */
  readonly share: number;
}

/** Compares results with the float64 reference in the first cells; throws where they are wrong. */
export type Check = (name: string, order: Contestant['order'], cells: number, results: Results) => Deviation;

/** A check against the reference for the first cells of `members`, which is computed once. */
export function createCheck(workload: Workload, members: Members): Check {
  const windows = workload.windows.count;
  const checked = Math.min(CHECKED_CELLS, members[0].length / DAYS);
  const expected = new Map<number, Float64Array[]>();
  return (name, order, cells, results) => {
    const count = Math.min(checked, cells);
    const right = expected.get(count) ?? reference(workload, firstCells(members, count));
    expected.set(count, right);
    const found = deviation(right, results, (i) =>
      order === 'cell-first' ? i : (i % windows) * cells + Math.floor(i / windows),
    );
    if (!(found.worst <= MAX_ERROR)) {
      throw new Error(`${name}: wrong results for ${workload.title}; worst relative error ${found.worst}`);
    }
    return found;
  };
}

/** Lets a contestant compute the first cells, and checks them. */
export function checkContestant(check: Check, contestant: Contestant, workload: Workload, members: Members): Deviation {
  const cells = Math.min(CHECKED_CELLS, members[0].length / DAYS);
  const results = contestant.prepare(workload, [firstCells(members, cells)])(0);
  return check(fullName(contestant), contestant.order, cells, results);
}

/** The slow, obvious computation in float64, by cell and then window: correct once it is rounded to float32. */
function reference({ windows, rule }: Workload, members: Members): Float64Array[] {
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

/** Compares all of `expected` with the results at the places that `toPlace` returns. */
function deviation(expected: readonly Float64Array[], actual: Results, toPlace: (i: number) => number): Deviation {
  const { length } = expected[0];
  let worst = 0;
  let different = 0;
  expected.forEach((column, k) => {
    for (let i = 0; i < length; i++) {
      const right = Math.fround(column[i]);
      const got = actual[k][toPlace(i)];
      if (got === right) continue;
      different++;
      const error = Math.abs((got - right) / right);
      worst = Math.max(worst, Number.isNaN(error) ? Number.POSITIVE_INFINITY : error);
    }
  });
  return { worst, share: different / (length * expected.length) };
}

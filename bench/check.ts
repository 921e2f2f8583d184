import { type Contestant, labelOf, type Results } from './contestant.js';
import type { Members } from './data.js';
import { type Deviation, deviation, reference } from './reference.js';
import { DAYS, type Workload } from './workloads.js';

const CHECKED_CELLS = 500;
/** Beyond this it is not rounding that sets a contestant apart. */
const MAX_ERROR = 1e-4;

/** Compares results with the float64 reference in the first cells; throws where they are wrong. */
export type Check = (name: string, order: Contestant['order'], cells: number, results: Results) => Deviation;

/** Computes the reference for the first cells of `members`, once. */
export function checkAgainst(workload: Workload, members: Members): Check {
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

/** Has a contestant compute the first cells, and compares them. */
export function checkContestant(check: Check, contestant: Contestant, workload: Workload, members: Members): Deviation {
  const cells = Math.min(CHECKED_CELLS, members[0].length / DAYS);
  const results = contestant.prepare(workload, [firstCells(members, cells)])(0);
  return check(labelOf(contestant), contestant.order, cells, results);
}

/** The values of the first cells, without copying. */
export function firstCells(members: Members, cells: number): Members {
  return members.map((values) => values.subarray(0, cells * DAYS));
}

/**
 * All contestants on the same seeded data, as a Markdown table.
 *
 *   node build/bench/run.js [--quick] [--json]
 *
 * `--quick` leaves out the largest size and measures for less long.
 */
import { parseArgs } from 'node:util';
import { loadCore } from '../src/core/load.js';
import type { Contestant } from './contestant.js';
import { d3Quantile, d3Sorted } from './contestants/d3-array.js';
import { insertionSort } from './contestants/insertion-sort.js';
import { keyNetwork, mathNetwork, nonNegativeKeyNetwork, swapNetwork } from './contestants/networks.js';
import { plumecastContestants } from './contestants/plumecast.js';
import { quickselect } from './contestants/quickselect.js';
import { typedArraySort } from './contestants/typed-array-sort.js';
import { createMembers, fillMembers, type Members, partsOf } from './data.js';
import { type Effort, nanosecondsPerOutput, observed } from './measure.js';
import { type Deviation, deviation, reference } from './reference.js';
import { describeRun, type Line, markdown, type WorkloadReport } from './report.js';
import { WORKLOADS, type Workload } from './workloads.js';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' }, json: { type: 'boolean' } } });

const SIZES = options.quick ? [1, 100, 2_000] : [1, 100, 2_000, 20_000];
const EFFORT: Effort = options.quick ? { time: 60, runs: 3 } : { time: 300, runs: 5 };
/** For sizes where a single run takes a good part of a second. */
const LARGE_EFFORT: Effort = { time: 0, runs: 3 };
const LARGE = 20_000;
/** Seconds that a single run may take. */
const LONGEST_RUN = options.quick ? 0.7 : 2.5;
/** Jobs smaller than this take turns with others of their size, up to so many cells in all. */
const ROTATED_CELLS = 300;
const CHECKED_CELLS = 500;
/** Beyond this it is not rounding that sets a contestant apart. */
const MOST_ERROR = 1e-4;

const run = describeRun();
const contestants = [
  ...plumecastContestants(await loadCore()),
  insertionSort,
  typedArraySort,
  quickselect,
  mathNetwork,
  swapNetwork,
  nonNegativeKeyNetwork,
  keyNetwork,
  d3Sorted,
  d3Quantile,
];
const members = createMembers(Math.max(...SIZES));
const reports: WorkloadReport[] = [];
let filled: Workload['data'] | undefined;
for (const workload of WORKLOADS) {
  if (filled !== workload.data) {
    progress(`${workload.data} for ${SIZES.at(-1)} cells`);
    fillMembers(members, workload.data);
    filled = workload.data;
  }
  reports.push(await compete(workload, members));
}
if (options.json) console.log(JSON.stringify({ run, reports }, undefined, 2));
else console.log(markdown(run, reports));
progress(`done; the sum of what was looked at is ${observed()}`);

async function compete(workload: Workload, members: Members): Promise<WorkloadReport> {
  const entrants = contestants.filter(({ suits }) => suits?.(workload) ?? true);
  const deviations = check(workload, entrants, partsOf(members, CHECKED_CELLS, 1)[0]);
  const times: (number | null)[][] = entrants.map(() => []);
  for (const cells of SIZES) {
    const parts = partsOf(members, cells, Math.max(1, Math.floor(ROTATED_CELLS / cells)));
    for (const [i, contestant] of entrants.entries()) {
      progress(`${workload.key}, ${cells} cells: ${contestant.name}`);
      const before = times[i].at(-1);
      const tooLong =
        before !== undefined &&
        (before ?? Number.POSITIVE_INFINITY) * cells * workload.windows.count > LONGEST_RUN * 1e9;
      const effort = cells < LARGE ? EFFORT : LARGE_EFFORT;
      times[i].push(tooLong ? null : await nanosecondsPerOutput(contestant, workload, parts, effort));
    }
  }
  const lines: Line[] = entrants.map(({ name, kind }, i) => ({
    contestant: name,
    kind,
    nanoseconds: times[i],
    deviation: deviations[i],
  }));
  return { key: workload.key, title: workload.title, windows: workload.windows.count, sizes: SIZES, lines };
}

function check(workload: Workload, entrants: readonly Contestant[], members: Members): Deviation[] {
  const expected = reference(workload, members);
  return entrants.map((contestant) => {
    const results = contestant.prepare(workload, [members])(0);
    const found = deviation(expected, results, contestant.order, workload.windows.count);
    if (!(found.worst <= MOST_ERROR)) {
      throw new Error(`${contestant.name}: wrong results for ${workload.title}; worst relative error ${found.worst}`);
    }
    return found;
  });
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

/**
 * All contestants on the same seeded data, then timelines and climatologies, as Markdown tables.
 *
 *   node build/bench/run.js [--quick] [--json] [--only statistics|blending|climatology|pool]
 *
 * `--quick` leaves out the largest size and measures for less long.
 */
import { parseArgs } from 'node:util';
import { loadCore } from '../src/core/load.js';
import { blendingReport } from './blending.js';
import { climatologyReport } from './climatologies.js';
import type { Contestant } from './contestant.js';
import { d3Quantile, d3Sorted } from './contestants/d3-array.js';
import { insertionSort } from './contestants/insertion-sort.js';
import { keyNetwork, mathNetwork, nonNegativeKeyNetwork, swapNetwork } from './contestants/networks.js';
import { plumecastContestants } from './contestants/plumecast.js';
import { quickselect } from './contestants/quickselect.js';
import { typedArraySort } from './contestants/typed-array-sort.js';
import { createMembers, fillMembers, type Members, partsOf } from './data.js';
import { type Effort, nanosecondsPerOutput, observed } from './measure.js';
import { poolReport } from './pool.js';
import { type Deviation, deviation, reference } from './reference.js';
import { describeRun, type Line, markdown, type WorkloadReport } from './report.js';
import { WORKLOADS, type Workload } from './workloads.js';

const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'boolean' }, only: { type: 'string' } },
});

const SIZES = options.quick ? [1, 100, 2_000] : [1, 100, 2_000, 20_000];
const EFFORT: Effort = options.quick ? { rounds: 2, time: 40, runs: 3 } : { rounds: 3, time: 120, runs: 3 };
/** For sizes where a single run takes a good part of a second. */
const LARGE_EFFORT: Effort = { rounds: 1, time: 0, runs: 3 };
const LARGE = 20_000;
/** Seconds that a single run may take. */
const LONGEST_RUN = options.quick ? 0.7 : 2.5;
/** Jobs smaller than this take turns with others of their size, up to so many cells in all. */
const ROTATED_CELLS = 300;
const CHECKED_CELLS = 500;
/** Beyond this it is not rounding that sets a contestant apart. */
const MOST_ERROR = 1e-4;

const run = describeRun();
const core = await loadCore();
const contestants = [
  ...plumecastContestants(core),
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
const isAsked = (part: string) => options.only === undefined || options.only === part;
if (isAsked('statistics')) {
  const reports = await statisticsReports();
  if (options.json) console.log(JSON.stringify({ run, reports }, undefined, 2));
  else console.log(markdown(run, reports));
  progress(`done; the sum of what was looked at is ${observed()}`);
}
if (!options.json && isAsked('blending')) console.log(`${blendingReport(core, options.quick ? 1_000 : 10_000, 5)}\n`);
if (!options.json && isAsked('pool'))
  console.log(`${await poolReport(options.quick ? [100, 2_000] : [100, 2_000, 20_000], 10)}\n`);
if (!options.json && isAsked('climatology')) {
  console.log(climatologyReport(core, options.quick ? [1, 10] : [1, 100, 1_000], 5));
}

async function statisticsReports(): Promise<WorkloadReport[]> {
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
  return reports;
}

async function compete(workload: Workload, members: Members): Promise<WorkloadReport> {
  const entrants = contestants.filter(({ suits }) => suits?.(workload) ?? true);
  const deviations = check(workload, entrants, partsOf(members, CHECKED_CELLS, 1)[0]);
  const times: (number | null)[][] = entrants.map(() => []);
  for (const cells of SIZES) {
    const outputs = cells * workload.windows.count;
    const inTime = entrants.filter((_, i) => seconds(times[i].at(-1), outputs) <= LONGEST_RUN);
    const measured = await takeTurns(workload, inTime, members, cells);
    entrants.forEach((contestant, i) => {
      times[i].push(measured.get(contestant) ?? null);
    });
  }
  const lines: Line[] = entrants.map(({ name, kind }, i) => ({
    contestant: name,
    kind,
    nanoseconds: times[i],
    deviation: deviations[i],
  }));
  return { key: workload.key, title: workload.title, windows: workload.windows.count, sizes: SIZES, lines };
}

/** What a run will take, by the nanoseconds per output of the size before; nothing is known before the first size. */
function seconds(before: number | null | undefined, outputs: number): number {
  if (before === undefined) return 0;
  return before === null ? Number.POSITIVE_INFINITY : before * outputs * 1e-9;
}

/** Measures contestants one after the other, several times over, and keeps the best round of each. */
async function takeTurns(
  workload: Workload,
  entrants: readonly Contestant[],
  members: Members,
  cells: number,
): Promise<Map<Contestant, number>> {
  const parts = partsOf(members, cells, Math.max(1, Math.floor(ROTATED_CELLS / cells)));
  const effort = cells < LARGE ? EFFORT : LARGE_EFFORT;
  const best = new Map<Contestant, number>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const contestant of entrants) {
      progress(`${workload.key}, ${cells} cells, round ${round + 1}: ${contestant.name}`);
      const time = await nanosecondsPerOutput(contestant, workload, parts, effort);
      best.set(contestant, Math.min(time, best.get(contestant) ?? time));
    }
  }
  return best;
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

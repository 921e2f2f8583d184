import { join } from 'node:path';
import { Bench } from 'tinybench';
import { type Check, checkContestant, createCheck } from './check.js';
import { type Contestant, fullName, type Rival } from './contestant.js';
import { createMembers, fillMembers, firstCells, type Members, splitMembers, writeMembers } from './members.js';
import type { Line, WorkloadReport } from './report.js';
import { announce, showProgress } from './timing.js';
import { DAYS, WORKLOADS, type Workload } from './workloads.js';

/** Numbers of cells, ascending. */
const QUICK_SIZES = [1, 100, 2_000];
const SIZES = [...QUICK_SIZES, 20_000];
/** From here a single run takes a good part of a second. */
const LARGE = 20_000;
/** How often the contestants take turns. */
const ROUNDS = 2;
/** Runs of a turn, at least. */
const RUNS = 3;
/** Jobs of fewer cells come in parts with different values, up to this number of cells in all. */
const CELLS_OF_PARTS = 300;

/** Everyone who takes part. */
export interface Entrants {
  readonly contestants: readonly Contestant[];
  readonly rivals: readonly Rival[];
  /** Where rivals find the data, and put files of their own. */
  readonly folder: string;
}

/** One number of every run, added up and printed, so that no engine can skip the work. */
let sink = 0;

export function observedSum(): number {
  return sink;
}

/** Every workload in turn, on the same memory. A quick run has fewer cells and shorter turns. */
export async function statisticsReports(entrants: Entrants, isQuick: boolean): Promise<WorkloadReport[]> {
  const sizes = isQuick ? QUICK_SIZES : SIZES;
  const members = createMembers(Math.max(...sizes));
  const reports: WorkloadReport[] = [];
  let filled: Workload['data'] | undefined;
  for (const workload of WORKLOADS) {
    if (filled !== workload.data) {
      announce(`${workload.data} for ${sizes.at(-1)} cells`);
      fillMembers(members, workload.data);
      filled = workload.data;
    }
    const check = createCheck(workload, members);
    reports.push(await compete(entrants, { workload, members, sizes, isQuick, check }));
  }
  return reports;
}

/** What is the same for everyone who computes a workload. */
interface Competition {
  readonly workload: Workload;
  readonly members: Members;
  readonly sizes: readonly number[];
  readonly isQuick: boolean;
  readonly check: Check;
}

async function compete(entrants: Entrants, competition: Competition): Promise<WorkloadReport> {
  const { contestants, rivals, folder } = entrants;
  // The nearest rival is measured before and after, so that a moment when the machine is busy does not decide.
  const inC = rivals.filter(({ kind }) => kind === 'C');
  const before = await rivalLines(inC, competition, folder);
  const lines = await contestantLines(contestants, competition);
  const after = await rivalLines(rivals, competition, folder);
  const { key, title, windows } = competition.workload;
  const { sizes } = competition;
  return { key, title, windows: windows.count, sizes, lines: [...lines, ...fasterLines(before, after)] };
}

async function contestantLines(all: readonly Contestant[], competition: Competition): Promise<Line[]> {
  const { workload, members, sizes, isQuick, check } = competition;
  const maxSeconds = isQuick ? 0.7 : 2.5;
  const contestants = all.filter(({ suits }) => suits?.(workload) ?? true);
  const deviations = contestants.map((contestant) => checkContestant(check, contestant, workload, members));
  const times: (number | null)[][] = contestants.map(() => []);
  for (const cells of sizes) {
    const outputs = cells * workload.windows.count;
    const quickEnough = contestants.filter((_, i) => expectedSeconds(times[i].at(-1), outputs) <= maxSeconds);
    announce(`${workload.key}, ${cells} cells: ${quickEnough.length} contestants`);
    const measured = await takeTurns(competition, quickEnough, cells);
    contestants.forEach((contestant, i) => {
      times[i].push(measured.get(contestant) ?? null);
    });
  }
  return contestants.map(({ name, formulation, kind }, i) => {
    return { name, formulation, kind, nanoseconds: times[i], deviation: deviations[i] };
  });
}

/** How long a run will take, by the nanoseconds per output of the size before; 0 before the first size. */
function expectedSeconds(before: number | null | undefined, outputs: number): number {
  if (before === undefined) return 0;
  return before === null ? Number.POSITIVE_INFINITY : before * outputs * 1e-9;
}

/** Measures contestants one after the other, several times over, and keeps the best round of each. */
async function takeTurns(
  { workload, members, isQuick }: Competition,
  contestants: readonly Contestant[],
  cells: number,
): Promise<Map<Contestant, number>> {
  const parts = splitMembers(members, cells, Math.max(1, Math.floor(CELLS_OF_PARTS / cells)));
  const minTime = cells >= LARGE ? 0 : isQuick ? 40 : 100;
  const best = new Map<Contestant, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const contestant of contestants) {
      showProgress(`${workload.key}, ${cells} cells, round ${round + 1}: ${fullName(contestant)}`);
      const time = await nanosecondsPerOutput(contestant, workload, parts, minTime);
      best.set(contestant, Math.min(time, best.get(contestant) ?? time));
    }
  }
  return best;
}

/** The median of nanoseconds per output, one cell and window, of a turn that takes at least `minTime` milliseconds. */
async function nanosecondsPerOutput(
  contestant: Contestant,
  workload: Workload,
  parts: readonly Members[],
  minTime: number,
): Promise<number> {
  const run = contestant.prepare(workload, parts);
  let next = 0;
  const bench = new Bench({ time: minTime, iterations: RUNS, warmupTime: minTime / 2, warmupIterations: 1 });
  const observe = () => {
    const last = run(next++ % parts.length).at(-1)!;
    sink += last[last.length - 1];
  };
  bench.add(contestant.name, observe, { async: false });
  const [{ result }] = await bench.run();
  if (result.state === 'errored') throw result.error;
  if (result.state !== 'completed') throw new Error(`${contestant.name}: not measured, but ${result.state}`);
  const outputs = (parts[0][0].length / DAYS) * workload.windows.count;
  return (result.latency.p50 * 1e6) / outputs;
}

/** Measures each rival at the largest size that it computes within a few seconds. */
async function rivalLines(rivals: readonly Rival[], competition: Competition, folder: string): Promise<Line[]> {
  const { workload, members, sizes, isQuick, check } = competition;
  const lines: Line[] = [];
  for (const rival of rivals) {
    const cells = sizes.findLast((size) => size <= rival.maxCells(workload)) ?? sizes[0];
    announce(`${workload.key}, ${cells} cells: ${rival.name}`);
    const part = firstCells(members, cells);
    const input = join(folder, 'input.f32');
    if (rival.kind !== 'library') writeMembers(input, part);
    const job = { workload, cells, members: part, input, folder, turns: isQuick ? 3 : 7 };
    for (const { name, formulation, nanoseconds, order, results } of await rival.measure(job)) {
      lines.push({
        ...{ name, formulation, kind: rival.kind },
        nanoseconds: sizes.map((size) => (size === cells ? nanoseconds : null)),
        deviation: results === undefined ? undefined : check(name, order, cells, results),
      });
    }
  }
  return lines;
}

/** The lines of `after`, each replaced by that of `before` where there is one that is faster. */
function fasterLines(before: readonly Line[], after: readonly Line[]): Line[] {
  const time = ({ nanoseconds }: Line) => Math.min(...nanoseconds.filter((each) => each !== null));
  return after.map((line) => {
    const earlier = before.find(({ name }) => name === line.name);
    return earlier !== undefined && time(earlier) < time(line) ? earlier : line;
  });
}

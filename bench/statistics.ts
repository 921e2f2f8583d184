import { type Check, checkAgainst, checkContestant } from './check.js';
import { type Contestant, labelOf } from './contestant.js';
import { createMembers, fillMembers, type Members, partsOf } from './data.js';
import { type Effort, nanosecondsPerOutput } from './measure.js';
import { announce, progress } from './progress.js';
import type { Line, WorkloadReport } from './report.js';
import { faster, measureRivals } from './rivals/measure-rivals.js';
import type { Rival } from './rivals/rival.js';
import type { Settings } from './settings.js';
import { WORKLOADS, type Workload } from './workloads.js';

/** Jobs smaller than this take turns with others of their size, up to so many cells in all. */
const ROTATED_CELLS = 300;

/** Everyone who takes part. */
export interface Field {
  readonly contestants: readonly Contestant[];
  readonly rivals: readonly Rival[];
  /** Where rivals find the data, and put files of their own. */
  readonly folder: string;
}

/** Every workload in turn, on the same memory. */
export async function statisticsReports(field: Field, settings: Settings): Promise<WorkloadReport[]> {
  const members = createMembers(Math.max(...settings.sizes));
  const reports: WorkloadReport[] = [];
  let filled: Workload['data'] | undefined;
  for (const workload of WORKLOADS) {
    if (filled !== workload.data) {
      announce(`${workload.data} for ${settings.sizes.at(-1)} cells`);
      fillMembers(members, workload.data);
      filled = workload.data;
    }
    reports.push(await compete(field, settings, workload, members));
  }
  return reports;
}

async function compete(
  { contestants, rivals, folder }: Field,
  settings: Settings,
  workload: Workload,
  members: Members,
): Promise<WorkloadReport> {
  const { sizes } = settings;
  const check = checkAgainst(workload, members);
  const measured = (some: readonly Rival[]) => measureRivals(some, settings, workload, members, check, folder);
  // The nearest rival is measured before and after, so that a busy while of the machine does not decide.
  const before = await measured(rivals.filter(({ kind }) => kind === 'C'));
  const lines = await contestantLines(contestants, settings, workload, members, check);
  const after = await measured(rivals);
  const { key, title, windows } = workload;
  return { key, title, windows: windows.count, sizes, lines: [...lines, ...faster(before, after)] };
}

async function contestantLines(
  contestants: readonly Contestant[],
  { sizes, isRequested, longestRun, effort }: Settings,
  workload: Workload,
  members: Members,
  check: Check,
): Promise<Line[]> {
  const entrants = contestants.filter((each) => isRequested(labelOf(each)) && (each.suits?.(workload) ?? true));
  const deviations = entrants.map((contestant) => checkContestant(check, contestant, workload, members));
  const times: (number | null)[][] = entrants.map(() => []);
  for (const cells of sizes) {
    const outputs = cells * workload.windows.count;
    const inTime = entrants.filter((_, i) => seconds(times[i].at(-1), outputs) <= longestRun);
    announce(`${workload.key}, ${cells} cells: ${inTime.length} contestants`);
    const measured = await takeTurns(workload, inTime, members, cells, effort(cells));
    entrants.forEach((contestant, i) => {
      times[i].push(measured.get(contestant) ?? null);
    });
  }
  return entrants.map(({ name, formulation, kind }, i) => {
    return { name, formulation, kind, nanoseconds: times[i], deviation: deviations[i] };
  });
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
  effort: Effort,
): Promise<Map<Contestant, number>> {
  const parts = partsOf(members, cells, Math.max(1, Math.floor(ROTATED_CELLS / cells)));
  const best = new Map<Contestant, number>();
  for (let round = 0; round < effort.rounds; round++) {
    for (const contestant of entrants) {
      progress(`${workload.key}, ${cells} cells, round ${round + 1}: ${labelOf(contestant)}`);
      const time = await nanosecondsPerOutput(contestant, workload, parts, effort);
      best.set(contestant, Math.min(time, best.get(contestant) ?? time));
    }
  }
  return best;
}

import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { selectionNetwork } from '../../assembly/core/sorting-networks.mjs';
import { type Absent, type Measured, type Rival, type RivalJob, splitResults } from '../contestant.js';
import { readFloats } from '../members.js';
import { DAYS, MEMBERS, neededRanks, quantilePlaces } from '../workloads.js';

/** From here, and from build/bench, where the bundle lies. */
const SCRIPT = fileURLToPath(new URL('../../bench/native/reference.py', import.meta.url));
const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';

/** xarray's NaN-aware quantile takes tens of microseconds for an output. */
const MAX_OUTPUTS = { numpy: Number.POSITIVE_INFINITY, xarray: 50_000 };

type Library = keyof typeof MAX_OUTPUTS;

/** numpy and xarray, each in a process of its own, which times itself. */
export function pythonRivals(): (Rival | Absent)[] {
  return (['numpy', 'xarray'] as const).map(pythonRival);
}

function pythonRival(library: Library): Rival | Absent {
  const found = spawnSync(PYTHON, ['-c', `import ${library}; print(${library}.__version__)`], { encoding: 'utf8' });
  if (found.status !== 0) return { name: library, reason: `${PYTHON} cannot import it` };
  return {
    name: library,
    kind: 'program',
    versions: { [library]: found.stdout.trim() },
    timed: 'from arrays by member, day and cell to new arrays of results',
    maxCells: ({ windows }) => MAX_OUTPUTS[library] / windows.count,
    measure: async (job) => run(library, job),
  };
}

function run(library: Library, { workload, cells, input, folder, turns }: RivalJob): Measured[] {
  const { first, days } = workload.windows;
  const windows = Array.from(first, (day, w) => `${day}:${days[w]}`);
  const sizes = [MEMBERS, DAYS, cells].map(String);
  const network = selectionNetwork(MEMBERS, neededRanks(quantilePlaces(MEMBERS)));
  const text = execFileSync(
    PYTHON,
    [SCRIPT, library, input, join(folder, 'python-results'), ...sizes, workload.rule, String(turns), ...windows],
    { encoding: 'utf8', input: JSON.stringify(network.map(({ low, high, keep }) => [low, high, keep])) },
  );
  return text
    .trim()
    .split('\n')
    .map((line): Measured => {
      const { file, ...figures } = JSON.parse(line) as { file: string } & Omit<Measured, 'order' | 'results'>;
      return { ...figures, order: 'window-first', results: splitResults(readFloats(file)) };
    });
}

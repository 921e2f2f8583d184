import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Absent, type Measured, type Rival, type RivalJob, splitResults } from '../contestant.js';
import { readFloats } from '../members.js';
import { networkHeader } from '../native/network-header.js';
import { DAYS, MEMBERS } from '../workloads.js';

/** From here, and from build/bench, where the bundle lies. */
const SOURCE = fileURLToPath(new URL('../../bench/native/reference.c', import.meta.url));
const COMPILER = process.env.CC ?? 'gcc';

/** The sets of instructions to compile for; WebAssembly has vectors of 128 bits, as SSE4 has. */
const TARGETS = [
  { name: 'C, SSE4', needs: 'sse4_2', flags: ['-msse4.2', '-mno-avx'] },
  { name: 'C, AVX2', needs: 'avx2', flags: ['-mavx2', '-mno-avx512f'] },
  { name: 'C, AVX-512', needs: 'avx512f', flags: ['-mavx512f', '-mprefer-vector-width=512'] },
];

/** What the program prints. */
interface Figures {
  readonly readOnce: number;
  readonly intoNewArrays: number;
  readonly best: number;
  readonly formulations: readonly { name: string; order: Measured['order']; nanoseconds: number }[];
}

/** The C reference, compiled into `folder` for the sets of instructions that this processor has. */
export function cRivals(folder: string): (Rival | Absent)[] {
  const flags = processorFlags();
  const version = compilerVersion();
  if (version === undefined) return [{ name: 'C', reason: `there is no ${COMPILER}` }];
  const targets = TARGETS.map(({ needs, ...target }) => ({ ...target, isHere: flags.has(needs), needs }));
  const widest = targets.findLast(({ isHere }) => isHere);
  writeFileSync(join(folder, 'network.h'), networkHeader(MEMBERS));
  return targets.map((target): Rival | Absent => {
    if (!target.isHere) return { name: target.name, reason: `this processor has no ${target.needs}` };
    const program = join(folder, target.needs);
    execFileSync(COMPILER, [...target.flags, '-O3', '-std=gnu11', `-I${folder}`, SOURCE, '-o', program]);
    return {
      name: target.name,
      kind: 'C',
      versions: { [COMPILER]: version },
      timed: 'to existing arrays of results; "into new arrays" as everyone else',
      maxCells: () => Number.POSITIVE_INFINITY,
      measure: async (job) => run(program, target.name, job, target === widest),
    };
  });
}

function run(
  program: string,
  name: string,
  { workload, cells, input, folder, turns }: RivalJob,
  isWidest: boolean,
): Measured[] {
  const output = join(folder, 'c-results.f32');
  const { first, days } = workload.windows;
  const windows = Array.from(first, (day, w) => `${day}:${days[w]}`);
  const sizes = [MEMBERS, DAYS, cells].map(String);
  const text = execFileSync(program, [input, output, ...sizes, workload.rule, String(turns), ...windows], {
    encoding: 'utf8',
  });
  const { readOnce, intoNewArrays, best, formulations }: Figures = JSON.parse(text);
  const { name: formulation, order, nanoseconds } = formulations[best];
  const results = splitResults(readFloats(output));
  const lines: Measured[] = [
    { name, formulation, order, nanoseconds, results },
    { name: `${name}, into new arrays`, formulation, order, nanoseconds: intoNewArrays, results },
  ];
  const reading = { name: 'reading the input once', formulation: name, order, nanoseconds: readOnce };
  return isWidest ? [reading, ...lines] : lines;
}

function compilerVersion(): string | undefined {
  try {
    return execFileSync(COMPILER, ['-dumpfullversion'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return undefined;
  }
}

function processorFlags(): Set<string> {
  try {
    const [, flags = ''] = /^flags\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? [];
    return new Set(flags.trim().split(' '));
  } catch {
    return new Set();
  }
}

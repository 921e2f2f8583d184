import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { formatDate } from '../../src/period/day.js';
import type { Absent, Measured, Rival, RivalJob } from '../contestant.js';
import { DAYS, FIRST_DAY, PROBABILITIES, type Workload } from '../workloads.js';

const QUIET = ['-s', '-O', '-P', '1', '-f', 'ext', '-b', 'F32', '--percentile', 'linear'];

/**
 * The Climate Data Operators: a process for the mean and one for each quantile, on a file for each member. Each process
 * adds up the windows itself, since adding them up once, to files for all processes, takes twice as long.
 */
export function cdoRival(): Rival | Absent {
  const found = spawnSync('cdo', ['--version'], { encoding: 'utf8' });
  const [, version] = /version (\S+)/.exec(`${found.stdout}${found.stderr}`) ?? [];
  if (version === undefined) return { name: 'CDO', reason: 'there is no cdo' };
  return {
    name: 'CDO',
    kind: 'program',
    versions: { CDO: version },
    timed: 'complete processes, one after the other, from cached files in its EXTRA format to files',
    maxCells: () => Number.POSITIVE_INFINITY,
    measure: async (job) => measure(job),
  };
}

function measure({ workload, cells, members, folder }: RivalJob): Measured[] {
  const here = join(folder, 'cdo');
  mkdirSync(here);
  const inputs = members.map((_, m) => join(here, `member-${m}.ext`));
  inputs.forEach((path, m) => {
    writeExtra(path, members[m], cells);
  });
  const operator = windowOperator(workload);
  const from = performance.now();
  const files = ensembleStatistics(here, operator === undefined ? inputs : [`-apply,${operator}`, '[', ...inputs, ']']);
  const nanoseconds = ((performance.now() - from) * 1e6) / (cells * workload.windows.count);
  const results = files.map((path) => readExtra(path, cells, workload.windows.count));
  rmSync(here, { recursive: true });
  const formulation = operator === undefined ? 'enspctl' : `enspctl of -apply,${operator}`;
  return [{ name: 'CDO', formulation, nanoseconds, order: 'window-first', results }];
}

/** Weeks begin after the first day; incomplete windows come last. */
function windowOperator({ key, windows }: Workload): string | undefined {
  if (key === 'T') return undefined;
  return key === 'M' ? '-monmean' : `-timselsum,7,${windows.first[0]}`;
}

function ensembleStatistics(folder: string, inputs: readonly string[]): string[] {
  const operators = ['ensmean', ...PROBABILITIES.map((p) => `enspctl,${100 * p}`)];
  return operators.map((operator, k) => {
    const output = join(folder, `result-${k}.ext`);
    execFileSync('cdo', [...QUIET, operator, ...inputs, output]);
    return output;
  });
}

/**
 * EXTRA: for each day a record of date, code, level and size, and one of values, both between their lengths in bytes.
 */
function writeExtra(path: string, values: Float32Array, cells: number): void {
  const file = openSync(path, 'w');
  const record = new DataView(new ArrayBuffer(32 + 4 * cells));
  for (let day = 0; day < DAYS; day++) {
    const date = Number(formatDate(FIRST_DAY + day).replaceAll('-', ''));
    for (const [place, word] of [16, date, 1, 0, cells, 16, 4 * cells].entries())
      record.setInt32(4 * place, word, true);
    for (let cell = 0; cell < cells; cell++) record.setFloat32(28 + 4 * cell, values[cell * DAYS + day], true);
    record.setInt32(28 + 4 * cells, 4 * cells, true);
    writeSync(file, record);
  }
  closeSync(file);
}

/** The values of the first records. */
function readExtra(path: string, cells: number, records: number): Float32Array {
  const { buffer, byteOffset } = readFileSync(path);
  const values = new Float32Array(records * cells);
  for (let record = 0; record < records; record++) {
    const from = byteOffset + record * (32 + 4 * cells) + 28;
    values.set(new Float32Array(buffer.slice(from, from + 4 * cells)), record * cells);
  }
  return values;
}

/**
 * Statistics of an Arrow file that is larger than the memory used: how long they take beside reading the file alone and computing it
 * alone, and the peak of memory as the operating system counts it.
 *
 *   node build/bench/streaming.js [GB] [ROUNDS]
 *
 * Weekly sums of 31 members, five quantiles and the mean, to an Arrow file. Each figure is the best of some rounds, each in a process
 * of its own; the file is in the page cache where the machine's memory allows. Fails where memory takes more than it may.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Table } from 'apache-arrow';
import { statisticsOfArrowFile } from '../src/batch/run/statistics-of-arrow-file.node.js';
import { writeOutput } from '../src/cli/write-output.js';
import { loadCore } from '../src/core/load.js';
import { arrowFile } from '../src/files/arrow/arrow-file.node.js';
import { doubleBufferedParts, PART_BYTES } from '../src/files/arrow/double-buffered-parts.node.js';
import { readArrowFileInto } from '../src/files/arrow/read-arrow-file-into.node.js';
import { encodeTables } from '../src/files/encode-tables.js';
import { statistics } from '../src/statistics/statistics.js';
import { ROW_BYTES, writeLargeFile } from './streaming-file.js';

/** What may be held beside one batch, and what a batch of 65,536 rows takes. */
const MAX_BYTES = 256 * 2 ** 20;
const BATCH_ROWS = 65_536;
const PART_ROWS = 29 * BATCH_ROWS;
const OPTIONS = { granularity: 'weekly' } as const;

interface Figures {
  readonly seconds: number;
  readonly peak: number;
}

/** What a process of its own does with a file, and its seconds, where they are not all that passes. */
const TASKS: Record<string, (path: string, more: string) => Promise<number | undefined>> = {
  async make(path, sizes) {
    const [rows, batchRows] = sizes.split('/').map(Number);
    await writeLargeFile(path, rows, batchRows);
    return undefined;
  },
  async read(path) {
    const handle = await open(path);
    const file = await arrowFile(handle, path, PART_BYTES);
    if (file === undefined) throw new Error(`${path} cannot be read in parts`);
    for await (const _ of doubleBufferedParts(await loadCore(), file, path));
    await handle.close();
    return undefined;
  },
  /** A part that is in memory as a whole: each batch by itself, as a stream of them is computed. */
  async compute(path) {
    const core = await loadCore();
    const { table } = await readArrowFileInto(core, path);
    const started = performance.now();
    for (const batch of table.batches) statistics(core, new Table([batch]), OPTIONS);
    return (performance.now() - started) / 1000;
  },
  async stream(path, out) {
    await writeOutput(out, encodeTables(statisticsOfArrowFile(await loadCore(), path, OPTIONS), 'arrow'));
    return undefined;
  },
};

const [first = '4', second = '3', ...rest] = process.argv.slice(2);
if (first in TASKS) await runTask(first, second, rest[0]);
else compare(Number(first), Number(second));

async function runTask(task: string, path: string, more: string): Promise<void> {
  const started = performance.now();
  const measured = await TASKS[task](path, more);
  const seconds = measured ?? (performance.now() - started) / 1000;
  console.log(JSON.stringify({ seconds, peak: process.resourceUsage().maxRSS * 1024 }));
}

function compare(requested: number, rounds: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-streaming-'));
  try {
    const { bavail, bsize } = statfsSync(folder);
    const gigabytes = Math.min(requested, Math.floor((bavail * bsize) / 2 ** 30 / 2));
    if (gigabytes < requested) console.log(`${gigabytes} GB in place of ${requested}: the disk has no more room`);
    const rows = Math.round((gigabytes * 1e9) / ROW_BYTES);
    const part = join(folder, 'part.arrow');
    make(part, PART_ROWS, BATCH_ROWS);
    console.log(
      `Node ${process.versions.node}, ${availableParallelism()} of ${cpus()[0].model}, load ${loadavg()[0].toFixed(1)}`,
    );
    for (const batchRows of [BATCH_ROWS, rows]) {
      const path = join(folder, 'large.arrow');
      make(path, rows, batchRows);
      report(path, part, rows, batchRows, rounds);
      rmSync(path);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(path: string, part: string, rows: number, batchRows: number, rounds: number): void {
  const all = Array.from({ length: rounds }, () => ({
    read: child('read', path),
    compute: child('compute', part),
    stream: child('stream', path, `${path}.out`),
  }));
  const best = (task: 'read' | 'compute' | 'stream') => Math.min(...all.map((round) => round[task].seconds));
  const [read, compute, stream] = [best('read'), (best('compute') * rows) / PART_ROWS, best('stream')];
  const peak = Math.max(...all.map((round) => round.stream.peak));
  const most = MAX_BYTES + BATCH_ROWS * ROW_BYTES;
  const isCached = read < (rows * ROW_BYTES) / 1e9;
  console.log(
    [
      `${((rows * ROW_BYTES) / 1e9).toFixed(1)} GB in ${Math.ceil(rows / batchRows)} batches${isCached ? ', in the page cache' : ', read from the disk'}`,
      `  reading alone ${read.toFixed(2)} s, computing alone ${compute.toFixed(2)} s, streamed to an Arrow file ${stream.toFixed(2)} s`,
      `  the slower of the two takes ${(Math.max(read, compute) / stream).toFixed(2)} of the streamed time; the goal is 0.80`,
      `  ${peak > most ? 'too much' : 'ok'}: peak ${(peak / 2 ** 20).toFixed(0)} MB, at most ${(most / 2 ** 20).toFixed(0)}`,
    ].join('\n'),
  );
  if (peak > most) process.exitCode = 1;
}

/** In a process of its own, too: a process begins with the peak of the one that starts it. */
function make(path: string, rows: number, batchRows: number): void {
  child('make', path, `${rows}/${batchRows}`);
}

function child(...args: string[]): Figures {
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' }));
}

/**
 * Statistics of an Arrow file that is larger than the memory used: how long they take beside only reading the file and
 * only computing, and the peak of memory that the operating system counts.
 *
 *   node build/bench/streaming.js [GB] [ROUNDS]
 *
 * Weekly sums of 31 members, five quantiles and the mean, to an Arrow file. Each figure is the best of several rounds,
 * each in a process of its own; the file is in the page cache where the machine's memory allows. Fails where the peak
 * of memory is above its limit.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Table } from 'apache-arrow';
import { writeOutput } from '../src/cli/write-output.js';
import { loadCore } from '../src/core/load.js';
import { doubleBufferedParts, openArrowFile, PART_BYTES } from '../src/files/arrow/arrow-file.js';
import { readArrowInto } from '../src/files/arrow/read-arrow-into.node.js';
import { DiskFile } from '../src/files/disk-file.node.js';
import { encodeTables } from '../src/files/encode-tables.js';
import { readTables } from '../src/files/read-tables.node.js';
import { streamStatistics } from '../src/input/stream-statistics.js';
import { statistics } from '../src/statistics/statistics.js';
import { ROW_BYTES, writeLargeFile } from './streaming-file.js';

/** The limit of memory beside one batch. */
const MAX_BYTES = 256 * 2 ** 20;
const BATCH_ROWS = 65_536;
const PART_ROWS = 29 * BATCH_ROWS;
const OPTIONS = { granularity: 'weekly' } as const;

interface Figures {
  readonly seconds: number;
  readonly peak: number;
}

/** The tasks of processes, each with a file; some return their seconds, where not all of their time counts. */
const TASKS: Record<string, (path: string, more: string) => Promise<number | undefined>> = {
  async make(path, sizes) {
    const [rows, batchRows] = sizes.split('/').map(Number);
    await writeLargeFile(path, rows, batchRows);
    return undefined;
  },
  async read(path) {
    const opened = await DiskFile.open(path);
    const file = await openArrowFile(opened, PART_BYTES);
    if (file === undefined) throw new Error(`${path} cannot be read in parts`);
    for await (const _ of doubleBufferedParts(await loadCore(), file));
    await opened.close();
    return undefined;
  },
  /** Computes a file that is in memory, batch by batch, as a stream of batches is computed. */
  async compute(path) {
    const core = await loadCore();
    const { table } = await readArrowInto(core, path);
    const started = performance.now();
    for (const batch of table.batches) statistics(core, new Table([batch]), OPTIONS);
    return (performance.now() - started) / 1000;
  },
  async stream(path, out) {
    const core = await loadCore();
    await writeOutput(out, encodeTables(streamStatistics(core, readTables(core, path), OPTIONS), 'arrow'));
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
    if (gigabytes < requested) console.log(`${gigabytes} GB instead of ${requested}: the disk has no more free space`);
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
  const limit = MAX_BYTES + BATCH_ROWS * ROW_BYTES;
  const isCached = read < (rows * ROW_BYTES) / 1e9;
  const [gigabytes, batches] = [((rows * ROW_BYTES) / 1e9).toFixed(1), Math.ceil(rows / batchRows)];
  const alone = `reading alone ${read.toFixed(2)} s, computing alone ${compute.toFixed(2)} s`;
  const share = (Math.max(read, compute) / stream).toFixed(2);
  const [megabytes, most] = [peak, limit].map((bytes) => (bytes / 2 ** 20).toFixed(0));
  console.log(`${gigabytes} GB in ${batches} batches, ${isCached ? 'in the page cache' : 'read from the disk'}`);
  console.log(`  ${alone}, streamed to an Arrow file ${stream.toFixed(2)} s`);
  console.log(`  the slower of the two takes ${share} of the streamed time; the goal is 0.80`);
  console.log(`  ${peak > limit ? 'too much' : 'ok'}: peak ${megabytes} MB, at most ${most}`);
  if (peak > limit) process.exitCode = 1;
}

/** In a process of its own, too, because a process begins with the peak of the one that starts it. */
function make(path: string, rows: number, batchRows: number): void {
  child('make', path, `${rows}/${batchRows}`);
}

function child(...args: string[]): Figures {
  return JSON.parse(execFileSync(process.execPath, [fileURLToPath(import.meta.url), ...args], { encoding: 'utf8' }));
}

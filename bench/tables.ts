/**
 * Weekly statistics of tables, from a file to a Parquet file, as whole processes: plumecast beside DuckDB and Polars,
 * with one thread each and with two.
 *
 *   node build/bench/tables.js [PLACES] [ROUNDS] [FOLDER] [--only FORM] [--checkout PATH]
 *
 * Six files of the same values (wide and long, as Arrow, Parquet and CSV): PLACES places, 180 days, 31 members, ordered
 * by place and day; the mean and five quantiles of weekly sums. Each figure is the best of several rounds, with files
 * in the page cache; peaks are those that the operating system counts. Results are compared. Python (`python3`, or
 * PLUMECAST_BENCH_PYTHON) with numpy and pyarrow makes the files; DuckDB and Polars take part where they are found.
 * Files that exist in FOLDER are used again. `--only wide.csv` selects a file, and `--checkout` measures the build of
 * another repository, alone.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { best, type Run, run } from './measured-run.js';

const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';
const SCRIPT = fileURLToPath(new URL('../../bench/native/tables.py', import.meta.url));
const { values: options, positionals } = parseArgs({
  options: { checkout: { type: 'string' }, only: { type: 'string' } },
  allowPositionals: true,
});
const [places = '4000', rounds = '3', given] = positionals;
const CLI = join(options.checkout ?? fileURLToPath(new URL('../..', import.meta.url)), 'dist/cli.js');
const folder = given ?? mkdtempSync(join(tmpdir(), 'plumecast-tables-'));
const FILES = ['wide.arrow', 'wide.parquet', 'wide.csv', 'long.arrow', 'long.parquet', 'long.csv'];
/** The largest difference that sums in float32 explain, as a share of the largest value. */
const MAX_DIFFERENCE = 1e-5;

function print(name: string, { seconds, peak }: Run, beside = ''): void {
  const memory = peak === undefined ? '' : `${Math.round(peak / 1e6)} MB`;
  console.log(`${name.padEnd(35)} ${seconds.toFixed(2).padStart(7)} s ${memory.padStart(8)}${beside}`);
}

const path = (name: string) => join(folder, name);

const THREADS = ['1', '2'];

function ours(file: string, threads: string): Run {
  return run(process.execPath, [
    ...[CLI, 'stats', path(file), '--variable', 'precipitation', '--granularity', 'weekly'],
    ...['--quantiles', '0.05,0.25,0.5,0.75,0.95', '--out', path('ours.parquet')],
    ...['--threads', threads],
  ]);
}

/** plumecast on a file, then DuckDB and Polars, those of them that are found and read it. */
function measure(file: string): void {
  const [form] = file.split('.');
  const own = THREADS.map((threads) => best(Number(rounds), () => ours(file, threads)));
  own.forEach((result, i) => {
    print(`${file}: plumecast, ${named(THREADS[i])}`, result);
  });
  for (const program of ['duckdb', 'polars'].filter((name) => PEERS.has(name))) {
    if (program === 'duckdb' && extname(file) === '.arrow') continue;
    THREADS.forEach((threads, i) => {
      const peer = best(Number(rounds), () =>
        run(PYTHON, [SCRIPT, program, form, path(file), path('peer.parquet'), threads]),
      );
      const ratio = `, plumecast takes ${(own[i].seconds / peer.seconds).toFixed(2)} of it`;
      print(`${file}: ${program}, ${named(threads)}`, peer, ratio);
    });
    const { out } = run(PYTHON, [SCRIPT, 'compare', path('ours.parquet'), path('peer.parquet')]);
    if (!(Number(out) <= MAX_DIFFERENCE)) throw new Error(`${program}: results of ${file} differ by ${out}`);
  }
}

function named(threads: string): string {
  return threads === '1' ? '1 thread' : `${threads} threads`;
}

/** Whether Python has a module; prints a line where it has not. */
function hasModule(module: string): boolean {
  const { status, stdout } = spawnSync(PYTHON, ['-c', `import ${module}; print(${module}.__version__)`], {
    encoding: 'utf8',
  });
  console.log(status === 0 ? `${module} ${stdout.trim()}` : `${module}: not found by ${PYTHON}`);
  return status === 0;
}

const model = cpus()[0].model;
console.log(
  `${places} places, ${model}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}, Node ${process.version}`,
);
const PEERS = new Set(options.checkout === undefined ? ['duckdb', 'polars'].filter(hasModule) : []);
mkdirSync(folder, { recursive: true });
try {
  if (!FILES.every((name) => existsSync(path(name)))) run(PYTHON, [SCRIPT, 'make', folder, places]);
  for (const file of FILES.filter((name) => options.only === undefined || name === options.only)) {
    console.log(`${file}: ${Math.round(statSync(path(file)).size / 1e6)} MB`);
    measure(file);
  }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}

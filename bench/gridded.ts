/**
 * Weekly statistics of a gridded ensemble, from a file to a NetCDF4 file: plumecast beside the libraries that only read
 * the file, CDO, xarray with dask, and numpy.
 *
 *   node build/bench/gridded.js [GB] [ROUNDS] [FOLDER] [--checkout PATH]
 *
 * 31 members, half a degree, five quantiles and the mean. Each figure is the best of several rounds, each in a process
 * of its own, with files in the page cache where the machine's memory allows; peaks are those that the operating system
 * counts. Results are compared. Python (`python3`, or PLUMECAST_BENCH_PYTHON) with netCDF4 makes the files; xarray,
 * dask, zarr and CDO take part where they are found. Files that exist in FOLDER are used again. With `--checkout` the
 * build of another repository is measured, without the others.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { best, type Run, run } from './measured-run.js';

const PYTHON = process.env.PLUMECAST_BENCH_PYTHON ?? 'python3';
const SCRIPT = fileURLToPath(new URL('../../bench/native/gridded.py', import.meta.url));
const READ = fileURLToPath(new URL('../../bench/read-gridded.mjs', import.meta.url));
const { values: options, positionals } = parseArgs({
  options: { checkout: { type: 'string' } },
  allowPositionals: true,
});
const [gigabytes = '2', rounds = '3', given] = positionals;
const CLI = join(options.checkout ?? fileURLToPath(new URL('../..', import.meta.url)), 'dist/cli.js');
const folder = given ?? mkdtempSync(join(tmpdir(), 'plumecast-gridded-'));
const MEMORY = 1e9;
/** The largest difference that sums in float32 explain, as a share of the largest value. */
const MAX_DIFFERENCE = 1e-5;

const path = (name: string) => join(folder, name);

/** The path of an input file, which is made where it does not exist. */
function input(kind: string, name: string): string {
  if (!existsSync(path(name))) run(PYTHON, [SCRIPT, 'make', folder, gigabytes, kind]);
  return path(name);
}

function batch(file: string, workers: number, out: string): Run {
  const options = [
    '--variable',
    'precipitation',
    '--granularity',
    'weekly',
    '--format',
    'netcdf',
    '--compression',
    'none',
    '--overwrite',
  ];
  const budget = ['--memory', String(MEMORY), '--workers', String(workers)];
  return run(process.execPath, [CLI, 'batch', file, '--out', path(out), ...options, ...budget]);
}

function print(name: string, { seconds, peak }: Run, beside = ''): void {
  const memory = peak === undefined ? '' : `, ${Math.round(peak / 1e6)} MB`;
  console.log(`${name.padEnd(44)} ${seconds.toFixed(2).padStart(7)} s${memory}${beside}`);
}

/** plumecast on a file of one format, beside only reading it. */
function measureForm(name: string, file: string): Run {
  const reading = best(Number(rounds), () => run(process.execPath, [READ, file]));
  const one = best(Number(rounds), () => batch(file, 1, `${name}-1`));
  const two = best(Number(rounds), () => batch(file, 2, `${name}-2`));
  print(`${name}: reading alone, its library`, reading);
  const share = (run: Run) => `, ${(reading.seconds / run.seconds).toFixed(2)} of the reading's speed`;
  print(`${name}: plumecast, 1 worker`, one, share(one));
  print(`${name}: plumecast, 2 workers`, two, `${share(two)}, ${(one.seconds / two.seconds).toFixed(2)} of 1 worker`);
  if ((two.peak ?? 0) > MEMORY) throw new Error('the peak of memory is above the limit');
  return two;
}

function measurePython(ours: string, raw: Run): void {
  if (hasModule('numpy')) {
    const numpy = run(PYTHON, [SCRIPT, 'numpy', path('raw.nc'), path('numpy.npz')]);
    const [reading, computing] = numpy.out.split(' ').map(Number);
    print('numpy, a week at a time', numpy, `: reading ${reading.toFixed(2)} s, computing ${computing.toFixed(2)} s`);
    difference(ours, path('numpy.npz'));
  }
  if (hasModule('dask') && hasModule('xarray')) {
    const xarray = best(Number(rounds), () => run(PYTHON, [SCRIPT, 'xarray', path('raw.nc'), path('xarray.nc')]));
    const ratio = (xarray.seconds / raw.seconds).toFixed(1);
    print('xarray with dask', xarray, `, ${ratio} times plumecast's with 2 workers`);
    difference(ours, path('xarray.nc'));
  }
}

function measureCdo(ours: string): void {
  input('members', 'member30.nc');
  const files = Array.from({ length: 31 }, (_, m) => path(`member${String(m).padStart(2, '0')}.nc`));
  const chains = ['ensmean', 'enspctl,5', 'enspctl,25', 'enspctl,50', 'enspctl,75', 'enspctl,95'];
  const outs = chains.map((chain) => path(`cdo-${chain.replace(',', '')}.nc`));
  const seconds = best(Number(rounds), () => {
    const each = chains.map((chain, i) =>
      run('cdo', [
        '-s',
        '-O',
        '-L',
        '--percentile',
        'linear',
        chain,
        '-apply,-timselsum,7',
        '[',
        ...files,
        ']',
        outs[i],
      ]),
    );
    return {
      seconds: each.reduce((sum, one) => sum + one.seconds, 0),
      peak: Math.max(...each.map(({ peak }) => peak ?? 0)),
      out: '',
    };
  });
  print('CDO, from a file for each member', seconds);
  difference(ours, outs[0], ...outs.slice(1));
}

function difference(ours: string, ...theirs: readonly string[]): void {
  const { out } = run(PYTHON, [SCRIPT, 'compare', ours, ...theirs]);
  console.log(`  differs by ${Number(out).toExponential(1)} of the largest value at most`);
  if (!(Number(out) <= MAX_DIFFERENCE)) throw new Error(`${theirs[0]}: results differ from ${ours}`);
}

/** Whether Python has a module of at least this major version; prints a line where it has not. */
function hasModule(module: string, version = 0): boolean {
  const { status, stdout } = spawnSync(PYTHON, ['-c', `import ${module}; print(${module}.__version__)`], {
    encoding: 'utf8',
  });
  if (status !== 0) console.log(`${module}: not found by ${PYTHON}`);
  else if (Number.parseInt(stdout, 10) >= version) return true;
  else console.log(`${module}: ${PYTHON} has version ${stdout.trim()}; skipped, needs ${version} or later`);
  return false;
}

mkdirSync(folder, { recursive: true });
const load = loadavg()[0].toFixed(1);
console.log(
  `${gigabytes} GB, ${cpus()[0].model}, ${availableParallelism()} cores, load ${load}, Node ${process.version}`,
);
try {
  const raw = measureForm('NetCDF4', input('raw', 'raw.nc'));
  const ours = path('NetCDF4-2/raw.nc');
  if (options.checkout === undefined) {
    measurePython(ours, raw);
    if (spawnSync('cdo', ['--version']).status === 0) measureCdo(ours);
  }
  measureForm('NetCDF4, deflate', input('deflate', 'deflate.nc'));
  if (hasModule('zarr', 3)) measureForm('Zarr, zstd', input('zarr', 'zstd.zarr'));
  const alike = [
    'NetCDF4-1/raw.nc',
    'NetCDF4, deflate-1/deflate.nc',
    'NetCDF4, deflate-2/deflate.nc',
    'Zarr, zstd-2/zstd.nc',
  ];
  for (const name of alike.filter((name) => existsSync(path(name)))) {
    if (!readFileSync(path(name)).equals(readFileSync(ours))) throw new Error(`${name} differs from ${ours}`);
  }
} finally {
  if (given === undefined) rmSync(folder, { recursive: true });
}

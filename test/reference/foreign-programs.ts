import { spawnSync } from 'node:child_process';

/** The Python that tests ask: `python3`, or that of PLUMECAST_PYTHON. */
export const PYTHON = process.env.PLUMECAST_PYTHON ?? 'python3';

/**
 * The oldest versions that the tests have passed with, by package; null where any will do. They hold for a Python that
 * happens to be on the machine; one that PLUMECAST_PYTHON names is used as it is.
 */
const OLDEST: Readonly<Record<string, string | null>> = {
  ...{ numpy: '2.4', pandas: '3.1', polars: '2.1', pyarrow: '26.0', duckdb: '2.0', dask: '2026.8', pyspark: '4.3' },
  ...{ xarray: '2026.9', netCDF4: '1.7.5', h5netcdf: '1.8', h5py: '3.16', zarr: '3.1.6', numcodecs: '0.16.6' },
  ...{
    eccodes: '2.50',
    rasterio: '1.4.4',
    scipy: '1.17',
    geopandas: '1.2',
    shapely: '2.2',
    zstandard: '0.25',
    lz4: '4.4.5',
    xclim: '0.62',
    scoringrules: '0.10',
    properscoring: '0.1',
    xskillscore: '0.0.29',
    scores: '2.7',
    statsmodels: '0.15',
    numba: '0.68',
    exactextract: '0.3',
    yaml: null,
    kerchunk: '0.2.10',
    fastparquet: '2026.1',
    openpyxl: '3.1',
    xlsxwriter: '3.2',
    python_calamine: '0.6',
    moto: '5.2',
    flask: null,
  },
};

/** Prints, for each module, whether it is installed, and the version of its package. It imports none: that takes a second or more. */
const FIND_MODULES = `
import json, sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
def found(name):
    try:
        return find_spec(name) is not None
    except ImportError:
        return False
def version_of(name):
    try:
        return version(name.split('.')[0])
    except PackageNotFoundError:
        return ''
print(json.dumps({name: version_of(name) if found(name) else None for name in sys.argv[1:]}))
`;

/** What is waited for without a limit of its own is waited for even when the test has timed out. */
const MAX_MS = 110_000;

/** Whether Python and these modules are installed, in versions that will do; prints a line where they are not. */
export function hasPython(...modules: string[]): boolean {
  return modules.filter(hasModule).length === modules.length;
}

/** Those of these modules of Python that are installed, in versions that will do; prints a line for each that is not. */
export function usableModules(...modules: string[]): string[] {
  return modules.filter(hasModule);
}

/** Whether a program is there; prints a line where it is not. */
export function hasProgram(name: string, ...args: string[]): boolean {
  const there = remembered(name, () => spawnSync(name, args, { stdio: 'ignore' }).status === 0);
  if (!there) console.log(`skipped: ${name} is not there`);
  return there;
}

/** Runs Python with warnings as errors; returns what it prints, and throws what it complains of. */
export function python(code: string, { args = [], input }: { args?: string[]; input?: string } = {}): string {
  return said(PYTHON, ['-W', 'error', '-c', code, ...args], input);
}

/** Runs a script in Python; returns what it prints, and throws where it fails. */
export function pythonFile(path: string, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(PYTHON, [path, ...args], {
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: MAX_MS,
  });
  if (status !== 0) throw new Error(`${path} exited with ${status}: ${stderr}`);
  return stdout;
}

/** Runs a program; returns what it prints, and throws what it complains of, warnings included. */
export function said(program: string, args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1e8,
    timeout: MAX_MS,
    input,
  });
  if (status !== 0 || stderr !== '') throw new Error(`${program} exited with ${status}: ${stderr}`);
  return stdout;
}

/** What was found out, by what it is about: to find out starts a process. */
const known = new Map<string, unknown>();

function remembered<T>(what: string, find: () => T): T {
  if (!known.has(what)) known.set(what, find());
  return known.get(what) as T;
}

function hasModule(module: string): boolean {
  const oldest = OLDEST[module.split('.')[0]];
  if (oldest === undefined) throw new Error(`foreign-programs.ts states no oldest version of ${module}`);
  // All at once, but for parts of packages, whose packages are imported to find them.
  const names = module.includes('.') ? [module] : Object.keys(OLDEST);
  const versions = remembered(`modules ${names}`, () => versionsOf(names));
  const version = versions[module] ?? undefined;
  if (version === undefined) {
    console.log(`skipped: Python with ${module} is not there`);
    return false;
  }
  if (oldest === null || process.env.PLUMECAST_PYTHON !== undefined || !isOlder(version, oldest)) return true;
  const received = `${PYTHON} has ${version || 'an unknown version'}; PLUMECAST_PYTHON names another Python`;
  console.log(`skipped: Python with ${module} ${oldest} or later is not there (${received})`);
  return false;
}

/** The versions of the modules that are installed. */
function versionsOf(modules: readonly string[]): Record<string, string | null> {
  const { status, stdout } = spawnSync(PYTHON, ['-c', FIND_MODULES, ...modules], { encoding: 'utf8', timeout: MAX_MS });
  return status === 0 ? JSON.parse(stdout) : {};
}

/** Whether a version of a package comes before another; one without numbers is older than all. */
function isOlder(version: string, than: string): boolean {
  const numbers = (text: string) => text.match(/\d+/g)?.map(Number) ?? [];
  const [a, b] = [numbers(version), numbers(than)];
  const first = b.findIndex((number, i) => (a[i] ?? 0) !== number);
  return first >= 0 && (a[first] ?? 0) < b[first];
}

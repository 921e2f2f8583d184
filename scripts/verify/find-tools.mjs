import { spawnSync } from 'node:child_process';

const PYTHON = process.env.PLUMECAST_PYTHON ?? 'python3';
const RSCRIPT = process.env.PLUMECAST_RSCRIPT ?? 'Rscript';

/** Packages of Python that comparisons need. */
const PACKAGES = [
  ...['numpy', 'scipy', 'pandas', 'xarray', 'netCDF4', 'xclim', 'eccodes', 'polars', 'duckdb'],
  ...['scoringrules', 'properscoring', 'xskillscore', 'scores', 'statsmodels', 'numba'],
];
const FIND_VERSIONS = `
import json, sys
from importlib.metadata import PackageNotFoundError, version
def found(name):
    try:
        return version(name)
    except PackageNotFoundError:
        return None
print(json.dumps({name: found(name) for name in sys.argv[1:]}))
`;

/** The versions of the programs and packages that are there, and what runs them. */
export function findTools() {
  const versions = {};
  const packages = spawnSync(PYTHON, ['-c', FIND_VERSIONS, ...PACKAGES], { encoding: 'utf8' });
  if (packages.status === 0) {
    for (const [name, version] of Object.entries(JSON.parse(packages.stdout))) versions[name] = version ?? undefined;
  }
  const r = spawnSync(RSCRIPT, ['-e', 'cat(paste(R.version$major, R.version$minor, sep = "."))'], { encoding: 'utf8' });
  if (r.status === 0) versions.R = r.stdout.trim();
  const cdo = spawnSync('cdo', ['--version'], { encoding: 'utf8' });
  const version = /version (\S+)/.exec(`${cdo.stdout}${cdo.stderr}`);
  if (version !== null) versions.CDO = version[1];
  return { versions, python, rscript };
}

/** Runs a script of Python, and returns what it prints. */
function python(script, args, input) {
  return said(PYTHON, [path(script), ...args], input);
}

/** Runs a script of R, and returns what it prints. */
function rscript(script, args) {
  return said(RSCRIPT, ['--vanilla', path(script), ...args]);
}

/** Runs a program, and returns what it prints. */
function said(program, args, input) {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1e9, input });
  if (status !== 0) throw new Error(`${program} ${args[0]} failed: ${error?.message ?? stderr}`);
  return stdout;
}

/** From the root of the project. */
function path(script) {
  return new URL(`../../${script}`, import.meta.url).pathname;
}

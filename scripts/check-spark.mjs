/**
 * Runs the tests of integrations/spark with the real engines: pyspark, Dask, pandas and Polars from PyPI, and Java.
 * Checks its types with mypy. What is missing is installed: Python's packages into build/spark-python, Java from Debian. Where that fails, a line
 * says what is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const PACKAGES = ['pyspark>=4', 'pyarrow', 'pandas', 'polars', 'dask[dataframe]', 'numpy', 'pytest', 'mypy'];
const MODULES = 'pyspark, pyarrow, pandas, polars, dask, numpy, pytest';
const OWN_PYTHON = 'build/spark-python/bin/python';

const python = [process.env.PLUMECAST_PYTHON ?? 'python3', OWN_PYTHON].find(hasPackages) ?? installPackages();
if (python === undefined) {
  console.log('skipped: tests of integrations/spark (no Python with its packages, and PyPI does not offer them)');
} else {
  if (!runs('java', '-version') && !installJava())
    console.log('skipped: Spark (no Java, and apt-get does not offer it)');
  const { status } = spawnSync(python, ['-m', 'pytest', '-q', '-rs', '-p', 'no:cacheprovider', 'integrations/spark'], {
    stdio: 'inherit',
    env: { ...process.env, PYTHONPATH: 'integrations/spark/src', PYTHONDONTWRITEBYTECODE: '1' },
  });
  process.exitCode = status ?? 1;
  if (!runs(python, '-m', 'mypy', '--version')) console.log('skipped: types of integrations/spark (no mypy)');
  else if (checkTypes(python) !== 0) process.exitCode = 1;
}

function checkTypes(program) {
  const args = ['-m', 'mypy', '--cache-dir', 'build/mypy', '--config-file', 'integrations/spark/pyproject.toml'];
  return spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, MYPYPATH: 'integrations/spark/src' } })
    .status;
}

function runs(program, ...args) {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}

function hasPackages(program) {
  return runs(program, '-c', `import ${MODULES}`);
}

function installPackages() {
  if (!existsSync(OWN_PYTHON) && !runs('python3', '-m', 'venv', 'build/spark-python')) return undefined;
  return runs(OWN_PYTHON, '-m', 'pip', 'install', '-q', ...PACKAGES) ? OWN_PYTHON : undefined;
}

function installJava() {
  return process.getuid?.() === 0 && runs('apt-get', 'install', '-y', '-qq', 'openjdk-17-jre-headless');
}

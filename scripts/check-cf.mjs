/**
 * Writes NetCDF files of every kind with the built command and checks them with the CF checker from PyPI
 * (compliance-checker), which must find no problems. Prints a line and does nothing if the checker is not installed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const python = process.env.PLUMECAST_PYTHON ?? 'python3';
if (spawnSync(python, ['-c', 'import compliance_checker']).status !== 0) {
  console.log('skipped: NetCDF outputs by the CF checker (it is not installed: pip install compliance-checker)');
  process.exit(0);
}

/**
 * Prints all problems that the checker finds, for the conventions that the files declare; exits with 1 if there are
 * any.
 */
const CHECK = `
import sys
from compliance_checker.runner import CheckSuite
suite = CheckSuite()
suite.load_all_available_checkers()
found = []
def walk(path, result):
    passed = result.value is True or isinstance(result.value, tuple) and result.value[0] >= result.value[1]
    if not passed:
        found.append(f"{path}: {result.name}: {'; '.join(result.msgs or ['failed'])}")
    for child in result.children or []:
        walk(path, child)
for path in sys.argv[1:]:
    dataset = suite.load_dataset(path)
    for groups, errors in suite.run_all(dataset, ["cf:1.8"], None).values():
        found += [f"{path}: {name}: {error[0]}" for name, error in errors.items()]
        for group in groups:
            walk(path, group)
    dataset.close()
print("\\n".join(found) or f"ok: the CF checker finds nothing in {len(sys.argv) - 1} files")
sys.exit(1 if found else 0)
`;

const folder = mkdtempSync(join(tmpdir(), 'plumecast-cf-'));
const path = (name) => join(folder, name);
const command = resolve('dist/cli.js');
const outputs = [];

function plumecast(...args) {
  const { status, stderr } = spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`plumecast ${args.join(' ')}: ${stderr}`);
}

/** The path of a file to check. */
function output(name, ...args) {
  plumecast(...args.map((arg) => (arg === 'OUT' ? name : arg)));
  outputs.push(path(name));
}

/** A CSV table of some years of rain: one row per day and place, two members. */
function table(name, { places, dates }) {
  const rows = places.flatMap(([lat, lon], p) =>
    dates.map((date, d) => [lat, lon, date, (d * 7 + p * 3) % 11, (d * 5 + p) % 13].join(',')),
  );
  writeFileSync(path(name), `${['latitude,longitude,date,member_00,member_01', ...rows].join('\n')}\n`);
}

const GRID = [50, 51].flatMap((lat) => [0, 1, 2].map((lon) => [lat, lon]));
const POINTS = [
  [50.2, 3.1],
  [51.7, -4.5],
  [48.9, 7.3],
];
const DAY = 86_400_000;
const twoDigits = (value) => String(value).padStart(2, '0');
const real = (from, days) =>
  Array.from({ length: days }, (_, d) => new Date(from + d * DAY).toISOString().slice(0, 10));
const of360 = (year, days) =>
  Array.from({ length: days }, (_, d) => {
    const month = Math.floor(d / 30);
    return `${year + Math.floor(month / 12)}-${twoDigits((month % 12) + 1)}-${twoDigits((d % 30) + 1)}`;
  });

try {
  table('grid.csv', { places: GRID, dates: real(Date.UTC(2000, 0, 1), 1500) });
  table('points.csv', { places: POINTS, dates: real(Date.UTC(2000, 0, 1), 1500) });
  table('point.csv', { places: POINTS.slice(0, 1), dates: real(Date.UTC(2000, 0, 1), 60) });
  table('model.csv', { places: GRID, dates: of360(2000, 1440) });
  const rain = ['--variable', 'precipitation'];
  const model = [...rain, '--calendar', '360_day'];
  for (const name of ['grid', 'points', 'point']) output(`${name}.nc`, 'convert', `${name}.csv`, 'OUT', ...rain);
  output('model.nc', 'convert', 'model.csv', 'OUT', ...model);
  const reference = ['--reference', '2000-2003'];
  for (const [name, granularity] of [
    ['grid', 'daily'],
    ['grid', 'weekly'],
    ['grid', 'monthly'],
    ['points', 'monthly'],
  ]) {
    const windows = [`${name}.csv`, ...rain, '--granularity', granularity];
    const normal = `${name}-${granularity}-normal.nc`;
    output(normal, 'climatology', ...windows, ...reference, '--threshold', '>5', '--out', 'OUT');
    const against = ['--climatology', normal, '--exceed', '0.95', '--anomaly', '--threshold', '>5', '--spread'];
    output(`${name}-${granularity}.nc`, 'stats', ...windows, ...against, '--out', 'OUT');
  }
  for (const granularity of ['daily', 'monthly']) {
    const windows = ['model.nc', '--granularity', granularity];
    output(`model-${granularity}.nc`, 'stats', ...windows, '--out', 'OUT');
    output(`model-${granularity}-normal.nc`, 'climatology', ...windows, ...reference, '--out', 'OUT');
  }
  plumecast('convert', 'grid-weekly-normal.nc', 'normal.csv');
  output('no-years.nc', 'convert', 'normal.csv', 'OUT');
  output('point-daily.nc', 'stats', 'point.csv', ...rain, '--out', 'OUT');
  plumecast('batch', 'grid.nc', '--out', 'batch', '--granularity', 'monthly', '--format', 'netcdf');
  outputs.push(join(folder, 'batch', 'grid.nc'));
  const { status } = spawnSync(python, ['-c', CHECK, ...outputs], { stdio: ['ignore', 'inherit', 'inherit'] });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

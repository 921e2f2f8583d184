import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { daysThat, excess, firstDayThat, loadCore, longestSpell, memberWindows, spells } from '../../dist/arrays.js';
import { windowsOf } from '../../dist/calendar.js';
import { readWindowName } from './compare.mjs';
import { normal, randomNumbers } from './random.mjs';

const START = '1979-01-01';
const DAYS = 14_791; // to 2019-06-30
const BOUND = 1e-12;
const DAY = 86_400_000;

/** Days of rain and temperature with seasons, dry spells and values that are equal to limits. */
function series() {
  const random = randomNumbers(9);
  let wet = false;
  const rain = [];
  const temperature = [];
  for (let day = 0; day < DAYS; day++) {
    wet = random() < (wet ? 0.7 : 0.25);
    rain.push(wet ? Math.round(-60 * Math.log(1 - random())) / 10 : 0);
    temperature.push(Math.round(10 * (10 - 9 * Math.cos((2 * Math.PI * day) / 365.25) + 3 * normal(random))) / 10);
  }
  return { precipitation: rain, temp_mean: temperature };
}

async function ours(windows, window, values) {
  const core = await loadCore();
  const array = { data: Float64Array.from(values), shape: [DAYS], dims: ['time'], start: START };
  const found = memberWindows(core, array, { granularity: windowsOf(windows), window: measureOf(window) });
  return new Map(found.periods.map((key, i) => [key, found.data[i]]).filter(([, value]) => !Number.isNaN(value)));
}

/** The measure of a text such as `longest spell <1`; `sum` and the like stand for themselves. */
function measureOf(text) {
  const [, kind, condition, days] = /^(.*?) ([<>]=?[\d.]+)(?: of (\d+) d)?$/.exec(text) ?? [];
  return kind === undefined ? text : MEASURES[kind](condition, Number(days));
}

const MEASURES = { days: daysThat, 'longest spell': longestSpell, spells, 'first day': firstDayThat, excess };

async function besidePython({ folder, python }) {
  const days = series();
  const path = join(folder, 'series.csv');
  const dayOf = (day) => new Date(Date.parse(START) + day * DAY).toISOString().slice(0, 10);
  const lines = days.precipitation.map((rain, day) => `${dayOf(day)},${rain},${days.temp_mean[day]}`);
  await writeFile(path, ['date,precip_mm,t2m_degC', ...lines, ''].join('\n'));
  const rows = [];
  for (const [name, theirs] of JSON.parse(python('test/statistics/windows_of_others.py', [path]))) {
    const { windows, window, variable } = readWindowName(name);
    const found = await ours(windows, window, days[variable]);
    const keys = [...found.keys()];
    rows.push({
      ...{ tool: OF_PANDAS.test(name) ? 'pandas' : 'xclim', what: name.replace('_', ' '), bound: BOUND },
      ...{ ours: keys.map((key) => found.get(key)), theirs: keys.map((key) => theirs[key] ?? null) },
    });
  }
  return rows;
}

const OF_PANDAS = / (sum|mean|max|range|last) | days >1 /;

async function besideCdo({ folder, python }) {
  const { precipitation } = series();
  const [values, path] = [join(folder, 'rain.f64'), join(folder, 'rain.nc')];
  await writeFile(values, Float64Array.from(precipitation));
  python('scripts/verify/peers/write_series.py', [values, START, path]);
  const rows = [];
  for (const [operator, windows, window] of OPERATORS) {
    const found = [...(await ours(windows, window, precipitation)).values()];
    const text = execFileSync('cdo', ['-s', '-outputf,%.17g,1', `-${operator}`, path], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const theirs = text.trim().split(/\s+/).map(Number).slice(0, found.length);
    rows.push({ tool: 'CDO', what: `\`${operator}\``, ours: found, theirs, bound: BOUND });
  }
  return rows;
}

const BLOCKS = Array.from({ length: 20 }, (_, k) => `${11 * k + 1}-${11 * k + 11}`).join(',');
const OPERATORS = [
  ...[
    ['runsum,7', 'rolling 7', 'sum'],
    ['runmean,30', 'rolling 30', 'mean'],
    ['runmax,5', 'rolling 5', 'max'],
  ],
  ...[
    ['monsum', 'monthly', 'sum'],
    ['monmean', 'monthly', 'mean'],
    ['yearsum', 'years', 'sum'],
  ],
  ...[
    ['timselsum,11', `days ${BLOCKS}`, 'sum'],
    ['eca_cdd', 'all', 'longest spell <1'],
  ],
];

export const windows = {
  title: 'Windows of days, and what they hold',
  about: `${DAYS} days of rain and temperature from ${START} on, by windows; each complete window is a number.`,
  comparisons: [
    { needs: ['pandas', 'xarray', 'xclim'], compare: besidePython },
    { needs: ['CDO', 'numpy', 'xarray', 'netCDF4'], compare: besideCdo },
  ],
};

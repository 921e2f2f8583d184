import { climatology } from '../src/climate/compute-climatology.js';
import type { Core } from '../src/core/load.js';
import { createRandomStream } from '../src/demo/random.js';
import { civilDate, dayNumber, isLeapYear } from '../src/period/day.js';
import { createTable, dates, numbers } from '../src/table/build/create-table.js';
import { type Job, medianTurns } from './timing.js';
import { PROBABILITIES } from './workloads.js';

const YEARS = [1993, 2022] as const;
const FIRST_DAY = dayNumber(YEARS[0], 1, 1);
const DAYS = dayNumber(YEARS[1], 12, 31) - FIRST_DAY + 1;
const SEED = 20_260_203;
/** The largest relative error that rounding and another order of summation explain. */
const MAX_ERROR = 1e-5;

/**
 * Daily climatologies of thirty years, in pools of fifteen days, at several numbers of cells, beside plain TypeScript:
 * a Markdown table.
 */
export function climatologyReport(core: Core, sizes: readonly number[], turns: number): string {
  const rows = sizes.map((cells) => {
    const values = history(cells);
    const table = historyTable(values, cells);
    const ours = () => climatology(core, table, { variable: 'temp_mean' });
    const plain = () => {
      for (let cell = 0; cell < cells; cell++) {
        const series = values.subarray(cell * DAYS, (cell + 1) * DAYS);
        plainClimatology(series, FIRST_DAY, YEARS, PROBABILITIES);
      }
    };
    assertClose(ours(), plainClimatology(values.subarray(0, DAYS), FIRST_DAY, YEARS, PROBABILITIES));
    // Plain TypeScript costs the same for each cell: a hundred cells are enough.
    const isCompared = cells <= 100;
    const jobs: Job[] = [{ name: `climatology of ${cells} cells`, run: () => void ours() }];
    if (isCompared) jobs.push({ name: 'the same in plain TypeScript', run: plain });
    const [time, beside] = medianTurns(jobs, cells > 100 ? 1 : cells === 1 ? 8 * turns : turns);
    const figures = beside === undefined ? ['–', '–'] : [(beside / cells).toFixed(2), `${(beside / time).toFixed(1)}×`];
    return `| ${[cells.toLocaleString('en'), (time / cells).toFixed(2), ...figures].join(' | ')} |`;
  });
  return [
    '### Climatology: 366 dates of thirty years, with seven days before and after; mean, five quantiles, terciles',
    '',
    '| cells | ms a cell | JavaScript, sorting each pool, without terciles: ms a cell | times as fast |',
    '|---:|---:|---:|---:|',
    ...rows,
  ].join('\n');
}

function history(cells: number): Float32Array {
  const random = createRandomStream([SEED]);
  return Float32Array.from({ length: cells * DAYS }, (_, row) => {
    return 10 - 8 * Math.cos((2 * Math.PI * (row % DAYS)) / 365.25) + 12 * (random.nextUniform() - 0.5);
  });
}

function historyTable(values: Float32Array, cells: number) {
  const cellOf = (row: number) => Math.floor(row / DAYS);
  const columns = [
    numbers(
      'latitude',
      Float64Array.from(values, (_, row) => 50 + 0.25 * Math.floor(cellOf(row) / 100)),
    ),
    numbers(
      'longitude',
      Float64Array.from(values, (_, row) => 0.25 * (cellOf(row) % 100)),
    ),
    dates(
      'date',
      Int32Array.from(values, (_, row) => FIRST_DAY + (row % DAYS)),
    ),
    numbers('value', values),
  ];
  return createTable(columns, new Map([['cells', String(cells)]]));
}

function assertClose(found: ReturnType<typeof climatology>, expected: readonly Float32Array[]): void {
  [found.mean, ...found.quantileValues].forEach((column, k) => {
    expected[k].forEach((value, key) => {
      if (Math.abs(column[key] - value) <= MAX_ERROR * Math.max(1, Math.abs(value))) return;
      throw new Error(`climatology, column ${k}, key ${key}: ${column[key]}; expected ${value}`);
    });
  });
}

/**
 * The mean and the quantiles of each date of the year in plain TypeScript: each pool is gathered and sorted by itself.
 */
function plainClimatology(
  series: Float32Array,
  firstDay: number,
  years: readonly [number, number],
  probabilities: readonly number[],
): Float32Array[] {
  const results = Array.from({ length: probabilities.length + 1 }, () => new Float32Array(366));
  const from = dayNumber(years[0], 1, 1);
  const to = dayNumber(years[1], 12, 31);
  const leapYear = dayNumber(2000, 1, 1);
  const pool = new Float64Array(15 * (years[1] - years[0] + 1));
  for (let key = 0; key < 366; key++) {
    const { month, day } = civilDate(leapYear + key);
    let count = 0;
    let sum = 0;
    for (let year = years[0]; year <= years[1]; year++) {
      const centre = dayNumber(year, month, month === 2 && day === 29 && !isLeapYear(year) ? 28 : day);
      for (let d = Math.max(from, centre - 7); d <= Math.min(to, centre + 7); d++) {
        const value = series[d - firstDay];
        if (Number.isNaN(value)) continue;
        pool[count++] = value;
        sum += value;
      }
    }
    const sorted = pool.subarray(0, count).sort();
    results[0][key] = sum / count;
    probabilities.forEach((p, k) => {
      const rank = (count - 1) * p;
      const low = Math.floor(rank);
      results[k + 1][key] = sorted[low] + (rank - low) * (sorted[Math.min(low + 1, count - 1)] - sorted[low]);
    });
  }
  return results;
}

import { climatology } from '../src/climate/compute-climatology.js';
import type { Core } from '../src/core/load.js';
import { createRandomStream } from '../src/demo/random.js';
import { dayNumber } from '../src/period/day.js';
import { dates, numbers, tableOf } from '../src/table/write-table.js';
import { plainClimatology } from './contestants/plain-climatology.js';
import { type Job, medianTurns } from './turns.js';
import { PROBABILITIES } from './workloads.js';

const YEARS = [1993, 2022] as const;
const FIRST_DAY = dayNumber(YEARS[0], 1, 1);
const DAYS = dayNumber(YEARS[1], 12, 31) - FIRST_DAY + 1;
const SEED = 20_260_203;
/** Rounding apart, and another order of summation. */
const MAX_ERROR = 1e-5;

/** Daily climatologies of thirty years, pooled over fifteen days, at several numbers of cells, beside plain TypeScript: a Markdown table. */
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
    assertConsistent(ours(), plainClimatology(values.subarray(0, DAYS), FIRST_DAY, YEARS, PROBABILITIES));
    // Plain TypeScript costs the same for each cell; there is no need to wait for thousands of them.
    const isBeside = cells <= 100;
    const jobs: Job[] = [{ name: `climatology of ${cells} cells`, run: () => void ours() }];
    if (isBeside) jobs.push({ name: `the same, plain`, run: plain });
    const [time, beside] = medianTurns(jobs, cells > 100 ? 1 : cells === 1 ? 8 * turns : turns);
    const figures = beside === undefined ? ['–', '–'] : [(beside / cells).toFixed(2), `${(beside / time).toFixed(1)}×`];
    return `| ${[cells.toLocaleString('en'), (time / cells).toFixed(2), ...figures].join(' | ')} |`;
  });
  return [
    '### Climatology: thirty years of days, 366 dates, each with the seven days before and after; mean, five quantiles, terciles',
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
  return tableOf(columns, new Map([['cells', String(cells)]]));
}

function assertConsistent(found: ReturnType<typeof climatology>, expected: readonly Float32Array[]): void {
  [found.mean, ...found.quantileValues].forEach((column, k) => {
    expected[k].forEach((value, key) => {
      if (Math.abs(column[key] - value) <= MAX_ERROR * Math.max(1, Math.abs(value))) return;
      throw new Error(`climatology, column ${k}, key ${key}: ${column[key]} instead of ${value}`);
    });
  });
}

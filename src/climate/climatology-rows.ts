import type { FloatArray } from '../core/float-array.js';
import { DataError } from '../errors.js';

/** Rows of a climatology, for messages. */
export interface ClimatologyRows {
  readonly keys: readonly string[];
  /** Which of `keys` each row has. */
  readonly keyOfRow: Int32Array;
  readonly source?: string;
}

const MAX_SAMPLES = 2 ** 31 - 1;

/** Counts of samples, 0 where missing. Throws DataError for the first that is no whole number from 0. */
export function sampleCounts(values: FloatArray, rows: ClimatologyRows): FloatArray {
  return values.map((count, row) => {
    if (Number.isNaN(count)) return 0;
    if (Number.isInteger(count) && count >= 0 && count <= MAX_SAMPLES) return count;
    throw wrongRow(rows, row, 'n_samples', 'not a number of samples', count, 'a whole number from 0, or null');
  });
}

/** Throws DataError for the first row of limits, one array for each, that descend, or of which only some are missing. */
export function assertOrdered(names: readonly string[], limits: readonly FloatArray[], rows: ClimatologyRows): void {
  for (let k = 1; k < limits.length; k++) {
    const [lower, upper] = [limits[k - 1], limits[k]];
    const row = lower.findIndex((limit, i) => !(limit <= upper[i]) && !(Number.isNaN(limit) && Number.isNaN(upper[i])));
    if (row < 0) continue;
    const received = limits.map((values) => (Number.isNaN(values[row]) ? null : values[row]));
    const allowed = `${names.join(' <= ')}, or null together`;
    throw wrongRow(rows, row, names[k], 'limits do not ascend', received, allowed);
  }
}

function wrongRow(
  { keys, keyOfRow, source }: ClimatologyRows,
  row: number,
  column: string,
  problem: string,
  received: unknown,
  allowed: string,
): DataError {
  const where = { source, row: row + 1, column };
  return new DataError({ ...where, problem: `${problem} in period ${keys[keyOfRow[row]]}`, received, allowed });
}

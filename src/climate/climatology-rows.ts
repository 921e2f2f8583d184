import { type FloatArray, floatArray } from '../core/float-array.js';
import { DataError } from '../errors.js';
import type { Coordinates } from '../table/columns/coordinates.js';

/** Rows of a climatology, for messages. */
export interface ClimatologyRows {
  readonly keys: readonly string[];
  /** The place in `keys` of each row's key. */
  readonly keyOfRow: Int32Array;
  readonly source?: string;
}

const MAX_SAMPLES = 2 ** 31 - 1;

/** Checks numbers of samples, 0 where missing. Throws DataError for the first that is not a whole number from 0. */
export function sampleCounts(values: FloatArray, rows: ClimatologyRows): FloatArray {
  return values.map((count, row) => {
    if (Number.isNaN(count)) return 0;
    if (Number.isInteger(count) && count >= 0 && count <= MAX_SAMPLES) return count;
    throw rowError(rows, row, 'n_samples', 'not a number of samples', count, 'a whole number from 0, or null');
  });
}

/** Throws DataError for the first row in which limits, one array for each, descend, or only some are missing. */
export function assertOrdered(names: readonly string[], limits: readonly FloatArray[], rows: ClimatologyRows): void {
  for (let k = 1; k < limits.length; k++) {
    const [lower, upper] = [limits[k - 1], limits[k]];
    const row = lower.findIndex((limit, i) => !(limit <= upper[i]) && !(Number.isNaN(limit) && Number.isNaN(upper[i])));
    if (row < 0) continue;
    const received = limits.map((values) => (Number.isNaN(values[row]) ? null : values[row]));
    const allowed = `${names.join(' <= ')}, or null together`;
    throw rowError(rows, row, names[k], 'limits do not ascend', received, allowed);
  }
}

function rowError(
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

/** The places of rows, in order of their first rows, and how rows become entries by place and key. */
export interface EntriesOfRows {
  /** One for each place; NaN where the table does not state it. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Converts values of rows to values of entries; NaN where an entry has no row. */
  arrange(values: FloatArray): FloatArray;
}

/** Throws DataError for a row that repeats a key of its place. */
export function entriesOfRows(
  { latitude, longitude }: Coordinates,
  keyOfRow: Int32Array,
  keys: readonly string[],
  source?: string,
): EntriesOfRows {
  const placeOf = new Map<string, number>();
  const firstRows: number[] = [];
  const entryOfRow = keyOfRow.map((key, row) => {
    const name = `${latitude?.[row]}, ${longitude?.[row]}`;
    let place = placeOf.get(name);
    if (place === undefined) {
      place = firstRows.push(row) - 1;
      placeOf.set(name, place);
    }
    return place * keys.length + key;
  });
  const rowOf = new Int32Array(firstRows.length * keys.length).fill(-1);
  entryOfRow.forEach((entry, row) => {
    if (rowOf[entry] >= 0) throw duplicatePeriodError(row, rowOf[entry], keys[keyOfRow[row]], source);
    rowOf[entry] = row;
  });
  return {
    latitude: Float64Array.from(firstRows, (row) => latitude?.[row] ?? Number.NaN),
    longitude: Float64Array.from(firstRows, (row) => longitude?.[row] ?? Number.NaN),
    arrange: (values) => {
      const entries = floatArray(values instanceof Float32Array ? 'float32' : 'float64', rowOf.length);
      for (let entry = 0; entry < entries.length; entry++) {
        entries[entry] = rowOf[entry] < 0 ? Number.NaN : values[rowOf[entry]];
      }
      return entries;
    },
  };
}

function duplicatePeriodError(row: number, before: number, key: string, source?: string): DataError {
  return new DataError({
    source,
    row: row + 1,
    column: 'period',
    problem: `period given twice, first in row ${before + 1}`,
    received: key,
    allowed: 'each period of a place once',
  });
}

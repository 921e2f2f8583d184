import { type FloatArray, floatArray } from '../core/float-array.js';
import { DataError } from '../errors.js';
import type { Coordinates } from '../table/coordinates.js';

/** The places that rows are of, in order of their first rows, and how rows become entries by place and key. */
export interface EntriesOfRows {
  /** One for each place; NaN where the table does not tell. */
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** Values of rows as values of entries; NaN where an entry has no row. */
  arrange(values: FloatArray): FloatArray;
}

/** Throws DataError for a row that gives a place's key again. */
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
    if (rowOf[entry] >= 0) throw givenTwice(row, rowOf[entry], keys[keyOfRow[row]], source);
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

function givenTwice(row: number, before: number, key: string, source?: string): DataError {
  return new DataError({
    source,
    row: row + 1,
    column: 'period',
    problem: `period given twice, first in row ${before + 1}`,
    received: key,
    allowed: 'each period of a place once',
  });
}

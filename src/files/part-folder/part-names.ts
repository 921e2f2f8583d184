import { naturalOrder } from '../natural-order.js';

/** Files that writers leave beside the parts of a table. */
const MARKERS = ['_SUCCESS', '_metadata', '_common_metadata'];
/** Names that Spark, Dask, pyarrow and DuckDB give to parts: part-00000-8d0f.snappy.parquet, part.0.parquet, data_0.parquet. */
const PART = /^(part[-_.]?|data_)\d+(?!\w)/i;
/** Numbers alone may also be years, days or places: parts are counted from 0 with leading zeros, as Polars does. */
const COUNTED = /^0\d{4,}(?=\.)/;

/** The name of a folder that states a key: `date=2026-03-02`. */
export const KEY_FOLDER = /^([^=]+)=(.*)$/;

/** Whether the names in a folder are names of parts of one table: by their form, or by a file beside them. */
export function areParts(names: readonly string[], isFormat: RegExp): boolean {
  const visible = names.filter((name) => !isHidden(name));
  if (visible.length === 0 || !visible.every((name) => isFormat.test(name))) return false;
  return names.some((name) => MARKERS.includes(name)) || arePartNames(visible);
}

/** Whether names are as writers name the parts of one table. */
export function arePartNames(names: readonly string[]): boolean {
  return names.every((name) => PART.test(name)) || areCounted(names);
}

/** Whether a folder of this name states a key. */
export function isKeyFolder(name: string): boolean {
  return KEY_FOLDER.test(name);
}

/** Whether a file or folder is none of a table's: Spark and pyarrow hide names that begin with _ or a dot. */
export function isHidden(name: string): boolean {
  return /^[._]/.test(name);
}

function areCounted(names: readonly string[]): boolean {
  const numbers = new Set(names.map((name) => Number(COUNTED.exec(name)?.[0] ?? Number.NaN)));
  return numbers.size === names.length && [...numbers].every((number) => number < names.length);
}

/** The natural order of names: 9 before 10. */
export function compareNames(one: string, other: string): number {
  return naturalOrder(one, other) || (one < other ? -1 : 1);
}

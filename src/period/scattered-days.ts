/** Up to this many days for each day with values are taken as gaps; more mean that a date is wrong. */
const MAX_DAYS_PER_DAY = 50;
/** Ten years without values are always taken as a gap, however few days have values. */
const MAX_GAP_DAYS = 3_653;
/** This many values take little memory, however few of them are present. */
const MAX_SPARSE_VALUES = 16_777_216;

/** Whether so few of the days from `first` to `last` are present that one of the dates must be wrong. */
export function isScattered(first: number, last: number, present: number): boolean {
  return last - first >= MAX_DAYS_PER_DAY * present + MAX_GAP_DAYS;
}

/** Whether `values`, which include those of missing days, would take far more memory than the `present` ones. */
export function isTooSparse(values: number, present: number): boolean {
  return values > Math.max(MAX_SPARSE_VALUES, MAX_DAYS_PER_DAY * present);
}

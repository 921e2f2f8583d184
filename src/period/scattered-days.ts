/** So many days for each one that is there are a gap; more are a mistaken date. */
const MAX_DAYS_PER_DAY = 50;
/** A gap of ten years is a gap, however few days there are. */
const MAX_GAP_DAYS = 3_653;
/** As many values take little memory, however few of them are there. */
const MAX_SPARSE_VALUES = 16_777_216;

/** Whether `present` days are so few for the days from `first` to `last` that one of the dates must be wrong. */
export function isScattered(first: number, last: number, present: number): boolean {
  return last - first >= MAX_DAYS_PER_DAY * present + MAX_GAP_DAYS;
}

/** Whether `values`, with those of days that are not there, would take memory out of proportion to the `present` ones. */
export function isTooSparse(values: number, present: number): boolean {
  return values > Math.max(MAX_SPARSE_VALUES, MAX_DAYS_PER_DAY * present);
}

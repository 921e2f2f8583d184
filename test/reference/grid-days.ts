/** A slow twin of src/grid: daily values straight from the meaning of an array, one at a time. */

/** An array of hours, by index: member, step, latitude, longitude; NaN where missing. */
export interface HourlyGrid {
  /** Hours since 00:00 of day 0, ascending. */
  readonly hours: readonly number[];
  /** Hours that every step lasts. */
  readonly step: number;
  readonly value: (member: number, step: number, cell: number) => number;
}

export type Daily = 'mean' | 'sum' | 'minimum' | 'maximum';

/** The value of one member, cell and day; NaN where a step of it is missing. */
export function dailyTwin(
  { hours, step, value }: HourlyGrid,
  rule: Daily,
  member: number,
  cell: number,
  day: number,
): number {
  const values: number[] = [];
  for (const [index, hour] of hours.entries()) {
    if (Math.floor(hour / 24) === day) values.push(value(member, index, cell));
  }
  if (values.length !== 24 / step || values.some(Number.isNaN)) return Number.NaN;
  const sum = values.reduce((total, v) => total + v, 0);
  if (rule === 'sum') return sum;
  if (rule === 'mean') return sum / values.length;
  return rule === 'minimum' ? Math.min(...values) : Math.max(...values);
}

/** The slow, obvious way to windows and statistics: plain loops and the calendar of Date, to compare answers with. */

const DAY = 86_400_000;

/** Daily values of each member, from a date on. */
export interface Series {
  readonly first: string;
  readonly members: readonly (readonly number[])[];
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * DAY).toISOString().slice(0, 10);
}

/** Every date from the first to the last, inclusive. */
export function datesFrom(first: string, last: string): string[] {
  const dates = [];
  for (let date = first; date <= last; date = addDays(date, 1)) dates.push(date);
  return dates;
}

/** The ISO week of a date: that of its week's Thursday. */
export function weekOf(date: string): string {
  const thursday = addDays(date, 3 - ((new Date(date).getUTCDay() + 6) % 7));
  const days = (Date.parse(thursday) - Date.parse(`${thursday.slice(0, 4)}-01-01`)) / DAY;
  return `${thursday.slice(0, 4)}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

type Granularity = 'daily' | 'weekly' | 'monthly';

const KEYS: Record<Granularity, (date: string) => string> = {
  daily: (date) => date,
  weekly: weekOf,
  monthly: (date) => date.slice(0, 7),
};

const known = new Map<string, ReadonlyMap<string, string[]>>();

/** The complete windows from one date to another, by key, in order: the dates of each. Found once for all tests. */
export function completeWindows(granularity: Granularity, first: string, last: string): ReadonlyMap<string, string[]> {
  const span = `${granularity} ${first} ${last}`;
  const windows = known.get(span) ?? findWindows(granularity, first, last);
  known.set(span, windows);
  return windows;
}

function findWindows(granularity: Granularity, first: string, last: string): ReadonlyMap<string, string[]> {
  const keyOf = KEYS[granularity];
  const windows = new Map<string, string[]>();
  for (const date of datesFrom(first, last)) windows.set(keyOf(date), [...(windows.get(keyOf(date)) ?? []), date]);
  for (const [key, dates] of windows) {
    const isCut = keyOf(addDays(dates[0], -1)) === key || keyOf(addDays(dates[dates.length - 1], 1)) === key;
    if (isCut) windows.delete(key);
  }
  return windows;
}

/** Each member's value of a window: the sum or mean of its days, NaN where one is missing. */
export function memberWindows({ first, members }: Series, dates: readonly string[], rule: 'sum' | 'mean'): number[] {
  const at = (Date.parse(dates[0]) - Date.parse(first)) / DAY;
  return members.map((values) => {
    let sum = 0;
    for (let day = at; day < at + dates.length; day++) sum += values[day] ?? Number.NaN;
    return rule === 'sum' ? sum : sum / dates.length;
  });
}

/** The quantile of type 7 of Hyndman and Fan (1996): linear between order statistics, at (n - 1) p. */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * p;
  const low = Math.floor(position);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (position - low) * (sorted[high] - sorted[low]);
}

export function mean(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

const DEFAULT = [0.05, 0.25, 0.5, 0.75, 0.95];

/** The mean and the requested quantiles, in this order. */
export function statisticsOf(values: readonly number[], quantiles: readonly number[] = DEFAULT): number[] {
  return [mean(values), ...quantiles.map((p) => quantile(values, p))];
}

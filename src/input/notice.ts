import type { Table } from 'apache-arrow';
import type { Ensemble } from '../ensemble/ensemble.js';
import { type DataError, mentionOption, NoWindowError } from '../errors.js';
import type { ResultColumn, ResultCube, ResultValues } from '../files/cf/content/result-cube.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import type { WindowTable } from '../period/period.js';
import { windowKeys } from '../period/period.js';
import type { Windows } from '../period/windows.js';
import { type CheckedStatisticsOptions, requestedWindows } from '../statistics/options.js';
import { quantileColumns } from '../statistics/result-column.js';
import { parseStatisticName, statisticName } from '../statistics/statistic.js';
import { windowWords } from '../statistics/window-words.js';
import { statedCalendar } from '../table/columns/day-column.js';
import type { Variable } from '../variable/variable.js';

/** A message about an input that is not an error. */
export interface Notice {
  /** A note says what was done, a warning what may be wrong. */
  readonly kind: 'note' | 'warning';
  readonly source: string;
  readonly text: string;
}

export type Report = (notice: Notice) => void;

/** A report that passes each notice on once, even if the input is read several times. */
export function reportOnce(report: Report): Report {
  const reported = new Set<string>();
  return (notice) => {
    const key = JSON.stringify([notice.kind, notice.source, notice.text]);
    if (!reported.has(key)) report(notice);
    reported.add(key);
  };
}

/** Reports what was done to the values of a source, and which columns were left out, if anything was. */
export function reportNotes(report: Report, source: string, notes: readonly string[]): void {
  if (notes.length > 0) report({ kind: 'note', source, text: notes.join('; ') });
}

/** Reports what may be wrong with the values of a source. */
export function reportWarnings(report: Report, source: string, warnings: readonly string[]): void {
  for (const text of warnings) report({ kind: 'warning', source, text });
}

/** The range of days of ensembles, and their calendar if it is a model calendar. */
export class DaySpan {
  #calendar: ModelCalendar | undefined;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add({ parts, metadata }: Pick<Ensemble, 'metadata'> & DayParts): this {
    this.#calendar = statedCalendar(metadata);
    for (const { field } of parts) {
      const { firstDay, days } = field;
      this.#first = Math.min(this.#first, firstDay);
      this.#last = Math.max(this.#last, firstDay + days - 1);
    }
    return this;
  }

  /**
   * A note for the windows of a list, or of counted days, that do not lie in the data; of others for the days that no
   * complete window has but partial ones have, where these are at least as many as the days in the results.
   */
  leftOut(options: CheckedStatisticsOptions): string | undefined {
    if (options.partial || options.granularity === 'daily') return undefined;
    const axis = { firstDay: this.#first, days: this.#last - this.#first + 1 };
    const windows = requestedWindows(axis, options, this.#calendar);
    const all = windows.lastDay - windows.firstDay + 1;
    const { count } = windows;
    const { keys } = options.granularity as Partial<Windows>;
    if (keys !== undefined) {
      const absent = keys.filter((key) => !windows.keys?.includes(key));
      if (absent.length === 0) return undefined;
      const named = absent.slice(0, MAX_NAMED).join(', ') + (absent.length > MAX_NAMED ? ', ...' : '');
      const lie = absent.length === 1 ? 'window does not lie' : 'windows do not lie';
      return `${absent.length} ${lie} entirely in the ${all} days from ${this} and ${absent.length === 1 ? 'is' : 'are'} left out: ${named}`;
    }
    // Days that lie in no window at all, as of other months, are not left out.
    const partial = requestedWindows(axis, { ...options, partial: true }, this.#calendar);
    const unused = coveredDays(partial) - coveredDays(windows);
    if (unused < coveredDays(partial) / 2) return undefined;
    const what = `complete ${wordOf(options.granularity)}${count === 1 ? '' : 's'}`;
    const left = `${unused} ${unused === 1 ? 'day' : 'days'} at the ends are left out`;
    return `${all} days make ${count} ${what}; ${left}, which ${mentionOption('partial', true)} keeps`;
  }

  toString(): string {
    return `${dateText(this.#calendar, this.#first)} to ${dateText(this.#calendar, this.#last)}`;
  }
}

/** How many days lie in windows, which are in order of time. */
function coveredDays({ count, first, days }: WindowTable): number {
  let [covered, end] = [0, 0];
  for (let w = 0; w < count; w++) {
    covered += Math.max(0, first[w] + days[w] - Math.max(end, first[w]));
    end = Math.max(end, first[w] + days[w]);
  }
  return covered;
}

interface DayParts {
  readonly parts: readonly { readonly field: { readonly firstDay: number; readonly days: number } }[];
}

const THAN = { '>': 'above', '>=': 'at or above', '<': 'below', '<=': 'at or below' };

/**
 * A note for conditions on weeks and months whose values are means: people often mean a day. Undefined where
 * there are none, or where the rule of windows was asked for.
 */
export function describeConditions(
  { variable }: Pick<Ensemble, 'variable'>,
  { granularity, thresholds, window }: CheckedStatisticsOptions,
): string | undefined {
  const [first] = thresholds;
  if (first === undefined || granularity === 'daily' || window !== undefined || variable?.window !== 'mean')
    return undefined;
  const { operator, limit } = first;
  const extreme = operator.startsWith('<') ? 'min' : 'max';
  const condition = `${THAN[operator]} ${limit}${variable.units === undefined ? '' : ` ${variable.units}`}`;
  // Other windows have no adjective.
  const mean =
    granularity === 'weekly' || granularity === 'monthly'
      ? `${granularity} mean of ${variable.slug}`
      : `mean of ${variable.slug} over a window`;
  return `${statisticName({ kind: 'exceedance', threshold: first })} is the share of members whose ${mean} is ${condition}; with ${mentionOption('window', extreme)}, of members with any day ${condition}`;
}

const WORDS: Readonly<Record<string, string>> = {
  weekly: 'week',
  monthly: 'month',
  seasons: 'season',
  dekads: 'dekad',
};

/** What a window of some kind is called. */
function wordOf(granularity: CheckedStatisticsOptions['granularity']): string {
  return WORDS[`${granularity}`] ?? 'window';
}

/** The error for an input without any requested window; it names the days that the input has. */
export function noWindowError(
  span: DaySpan,
  { granularity, startDate, endDate, partial, source }: CheckedStatisticsOptions,
): DataError {
  const requested = [
    startDate === undefined ? '' : ` from ${startDate}`,
    endDate === undefined ? '' : ` to ${endDate}`,
  ].join('');
  const orPartial = partial || granularity === 'daily' ? '' : `; or ${mentionOption('partial', true)}`;
  return new NoWindowError({
    source,
    problem: `no ${windowWords(granularity, partial)}${requested}`,
    allowed: `windows within the days available, ${span}${orPartial}`,
  });
}

/** The days of a window in tables without n_days: the maximum, so that no average is overestimated. */
const MAX_DAYS: Readonly<Record<string, number>> = { daily: 1, weekly: 7, monthly: 31 };

/** Whether what windows hold shows what a day may be: neither numbers of days, nor differences. */
function areDaily(window: string | undefined): boolean {
  return window === undefined || ['sum', 'mean', 'min', 'max', 'first', 'last'].includes(window);
}

/** What an average or a quantile of a day may be. */
class DailyBounds {
  readonly #variable: Variable;
  readonly #isSum: boolean;
  readonly #least: number;
  readonly #most: number;

  constructor(variable: Variable, rule: string | undefined) {
    this.#variable = variable;
    this.#isSum = rule === 'sum';
    const [least, most] = variable.bounds;
    // Real files hold amounts such as -1e-18 mm.
    const slack = (most - least) * 1e-6;
    this.#least = least - slack;
    this.#most = most + slack;
  }

  /** The average of a day where that of a window of `days` days is outside the bounds; NaN is not. */
  outside(mean: number, days: number): number | undefined {
    const daily = this.#isSum ? mean / days : mean;
    return daily < this.#least || daily > this.#most ? daily : undefined;
  }

  /** Like `outside`, of a quantile, which may be above the bounds. */
  below(quantile: number, days: number): number | undefined {
    const daily = this.#isSum ? quantile / days : quantile;
    return daily < this.#least ? daily : undefined;
  }

  describe(daily: number, period: string): string {
    const { slug, units, bounds } = this.#variable;
    return `${slug} of ${Number(daily.toPrecision(6))} ${units} a day in ${period} is not plausible (${bounds.join(' to ')}): are the units right, and are numbers such as -9999 missing values (the option missing)?`;
  }
}

/**
 * A warning for implausible statistics or climatology of a variable: the first daily average outside its bounds, or
 * quantile below them, with its period; undefined if there is none. Values are never changed.
 */
function findImplausible(statistics: Table, variable: Variable): string | undefined {
  const { metadata, names } = statistics.schema;
  const rule = metadata.get('window');
  const longest = MAX_DAYS[metadata.get('granularity') ?? ''];
  const [lowest] = quantileColumns(statistics).sort((a, b) => a.probability - b.probability);
  const [mean, low, days] = ['mean', lowest?.name, 'n_days'].map((name) => names.indexOf(name as string));
  if (!areDaily(rule) || mean < 0 || (days < 0 && longest === undefined)) return undefined;
  const bounds = new DailyBounds(variable, rule);
  let first = 0;
  for (const { data, numRows } of statistics.batches) {
    // Computed statistics are NaN where they are null.
    const [means, lows, lengths] = [mean, low, days].map((place) => data.children[place]?.values);
    for (let row = 0; row < numRows; row++) {
      const length = lengths === undefined ? longest : lengths[row];
      const below = lows === undefined ? undefined : bounds.below(lows[row], length);
      const daily = below ?? bounds.outside(means[row], length);
      if (daily !== undefined) return bounds.describe(daily, statistics.getChild('period')?.get(first + row));
    }
    first += numRows;
  }
  return undefined;
}

/** Like `findImplausible`, of one column of results on a grid, from the window `first` on. */
function findImplausibleInColumn(
  { windows, window, columns, cells }: CheckedCube,
  column: number,
  first: number,
  values: ResultValues,
  variable: Variable,
): string | undefined {
  const { name, statistic = parseStatisticName(name) } = columns[column];
  if (!areDaily(window) || (statistic?.kind !== 'mean' && column !== lowestQuantile(columns))) return undefined;
  const bounds = new DailyBounds(variable, window);
  const isMean = statistic?.kind === 'mean';
  for (let at = 0; at < values.length; at++) {
    const index = first + Math.floor(at / cells);
    const days = windows.days[index];
    const daily = isMean ? bounds.outside(values[at], days) : bounds.below(values[at], days);
    if (daily === undefined) continue;
    return bounds.describe(daily, windowKeys(windows)[index]);
  }
  return undefined;
}

/** The index of the column of the lowest quantile; -1 if there is none. */
function lowestQuantile(columns: readonly ResultColumn[]): number {
  const probabilities = columns.map(({ name, statistic = parseStatisticName(name) }) =>
    statistic?.kind === 'quantile' ? statistic.probability : Number.POSITIVE_INFINITY,
  );
  const lowest = Math.min(...probabilities);
  return lowest === Number.POSITIVE_INFINITY ? -1 : probabilities.indexOf(lowest);
}

/** Results on a grid, as far as they are checked. */
type CheckedCube = Pick<ResultCube, 'columns'> & {
  readonly window: string | undefined;
  readonly windows: Pick<WindowTable, 'granularity' | 'keys' | 'start' | 'days' | 'calendar'>;
  readonly cells: number;
};

/** Checks results one part after the other, and warns of the first value that is not plausible. */
export class ResultCheck {
  readonly #report: (text: string) => void;
  #variable: Variable | undefined;

  /** Nothing is checked without a variable. */
  constructor(variable: Variable | undefined, source: string, report: Report) {
    this.#variable = variable;
    this.#report = (text) => report({ kind: 'warning', source, text });
  }

  check(table: Table): void {
    this.#warn(this.#variable && findImplausible(table, this.#variable));
  }

  /** Checks values of a column on a grid: all cells of some windows, from `first` on. */
  checkColumn(cube: CheckedCube, column: number, first: number, values: ResultValues): void {
    this.#warn(this.#variable && findImplausibleInColumn(cube, column, first, values, this.#variable));
  }

  #warn(warning: string | undefined): void {
    if (warning === undefined) return;
    this.#report(warning);
    this.#variable = undefined;
  }
}

/** The maximum number of periods that a warning names. */
const MAX_NAMED = 3;

/**
 * A warning that names the periods in which limits of categories coincide, by the metadata of a result; undefined if
 * there are none.
 */
export function describeCoincidingLimits(metadata: ReadonlyMap<string, string>): string | undefined {
  const periods: string[] = JSON.parse(metadata.get('degenerate_periods') ?? '[]');
  if (periods.length === 0) return undefined;
  const named = periods.slice(0, MAX_NAMED).join(', ') + (periods.length > MAX_NAMED ? ', ...' : '');
  const count = `${periods.length} ${periods.length === 1 ? 'period' : 'periods'}`;
  return `limits of the climatology coincide in ${count} (${named}): between them are only members that equal them`;
}

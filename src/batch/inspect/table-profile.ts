import type { Table, Vector } from 'apache-arrow';
import { type DailySteps, dailySteps, type Stamps } from '../../ensemble/daily-steps.js';
import { isPlumecastError } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { FIRST_DAY, LAST_DAY } from '../../period/day.js';
import { codedColumn } from '../../table/coded-column.js';
import { type ColumnRoles, columnRoles } from '../../table/column-roles.js';
import { areSubDaily, timeColumn } from '../../table/daily/time-column.js';
import { dayColumn } from '../../table/day-column.js';
import { tableCalendar } from '../../table/table-calendar.js';
import { columnOf } from '../../table/table-column.js';
import { type CoveredDays, coveredDays, stepsInWords } from './inspect-days.js';

const DAY = 86_400;

/** What the rows of tables, one after the other, hold whatever their values mean. */
export class TableProfile {
  readonly roles: ColumnRoles;
  /** Of the dates, where it is not the real one. */
  readonly calendar: ModelCalendar | undefined;
  rows = 0;
  /** Of each column, the rows without a value. */
  readonly missing = new Map<string, number>();
  /** The names in a column of variables, in the order of their first rows. */
  readonly variables = new Set<string>();
  readonly #days = new Set<number>();
  /** Seconds since 1970-01-01 UTC. */
  readonly #times = new Set<number>();

  /** Throws as `columnRoles` and `tableCalendar` do. */
  constructor(first: Table, columns: ColumnRoles | undefined, source: string, calendar?: string) {
    this.roles = columnRoles(first, columns, source);
    this.calendar = tableCalendar(first, { calendar, source });
  }

  /** `given` is the table as the file has it, where its dates were made others. */
  add(table: Table, given = table): void {
    this.rows += table.numRows;
    for (const { name } of given.schema.fields) {
      this.missing.set(name, (this.missing.get(name) ?? 0) + columnOf(given, name).nullCount);
    }
    const { variable, date } = this.roles;
    if (variable !== undefined) {
      for (const name of codedColumn(columnOf(table, variable)).values) this.variables.add(String(name));
    }
    if (date !== undefined) this.#addTimes(columnOf(table, date), date);
  }

  /** The days that rows are of, and their steps in words; undefined where there is none that is understood. */
  covered(stamps?: Stamps): { days: CoveredDays; steps: string } | undefined {
    const times = Float64Array.from(this.#times).sort();
    if (times.length > 0 && areSubDaily(times)) {
      const found = daysOf(times, stamps);
      if (found === undefined) return undefined;
      const { firstDay, whole, seconds } = found;
      const [shortest, longest] = [seconds.reduce((a, b) => Math.min(a, b)), seconds.reduce((a, b) => Math.max(a, b))];
      return whole.length === 0 ? undefined : { days: { firstDay, whole }, steps: stepsInWords(shortest, longest) };
    }
    for (const time of times) this.#days.add(Math.floor(time / DAY));
    return this.#days.size === 0 ? undefined : { days: coveredDays(this.#days), steps: 'daily' };
  }

  /** What is no date of the years 1 to 9999 is told where values are read. */
  #addTimes(vector: Vector, name: string): void {
    try {
      const times = timeColumn(vector, name, undefined, this.calendar);
      if (times === undefined) for (const day of dayColumn(vector, name, undefined, this.calendar)) this.#days.add(day);
      else for (const time of times) if (isInCalendar(time)) this.#times.add(time);
    } catch (error) {
      if (!isPlumecastError(error)) throw error;
    }
  }
}

/** The days of steps; undefined where the times are wrong, which is reported where values are read. */
function daysOf(times: Float64Array, stamps: Stamps | undefined): DailySteps | undefined {
  try {
    return dailySteps(times, { stamps });
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return undefined;
  }
}

/** False for NaN, too. */
function isInCalendar(time: number): boolean {
  return time >= FIRST_DAY * DAY && time < (LAST_DAY + 1) * DAY;
}

import type { Table, Vector } from 'apache-arrow';
import { type DailySteps, dailySteps, type Stamps } from '../../ensemble/daily-steps.js';
import { isPlumecastError } from '../../errors.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { DAY_SECONDS, FIRST_DAY, LAST_DAY } from '../../period/day.js';
import { codedColumn } from '../../table/arrow/stored-values.js';
import { columnOf } from '../../table/arrow/table-schema.js';
import type { ColumnRoles } from '../../table/columns/column-role.js';
import { columnRoles } from '../../table/columns/column-roles.js';
import { dayColumn, tableCalendar } from '../../table/columns/day-column.js';
import { areSubDaily, timeColumn } from '../../table/daily/time-column.js';
import { type CoveredDays, coveredDays, describeSteps } from './inspect-days.js';

/** Counts rows, missing values, variables and days of tables, whatever their values mean. */
export class TableProfile {
  readonly roles: ColumnRoles;
  /** The calendar of the dates; undefined for the real calendar. */
  readonly calendar: ModelCalendar | undefined;
  rows = 0;
  /** The number of rows without a value, for each column. */
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

  /** `given` is the table of the file, if its dates were converted. */
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

  /** The days of rows, and a description of their steps; undefined if no dates are understood. */
  covered(stamps?: Stamps): { days: CoveredDays; steps: string } | undefined {
    const times = Float64Array.from(this.#times).sort();
    if (times.length > 0 && areSubDaily(times)) {
      const found = readSteps(times, stamps);
      if (found === undefined) return undefined;
      const { firstDay, whole, seconds } = found;
      const [shortest, longest] = [seconds.reduce((a, b) => Math.min(a, b)), seconds.reduce((a, b) => Math.max(a, b))];
      return whole.length === 0 ? undefined : { days: { firstDay, whole }, steps: describeSteps(shortest, longest) };
    }
    for (const time of times) this.#days.add(Math.floor(time / DAY_SECONDS));
    return this.#days.size === 0 ? undefined : { days: coveredDays(this.#days), steps: 'daily' };
  }

  /** Ignores dates outside of the years 1 to 9999: reading the values reports them. */
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

/** The days of steps; undefined for wrong times, which reading the values reports. */
function readSteps(times: Float64Array, stamps: Stamps | undefined): DailySteps | undefined {
  try {
    return dailySteps(times, { stamps });
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return undefined;
  }
}

/** False for NaN, too. */
function isInCalendar(time: number): boolean {
  return time >= FIRST_DAY * DAY_SECONDS && time < (LAST_DAY + 1) * DAY_SECONDS;
}

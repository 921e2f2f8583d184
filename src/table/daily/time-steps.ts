import type { Table } from 'apache-arrow';
import { assertObject } from '../../check/option-checks.js';
import type { StepEdges } from '../../ensemble/accumulation.js';
import { type DailySteps, type Stamps, stepSeconds } from '../../ensemble/daily-steps.js';
import { rowsOf, stepRows } from '../../ensemble/step-rows.js';
import { DataError, mentionOption, OptionError, subjectIn } from '../../errors.js';
import { ownTable } from '../arrow/own-table.js';
import { columnRoles } from '../columns/column-roles.js';
import { checkReadOptions } from '../columns/read-options.js';
import {
  checkDailyOptions,
  type DailyTableOptions,
  type GivenDailyOptions,
  type RowsOfSteps,
} from './daily-options.js';
import type { DailyTable } from './daily-table.js';
import { DayMaker } from './day-maker.js';
import { timedTable } from './timed-table.js';

/** A table of time steps in the unit of its variable. */
export type TimeSteps = Pick<DailyTable, 'table' | 'conversions' | 'warnings' | 'accumulation' | 'times'>;

/**
 * Turns a table of several times a day into a wide one of its time steps as they are: a row for each place and step, with
 * `start` and `end` in UTC, which are the same for a value of an instant, and columns `member_00` and so on in the
 * variable's unit; NaN is null. Amounts are of the step alone: amounts that grow become differences. What times stand for,
 * what amounts count and how units are found is as for `dailyTable`, whose options it takes. Metadata state
 * `granularity: steps`, and the time zone where one is given. `stepStatistics` and `meteogram` take it.
 *
 * Throws as `dailyTable` does, except for days that are not whole, and DataError for daily values and for series whose
 * steps at one time have different lengths.
 */
export function timeSteps(given: Table, options: GivenDailyOptions = {}): TimeSteps {
  assertObject('options', options, '{ units: "K" }');
  const { units, model, missing } = options;
  const checked = { ...checkReadOptions(options), ...checkDailyOptions(options), units, model, missing };
  const { table, edges, columns: _, ...others } = numberedStepsOf(given, checked);
  return { ...others, table: timedTable(table, edges) };
}

/** Time steps as a table whose dates are numbers of steps. */
interface NumberedTimeSteps extends DailyTable {
  readonly edges: StepEdges;
}

/** Does the same by options that are checked, with numbers of steps as dates. Throws as `timeSteps` does. */
export function numberedStepsOf(given: Table, options: DailyTableOptions): NumberedTimeSteps {
  const { source } = options;
  if (options.timeZones !== undefined) {
    throw new OptionError({
      ...{
        subject: subjectIn(source, 'timeZones'),
        problem: 'are for days, and time steps are shown by the clocks of one zone',
      },
      allowed: mentionOption('timeZone'),
    });
  }
  let edges: StepEdges | undefined;
  const maker = new DayMaker({
    ...options,
    makeRows: (all, how) => {
      const axis = new StepAxis(all, how);
      edges = axis.edges;
      return axis;
    },
  });
  const [table] = [...maker.add(ownTable(given, source)), ...maker.end()];
  const { notes: conversions, warnings, accumulation, times, columns = {} } = maker;
  if (edges === undefined) {
    const { date = 'time' } = columnRoles(given, options.columns, source);
    const [problem, allowed] = ['has no time steps within days', 'values of hours, or of several times a day'];
    throw new DataError({ source, column: date, problem, allowed });
  }
  const found = { ...(accumulation !== undefined && { accumulation }), ...(times !== undefined && { times }) };
  return { table, edges, conversions, warnings, columns, ...found };
}

/** The time steps of all series of a table, each of which is a row. */
class StepAxis implements RowsOfSteps {
  readonly edges: StepEdges;
  /** Which row a time has. */
  readonly #rowOf: ReadonlyMap<number, number>;
  readonly #seconds: Float64Array;

  /** `times` are of all series, ascending. */
  constructor(times: Float64Array, how: { readonly stamps: Stamps; readonly areInstants: boolean }) {
    const { rows, edges } = stepRows(times, how);
    this.edges = edges;
    this.#seconds = rows.seconds;
    this.#rowOf = new Map(Array.from(times, (time, row) => [time, row]));
  }

  /** The rows of a series, from its first time to its last. Throws DataError for steps of another length than others'. */
  of(times: Float64Array, stamps: Stamps): DailySteps {
    const own = rowsOf(stepSeconds(times, stamps));
    const numbers = Array.from(times, (time) => this.#rowOf.get(time) as number);
    const other = numbers.findIndex((row, step) => this.#seconds[row] !== own.seconds[step]);
    if (other >= 0) {
      const hours = [own.seconds[other], this.#seconds[numbers[other]]].map((seconds) => `${seconds / 3600} h`);
      throw new DataError({
        problem: `step at ${new Date(1000 * times[other]).toISOString()} has other lengths in other series`,
        ...{ received: hours.join(', and '), allowed: 'members and places of the same steps' },
      });
    }
    const [firstDay] = numbers;
    const days = numbers[numbers.length - 1] - firstDay + 1;
    if (days === own.days) return { ...own, firstDay };
    const spread = { firstStep: new Int32Array(days), steps: new Int32Array(days), whole: new Uint8Array(days) };
    numbers.forEach((row, step) => {
      spread.firstStep[row - firstDay] = step;
      spread.steps[row - firstDay] = 1;
      spread.whole[row - firstDay] = 1;
    });
    return { ...own, ...spread, firstDay, days };
  }
}

import type { Table } from 'apache-arrow';
import { assertObject, assertOneOf, missingList, trueOrFalse } from '../../check/option-checks.js';
import type { Amounts } from '../../ensemble/accumulation.js';
import { DataError, unusable } from '../../errors.js';
import type { ColumnRoles } from '../column-roles.js';
import { ownTable } from '../own-table.js';
import { checkReadOptions } from '../read-options.js';
import { assertSameSteps, combinedColumns } from './combined-columns.js';
import { convertedTable } from './converted-table.js';
import type { DailyTableOptions } from './daily-options.js';
import { datedTable } from './dated-table.js';
import { daysOfSteps } from './days-of-steps.js';
import { growingDays } from './growing-days.js';
import { MissingValues } from './missing-values.js';
import { sortedTable } from './sorted-table.js';
import { type StepTable, stepTable } from './step-table.js';
import { tableOfModel } from './table-of-model.js';

/** A table of daily values in the unit of its variable. */
export interface DailyTable {
  readonly table: Table;
  /**
   * For people: what was done to the values (`K to degC`, `hourly values to daily means`), which columns of numbers were left out, and
   * which members have no column. None where the table is as it was, and all of it is read.
   */
  readonly conversions: readonly string[];
  /** What the amounts of time steps count; `either` where both ways to count them give the same days. Undefined for other values. */
  readonly accumulation?: Amounts['kind'];
  /** Of the names of columns that were given, those that still hold. */
  readonly columns: ColumnRoles;
}

/**
 * Turns a table into one of daily values in the unit of its variable, as `statistics` takes it; the table itself where it is that.
 *
 * A table with several times a day for a place and member, in any order, becomes a wide one: a row for each place and UTC day, Float64
 * columns `member_00` and on in the order of the members. The steps of a day are summed where the variable is a total over it (rates by
 * the length of the step that they hold for; of amounts that grow from the start of a run, or in buckets, differences), else averaged, of `temp_min` and others of that kind the lowest or highest taken: see
 * `stepRule`. A step holds from its time to the next (`stamps`). Days that steps do not cover, or of which a value is missing,
 * are missing; those at the ends are left out. A variable asked may go by its standard name: `temp_max` is made of `air_temperature`.
 *
 * Units are those of a column, of the metadata or in the name of the column of values, else the option `units`. Others than the
 * variable's are converted, in tables of daily values too. Values of steps must have units: only those that go by the CF standard
 * name of a flux (`precipitation_flux`) are taken as what that is, a rate in kg m-2 s-1 or W m-2, which `conversions` tell. Daily values
 * without units are taken to be in the variable's, as everywhere.
 *
 * Wind speed is made of its eastward and northward components, and relative humidity of temperature and dew point, where columns of these
 * are there and none of the variable that is asked for: row by row and member by member, before days are made; wind speed only of steps
 * shorter than a day.
 *
 * Whether amounts of steps are those of each step, or grow, is as the option `accumulation` says, else as metadata of the schema or
 * the column say by the keys of GRIB and CF, else as the values tell; `conversions` tell it. Daily amounts are those of their day.
 *
 * Dates may be texts, Arrow dates or timestamps, numbers (`20260302`, seconds or milliseconds since 1970) or columns of year, month, day
 * and hour; the last two become timestamps.
 *
 * Of `missing` numbers in the columns of values become null before anything else is done. With `sort`, rows of daily values are sorted by
 * place, member and day, and only the columns that are read remain.
 * Of a table whose columns are of several models the one that `model` names is taken.
 *
 * Throws DataError and OptionError as `readEnsemble` does; an OptionError where units are needed, contradict what the table says or
 * cannot be converted, the variable of steps is not known, or nothing tells what amounts count; a DataError for a time that comes twice, an infinite value, growing amounts that fall, and where no
 * day is whole.
 */
export function dailyTable(given: Table, said: DailyTableOptions = {}): DailyTable {
  assertObject('options', said, '{ units: "K" }');
  const { units, model, stamps, variable, sort = false } = said;
  checkReadOptions(said);
  if (typeof variable === 'string') throw unusable('variable', variable, 'what findVariable or defineVariable returns');
  if (units !== undefined && typeof units !== 'string') throw unusable('units', units, 'a unit, such as "K"');
  if (model !== undefined && typeof model !== 'string') throw unusable('model', model, 'the name of a model');
  if (stamps !== undefined) assertOneOf('stamps', stamps, ['start', 'end']);
  trueOrFalse('sort', sort);
  missingList(said.missing);
  const dated = datedTable(tableOfModel(ownTable(given, said.source), said), said.columns, said.source);
  const ofDates = { ...said, columns: dated.columns };
  const values = new MissingValues(ofDates).removed(dated.table);
  const made = combinedColumns(values, ofDates);
  const { table, options } = made ?? { table: values, options: ofDates };
  const plan = stepTable(table, options);
  if (plan === undefined) return { table, conversions: [], columns: options.columns ?? {} };
  assertSameSteps(made, plan, options.source);
  const steps = plan.times === undefined ? growingDays(table, plan, options) : { plan, options };
  const daily =
    steps === undefined ? convertedTable(table, plan, options) : daysOfSteps(table, steps.plan, steps.options);
  if (daily.table.numRows === 0 && steps !== undefined) throw noWholeDay(options.source);
  const columns = daily.table === table ? (options.columns ?? {}) : columnsLeft(steps?.plan ?? plan, options);
  const conversions = [...(made?.notes ?? []), ...daily.conversions, ...plan.notes, ...dated.notes];
  if (!sort || steps !== undefined) return { ...daily, conversions, columns };
  const sorted = sortedTable(daily.table, { ...options, columns });
  const notes = sorted.isChanged ? ['rows sorted by place, member and day'] : [];
  return { table: sorted.table, conversions: [...conversions, ...notes], columns: sorted.columns };
}

/** Of the names of columns that were given, those that still hold in the daily table that is made of another one. */
export function columnsLeft({ times, values }: StepTable, { columns = {} }: DailyTableOptions): ColumnRoles {
  if (times !== undefined) return {};
  const { units: _, value, ...others } = columns;
  return values.form === 'list' || value === undefined ? others : { ...others, value };
}

/** The error for time steps that make up no day. */
export function noWholeDay(source?: string): DataError {
  return new DataError({
    source,
    problem: 'no UTC day is covered by its time steps',
    allowed: 'the steps of 24 hours from 00:00 on, for one day at least',
  });
}

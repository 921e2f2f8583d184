import type { Table } from 'apache-arrow';
import { assertObject } from '../../check/option-checks.js';
import type { Amounts } from '../../ensemble/accumulation.js';
import { ownTable } from '../arrow/own-table.js';
import type { ColumnRoles } from '../columns/column-role.js';
import { checkReadOptions } from '../columns/read-options.js';
import { checkDailyOptions, type GivenDailyOptions } from './daily-options.js';
import { DayMaker } from './day-maker.js';
import { ROWS_SORTED, sortedTable } from './sorted-table.js';

/** A table of daily values in the unit of its variable. */
export interface DailyTable {
  readonly table: Table;
  /**
   * For people: what was done to the values (`K to degC`, `hourly values to daily means`), which columns of numbers
   * were left out, and which members have no column. Empty if the table did not change and all of it is read.
   */
  readonly conversions: readonly string[];
  /**
   * What the amounts of time steps count; `either` if both ways to count them give the same days, `per-step` for rates.
   * Undefined for other values.
   */
  readonly accumulation?: Amounts['kind'];
  /** The given names of columns that are still valid. */
  readonly columns: ColumnRoles;
}

/**
 * Turns a table into one of daily values in the unit of its variable, as `statistics` takes it; the table itself if it
 * is one.
 *
 * A table with several times a day for a place and member, in any order, becomes a wide one: a row for each place and
 * UTC day, Float64 columns `member_00` and so on in the order of the members. If the variable is a total over the day,
 * the steps of the day are summed: rates times the length of their step; for amounts that grow from the start of a run,
 * or in buckets, the differences. Other variables are averaged, or their lowest or highest value is taken, as for
 * `temp_min` (see `stepRule`). A step lasts from its time to the next (`stamps`). Days that steps do not cover
 * completely, or with a missing value, are missing; such days at the ends are left out. The requested variable may have
 * its standard name in the table: `temp_max` is made from `air_temperature`.
 *
 * Units are those of a column, of the metadata or in the name of the column of values, else the option `units`. Units
 * other than the variable's are converted, also in tables of daily values. Values of steps must have units; only values
 * with the CF standard name of a flux (`precipitation_flux`) are taken as rates in kg m-2 s-1 or W m-2, which
 * `conversions` mentions. Daily values without units are taken to be in the variable's.
 *
 * If the table does not have the requested variable, wind speed is computed from its eastward and northward components,
 * and relative humidity from temperature and dew point, for each row and member, before days are made; wind speed only
 * from steps shorter than a day.
 *
 * What amounts of steps count is what the option `accumulation` says, else what metadata of the schema or the column
 * state by the keys of GRIB and CF, else what the values show; `conversions` mentions it. Daily amounts are those of
 * their day.
 *
 * Dates may be texts, Arrow dates or timestamps, numbers (`20260302`, seconds or milliseconds since 1970) or columns of
 * year, month, day and hour; numbers and such columns become timestamps.
 *
 * Numbers in `missing` become null in the columns of values before anything else is done. With `sort`, rows of daily
 * values are sorted by place, member and day, and only the columns that are read remain. If columns are of several
 * models, `model` names the one to take.
 *
 * Throws DataError and OptionError as `readEnsemble` does; an OptionError if units are needed, contradict the table or
 * cannot be converted, if the variable of steps is not known, and if nothing shows what amounts count; a DataError for
 * a time that comes twice, an infinite value, growing amounts that fall, and if no day is whole.
 */
export function dailyTable(given: Table, options: GivenDailyOptions = {}): DailyTable {
  assertObject('options', options, '{ units: "K" }');
  const read = checkReadOptions(options);
  const { sort, stamps, accumulation: stated } = checkDailyOptions(options);
  const { variableName = read.variableName, units, model, missing } = options;
  const requested = { ...read, variableName, units, model, stamps, accumulation: stated, missing, sort };
  const maker = new DayMaker(requested);
  const [table] = [...maker.add(ownTable(given, requested.source)), ...maker.end()];
  const { notes, accumulation, columns = {} } = maker;
  if (!sort || !maker.areDaily) {
    return { table, conversions: notes, columns, ...(accumulation !== undefined && { accumulation }) };
  }
  const sorted = sortedTable(table, { ...requested, columns });
  const conversions = sorted.isChanged ? [...notes, ROWS_SORTED] : notes;
  return { table: sorted.table, conversions, columns: sorted.columns };
}

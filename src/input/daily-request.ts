import type { Point } from '../ensemble/nearest-place.js';
import type { RowOptions } from '../statistics/statistics.js';
import type { ColumnRoles } from '../table/columns/column-roles.js';
import type { DailyTableOptions } from '../table/daily/daily-options.js';
import type { NamedVariable } from '../variable/find-variable.js';
import type { Variable } from '../variable/variable.js';
import { columnsOfTable, tableOptions, type ValueOptions } from './value-options.js';

/** Which daily values to read from an input; without a variable, those of the one that it names. */
export interface DailyRequest extends Partial<NamedVariable> {
  /** Variables besides the built-in ones. */
  readonly variables?: readonly Variable[];
  /** Names of columns of tables that are not the usual ones. */
  readonly columns?: ColumnRoles;
  /** Selects the place nearest to it. */
  readonly point?: Point;
  readonly values: ValueOptions;
  /** Whether values of a file of arrays are those of days, ISO weeks or months: `GridOptions.native`. */
  readonly native?: boolean;
  /** Whether results are written on the grid of the input: cells without a place, which no table has, stay. */
  readonly keepsGrid?: boolean;
}

/** How to make daily tables of the values requested. */
export function dailyOptions(request: DailyRequest, source: string): DailyTableOptions {
  const { variable, variableName, variables, columns, values } = request;
  return {
    variable,
    variableName,
    variables,
    columns: columnsOfTable(columns, values),
    source,
    ...tableOptions(values),
  };
}

/** How to read the rows of daily tables, of which only the names of `columns` still apply. */
export function rowOptions(
  { variable, variableName, variables, point, values: { calendar } }: DailyRequest,
  source: string,
  columns: ColumnRoles,
): RowOptions {
  return { variable, variableName, variables, columns, calendar, source, point };
}

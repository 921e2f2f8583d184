import type { GridOptions } from '../../files/cf/grid-options.js';
import type { ReadTableOptions } from '../../files/read-table.js';
import type { ColumnRoles } from '../../table/column-roles.js';
import type { DailyTableOptions } from '../../table/daily/daily-options.js';

/**
 * What files do not state about their values, or state wrongly: `units`, `model` and `sort` of tables, `decimal` of
 * CSV; `array`, `init` and `coordinates` of files of arrays.
 */
export type ValueOptions = TableValueOptions &
  Pick<ReadTableOptions, 'decimal'> &
  Pick<GridOptions, 'array' | 'init' | 'coordinates'>;

type TableValueOptions = Pick<
  DailyTableOptions,
  'units' | 'model' | 'stamps' | 'accumulation' | 'calendar' | 'missing' | 'sort'
>;

/** The value options that apply to tables. */
export function tableOptions({ array, init, coordinates, decimal, ...options }: ValueOptions): TableValueOptions {
  return options;
}

/** The columns of a table by role; coordinates that are named as for a grid are columns too. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

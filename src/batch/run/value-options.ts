import type { OptionSchema } from '../../check/option-schema.js';
import { GRID_OPTIONS, type GridOptions } from '../../files/cf/grid-options.js';
import { assertDecimal } from '../../files/csv/decimal-mark.js';
import type { ReadTableOptions } from '../../files/read-table.js';
import type { ColumnRoles } from '../../table/column-roles.js';
import { DAILY_OPTIONS, type DailyTableOptions } from '../../table/daily/daily-options.js';

/**
 * What files do not state about their values, or state wrongly: `units`, `model` and `sort` of tables, `decimal` of
 * CSV; `array`, `init` and `coordinates` of files of arrays. And which of their places are read: `bbox`.
 */
export type ValueOptions = TableValueOptions &
  Pick<ReadTableOptions, 'decimal'> &
  Pick<GridOptions, 'array' | 'init' | 'coordinates' | 'bbox'>;

type TableValueOptions = Pick<
  DailyTableOptions,
  'units' | 'model' | 'stamps' | 'accumulation' | 'calendar' | 'missing' | 'sort'
>;

/** Batches hash requests as JSON: another order is another request. */
export const VALUE_OPTIONS = /* @__PURE__ */ (() => {
  const { units, model, stamps, accumulation, missing, sort } = DAILY_OPTIONS;
  const { calendar, array, init, coordinates, bbox } = GRID_OPTIONS;
  return {
    ...{ units, model, stamps, accumulation, calendar, array, init, missing, sort },
    decimal: { check: assertDecimal, choices: ['.', ','] },
    coordinates,
    bbox,
  } satisfies OptionSchema<ValueOptions>;
})();

/** The value options that apply to tables. */
export function tableOptions({ array, init, coordinates, bbox, decimal, ...options }: ValueOptions): TableValueOptions {
  return options;
}

/** The columns of a table by role; coordinates that are named as for a grid are columns too. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

import type { OptionSchema } from '../check/option-schema.js';
import { mentionOption, OptionError } from '../errors.js';
import { GRID_OPTIONS, type GridOptions } from '../files/cf/grid-options.js';
import { assertDecimal } from '../files/csv/decimal-mark.js';
import type { ReadTableOptions } from '../files/read-table.js';
import type { ColumnRoles } from '../table/columns/column-roles.js';
import { DAILY_OPTIONS, type DailyTableOptions } from '../table/daily/daily-options.js';

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

/** Options that say something of one kind of input alone. */
const OF_KIND = {
  table: ['array', 'init'],
  arrays: ['units', 'model', 'sort', 'decimal'],
} as const satisfies Record<'table' | 'arrays', readonly (keyof ValueOptions)[]>;

/** Throws OptionError for an option that can have no effect on an input of this kind. */
export function assertUsable(kind: 'table' | 'arrays', values: ValueOptions, source: string): void {
  const held = kind === 'table' ? 'the file holds a table' : 'the file holds arrays';
  assertNoneUnused(kind, values, `${source}, `, held);
}

/** Throws OptionError for an option that can have no effect on any of several inputs, where all are of one kind. */
export function assertUsableByOne(kinds: Iterable<'table' | 'arrays'>, values: ValueOptions): void {
  const [kind, ...others] = new Set(kinds);
  if (kind === undefined || others.length > 0) return;
  assertNoneUnused(kind, values, '', kind === 'table' ? 'all files hold tables' : 'all files hold arrays');
}

function assertNoneUnused(kind: 'table' | 'arrays', values: ValueOptions, prefix: string, problem: string): void {
  const unused = OF_KIND[kind].find((name) => values[name] !== undefined);
  if (unused === undefined) return;
  throw new OptionError({
    ...{ subject: `${prefix}${unused}`, problem, received: values[unused] },
    allowed: `${mentionOption(unused)} for ${kind === 'table' ? 'files of arrays' : 'tables'} only`,
  });
}

/** The columns of a table by role; coordinates that are named as for a grid are columns too. */
export function columnsOfTable(
  columns: ColumnRoles | undefined,
  { coordinates }: ValueOptions,
): ColumnRoles | undefined {
  return coordinates === undefined ? columns : { ...coordinates, ...columns };
}

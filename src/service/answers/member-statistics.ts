import type { EnsembleField } from '../../core/field.js';
import type { Core } from '../../core/load.js';
import type { WindowTable } from '../../period/window-table.js';
import type { Categories } from '../../statistics/categories.js';
import { computeColumns } from '../../statistics/compute.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Variable } from '../../variable/variable.js';

/** Statistics need at least this share of the members. */
const MIN_MEMBER_SHARE = 0.8;

/**
 * Computes statistics over members as all endpoints do: quantiles of type 7, missing where fewer than 80 % of the
 * members are valid.
 */
export function memberStatistics(
  core: Core,
  variable: Variable,
  field: EnsembleField,
  windows: WindowTable,
  quantiles: readonly number[],
  categories?: readonly Categories[],
): StatisticsColumns {
  return computeColumns(core, field, windows, {
    window: variable.window,
    quantiles,
    quantileType: 7,
    thresholds: [],
    spread: false,
    minMemberShare: MIN_MEMBER_SHARE,
    categories,
  });
}

import type { Core } from '../../core/load.js';
import type { WindowTable } from '../../period/window-table.js';
import type { Categories } from '../../statistics/categories.js';
import { computeColumns } from '../../statistics/compute.js';
import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Threshold } from '../../statistics/thresholds.js';
import type { CoreBuffers } from './buffers.js';
import type { VariableSeries } from './series.js';
import { memberRequest } from './statistics-plans.js';

/**
 * Computes statistics over the members of a series as all endpoints do: quantiles of type 7, missing where fewer than
 * 80 % of the members are valid.
 */
export function memberStatistics(
  { core, coreBuffers }: { readonly core: Core; readonly coreBuffers: CoreBuffers },
  { variable, field, values }: Pick<VariableSeries, 'variable' | 'field' | 'values'>,
  windows: WindowTable,
  quantiles: readonly number[],
  categories?: readonly Categories[],
  thresholds: readonly Threshold[] = [],
): StatisticsColumns {
  const held = values === undefined ? field : coreBuffers.hold(field, values);
  // Values that were not held lie anywhere, an empty result needs no plan, and plans have neither limits nor
  // thresholds.
  if (held === field || categories !== undefined || thresholds.length > 0 || windows.count === 0) {
    return computeColumns(core, held, windows, memberRequest(variable.window, quantiles, categories, thresholds));
  }
  return coreBuffers.plans.find(held, windows, variable.window, quantiles).compute();
}

import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/window-table.js';
import { assertColumns } from './assert-columns.js';
import { assertStatistics } from './assert-request.js';
import { computeInto } from './compute.js';
import type { StatisticsColumns } from './statistics-columns.js';
import type { StatisticsRequest } from './statistics-request.js';

/**
 * As `computeStatistics`, to the columns of an earlier result of the same request and size, which are filled anew: new columns cost
 * the time that the system takes to find memory for them. Throws OptionError, too, where they do not fit, overlap each other or the
 * values, or lie in the core's memory.
 */
export function computeStatisticsInto(
  columns: StatisticsColumns,
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): void {
  assertStatistics(core, field, windows, request);
  assertColumns(columns, core, field, field.cells * windows.count, request);
  computeInto(core, field, windows, request, columns);
}

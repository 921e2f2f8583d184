import type { EnsembleField } from '../core/field.js';
import { floatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import type { WindowTable } from '../period/window-table.js';
import { computeInto } from './compute.js';
import { type StatisticsColumns, statisticsColumns } from './statistics-columns.js';
import type { StatisticsRequest } from './statistics-request.js';

/**
 * As `computeStatistics`, to the columns of an earlier result of the same request and size, which are filled anew: for who computes
 * again and again, as new columns cost the time that the system takes to find memory for them. Throws OptionError where they do not fit.
 */
export function computeStatisticsInto(
  columns: StatisticsColumns,
  core: Core,
  field: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): void {
  refuseOtherColumns(columns, field, windows, request);
  computeInto(core, field, windows, request, columns);
}

/** Throws OptionError for columns that are not of the type, length and number that a request has. */
function refuseOtherColumns(
  columns: StatisticsColumns,
  { type, cells }: EnsembleField,
  windows: WindowTable,
  request: StatisticsRequest,
): void {
  const received = describeColumns(columns);
  const length = cells * windows.count;
  const column = () => floatArray(type, 0);
  const allowed = describeColumns({ ...statisticsColumns(request, column, new Int32Array()), length });
  if (received === allowed) return;
  throw new OptionError({ subject: 'columns', problem: 'of another request or size', received, allowed });
}

/** Type, length and number of the columns, as a text. */
function describeColumns({ length, mean, spread, quantiles, probabilities, categories }: StatisticsColumns): string {
  const type = mean instanceof Float32Array ? 'float32' : 'float64';
  const shares = categories.map((columns) => `shares of ${columns.length} categories`);
  const parts = [spread ? 'spread' : [], `${quantiles.length} quantiles`, `${probabilities.length} thresholds`, shares];
  return `${length} results in ${type}: ${['mean', ...parts.flat()].join(', ')}`;
}

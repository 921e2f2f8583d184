/**
 * Ensemble weather data in, probabilistic weather out: statistics, timelines, climatologies, the calendar and the
 * variables.
 */

export * from './blend/index.js';
export * from './climate/index.js';
export * from './core/index.js';
export type { Point } from './ensemble/nearest-place.js';
export {
  CoreError,
  DataError,
  type ErrorTag,
  FileError,
  FormatError,
  isPlumecastError,
  OptionError,
  PackageError,
  PlumecastError,
} from './errors.js';
export { statisticsOfArrowStream } from './input/statistics-of-arrow-stream.js';
export { type Batches, statisticsOfBatches } from './input/statistics-of-batches.js';
export * from './period/index.js';
export type { Categories } from './statistics/categories.js';
export { computeMemberWindows, computeStatistics } from './statistics/compute.js';
export { memberWindows } from './statistics/member-windows.js';
export {
  DEFAULT_QUANTILES,
  parseQuantiles,
  parseThreshold,
  type QuantileType,
  type StatisticsOptions,
  type Threshold,
  type ThresholdOperator,
  type WindowOptions,
} from './statistics/options.js';
export { quantileName, readStatistic, type Statistic, thresholdName } from './statistics/result-column.js';
export { statistics } from './statistics/statistics.js';
export type { StatisticsColumns } from './statistics/statistics-columns.js';
export type { StatisticsRequest } from './statistics/statistics-request.js';
export type { ColumnRole, ColumnRoles } from './table/columns/column-roles.js';
export * from './table/daily/index.js';
export * from './variable/index.js';

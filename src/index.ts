export type { ColumnRole, ColumnRoles } from './arrow/column-roles.js';
export type { Point } from './arrow/nearest-place.js';
export { type Core, type CoreSource, loadCore } from './core/load.js';
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
export type { Categories } from './statistics/categories.js';
export { computeStatistics } from './statistics/compute.js';
export { computeMemberWindows } from './statistics/compute-member-windows.js';
export { memberWindows } from './statistics/member-windows.js';
export type { StatisticsOptions, WindowOptions } from './statistics/options.js';
export { DEFAULT_QUANTILES, parseQuantiles, type QuantileType, quantileName } from './statistics/quantiles.js';
export { statistics } from './statistics/statistics.js';
export type { StatisticsColumns } from './statistics/statistics-columns.js';
export type { StatisticsRequest } from './statistics/statistics-request.js';
export { parseThreshold, type Threshold, type ThresholdOperator, thresholdName } from './statistics/thresholds.js';

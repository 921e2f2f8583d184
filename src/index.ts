/**
 * Ensemble weather data in, probabilistic weather out: statistics over members, timelines of several horizons, climatologies
 * and variables. Tables are of apache-arrow; for typed arrays there is `plumecast/arrays`.
 */

// The core.

export { type Core, type CoreModule, type CoreSource, loadCore } from './core/load.js';
export type { WasmBytes, WasmModule } from './platform.js';

// Statistics of an ensemble by day, week or month.

export type { Choice } from './check/option-checks.js';
export type { Point } from './ensemble/nearest-place.js';
export { type Batches, streamStatistics } from './input/stream-statistics.js';
export type { Granularity } from './period/period.js';
export { type FoundWindow, type NamedWindow, type Windows, type WindowsOptions, windowsOf } from './period/windows.js';
export { samplingBands } from './statistics/bands/band-reference.js';
export { memberWindows } from './statistics/member-windows.js';
export { ensemble, type OpenEnsemble } from './statistics/open-ensemble.js';
export type {
  GivenThreshold,
  QuantileType,
  StatisticsOptions,
  Threshold,
  ThresholdOperator,
  WindowOptions,
} from './statistics/options.js';
export type { Bands, Comparable, Comparison, HasStatistics } from './statistics/own-statistics.js';
export { readStatistic } from './statistics/result-column.js';
export type { Statistic } from './statistics/statistic.js';
export { type StatisticsData, statistics } from './statistics/statistics.js';
export type { StatisticsFields, StatisticsTable, Text } from './statistics/statistics-table.js';
export {
  type DayCondition,
  daysThat,
  excess,
  firstDayThat,
  longestSpell,
  spells,
} from './statistics/window-measure.js';
export type { WindowMeasure, WindowValue } from './statistics/window-value.js';
export type { ColumnRole, ColumnRoles } from './table/columns/column-role.js';
export type { ReadingOptions } from './table/columns/read-options.js';
export { windowList } from './table/columns/window-list.js';
export * from './table/daily/index.js';
export type { Opened } from './table/rows/read-ensemble.js';

// Timelines of several horizons, and variables that are derived from others.

export * from './blend/index.js';

// Climatologies, and what is compared with them.

export * from './climate/index.js';

// Conditions on the members of one or several variables.

export type {
  CombinedPart,
  ComparisonPart,
  Condition,
  ConditionLimit,
  ConditionPart,
  GivenCondition,
  RangePart,
} from './condition/condition.js';
export { ConditionError } from './condition/condition-error.js';
export { type ConditionOptions, conditionShares } from './condition/condition-shares.js';
export { parseCondition } from './condition/parse-condition.js';

// Variables.

export * from './variable/index.js';

// What may take long: aborts, and progress.

export type { Progress, WorkOptions, WorkUnit } from './check/work.js';

// Errors.

export {
  CoreError,
  DataError,
  type DataPlace,
  type ErrorByTag,
  type ErrorParts,
  type ErrorTag,
  FileError,
  FormatError,
  isPlumecastError,
  OptionError,
  PackageError,
  PlumecastError,
} from './errors.js';

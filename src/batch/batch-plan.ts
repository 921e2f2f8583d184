import type { Point } from '../ensemble/nearest-place.js';
import type { Granularity } from '../period/window-table.js';
import type { QuantileType } from '../statistics/quantiles.js';
import type { Threshold } from '../statistics/thresholds.js';
import type { ColumnRoles } from '../table/column-roles.js';
import type { VariableSlug } from '../variable/slug.js';
import type { OutputCompression, OutputFormat } from './output-format.js';
import type { ValueOptions } from './run/input-statistics.js';

/** What to compute of which files, and where the results go: plain data, as in a plan file. */
export interface BatchPlan extends BatchRequest, PlannedValues {
  /** Files, Zarr stores, folders (all data files in them, at any depth) and globs (`runs/*.nc`). */
  inputs: readonly string[];
  /** The folder of the results, which is made where there is none. */
  out: string;
  /** Default: the one variable of each file. */
  variables?: readonly VariableSlug[];
  /** Default `daily`, or those of the climatologies. */
  granularities?: readonly Granularity[];
  /** Limits whose exceedance is counted, `">20"`: of all variables, or by variable. */
  thresholds?: Thresholds;
  /** Files of climatologies: each output is set against the one of its variable and granularity, and there must be one. */
  climatologies?: readonly string[];
  /** Default `arrow`. */
  format?: OutputFormat;
  /** Default: that which `writeTable` and `writeNetcdf4` have for the format. */
  compression?: OutputCompression;
  /**
   * The name of each output without its ending, with places for `{input}`, `{variable}` and `{granularity}`: results with the same
   * name become one file, one after the other. Default `{input}`, and with it what there are several of.
   */
  name?: string;
  /** The number of threads. Default: one for each processor, as far as the memory suffices. */
  workers?: number;
  /** The most memory that the process may take, such as `512MB`. Default 1 GB. */
  memory?: string | number;
  /** What to do with the rest of the work where an output fails. Default `stop`. */
  onError?: 'stop' | 'continue';
}

/** Limits whose exceedance is counted, as `statistics` takes them. */
export type LimitList = readonly (string | Threshold)[];
/** Those of all variables, or by variable. */
export type Thresholds = LimitList | Readonly<Record<string, LimitList>>;

/** What files do not tell of their values, or tell wrongly. */
export interface PlannedValues extends Omit<ValueOptions, 'units'> {
  /** Of tables that do not state them: of all variables, or by variable. */
  units?: string | Readonly<Record<string, string>>;
}

/** What is asked of every output alike, as of `statistics`. */
export interface BatchRequest {
  quantiles?: readonly number[];
  quantileType?: QuantileType;
  spread?: boolean;
  startDate?: string;
  endDate?: string;
  partial?: boolean;
  minMemberShare?: number;
  point?: Point;
  columns?: ColumnRoles;
  exceed?: readonly number[];
  anomaly?: boolean;
}

import type { Choice } from '../check/option-checks.js';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import type { Accumulation } from '../ensemble/accumulation.js';
import type { Stamps } from '../ensemble/daily-steps.js';
import type { ValueOptions } from '../input/input-request.js';
import type { Granularity } from '../period/period.js';
import type { NamedWindow } from '../period/windows.js';
import type { Threshold } from '../statistics/options.js';
import type { VariableDefinition } from '../variable/define-variable.js';
import type { VariableSlug } from '../variable/slug.js';
import type { OutputCompression, OutputFormat } from './output-format.js';
import type { PlannedVerification } from './planned-verification.js';

/** What to compute from which files, and where the results go: plain data, as in a plan file. */
export interface BatchPlan extends BatchRequest, GivenValues {
  /** Files, Zarr stores, folders (all data files in them, at any depth) and globs (`runs/*.nc`). */
  inputs: readonly string[];
  /**
   * Which files are one input: a pattern of names such as `mem{member}.nc`, by which files are one that differ in its parts
   * alone (`{member}`, `{init}`, `{time}`, `{lead}`); `folder`, all files of a folder, by what is in them. Default `none`.
   */
  join?: string;
  /** The folder of the results, which is created if it does not exist, or a prefix in a bucket of S3: `s3://BUCKET/PREFIX`. */
  out: string;
  /**
   * Slugs, or definitions of your own, as `defineVariable` takes them; with `window` also names of others, in the units of
   * the data. Default: the one variable of each file.
   */
  variables?: readonly (VariableSlug | VariableDefinition)[];
  /**
   * `daily`, `weekly`, `monthly`, or what other windows `windowsOf` makes: `seasons`, `days 1-7,8-14`, or a list of windows
   * with names. Default `daily`, or the windows of the climatologies.
   */
  granularities?: readonly (Choice<Granularity> | readonly NamedWindow[])[];
  /**
   * Limits whose exceedance is counted, `">20"`, or other conditions, `"5..20"`: for all variables, or by variable. One that
   * names its variable is of that one.
   */
  thresholds?: Thresholds;
  /** The probability of bands of sampling error beside all statistics, such as 0.9. Default: none. */
  bands?: number;
  /** Files of climatologies: each output is compared with the one of its variable and granularity, which must exist. */
  climatologies?: readonly string[];
  /** Scores of each input by observations, in place of statistics. */
  verify?: PlannedVerification;
  /** Default `arrow`. */
  format?: Choice<OutputFormat>;
  /** Default: the default of `encodeTable` and `writeNetcdf4` for the format. */
  compression?: Choice<OutputCompression>;
  /**
   * The name of each output without its ending, with the placeholders `{input}`, `{ending}` (of the input), `{variable}`
   * and `{granularity}`. Results with the same name go into one file, one after the other. With `{year}`, as in
   * `{input}/year={year}/part`, an output is the folder before it, with a file for each year. Default `{input}`, followed by
   * the parts that differ.
   */
  name?: string;
  /** The number of threads. Default: one for each processor, or fewer if the memory is not enough for all. */
  workers?: number;
  /** The most memory that the process may take, such as `512MB`. Default 1 GB. */
  memory?: string | number;
  /** What to do with the remaining work after an output fails. Default `stop`. */
  onError?: Choice<'stop' | 'continue'>;
}

/** Limits whose exceedance is counted, as `statistics` takes them. */
export type LimitList = readonly (string | Threshold)[];
/** Limits for all variables, or by variable. */
export type Thresholds = LimitList | Readonly<Record<string, LimitList>>;

/** What files do not state about their values, or state wrongly. */
export interface PlannedValues extends Omit<ValueOptions, 'units'> {
  /** The units of tables that do not state them: for all variables, or by variable. */
  units?: string | Readonly<Record<string, string>>;
}

/** The same as they are given. */
export interface GivenValues extends Omit<PlannedValues, 'stamps' | 'accumulation'> {
  stamps?: Choice<Stamps>;
  accumulation?: Choice<Accumulation>;
}

/** The options of `statistics` with a climatology that a plan states by output, with the values, or not at all. */
export const UNSHARED = ['granularity', 'thresholds', 'variable', 'variables', 'calendar', 'source'] as const;

/** The options of `statistics` with a climatology that apply to every output. */
export interface BatchRequest extends Omit<StatisticsAgainstOptions, (typeof UNSHARED)[number]> {}

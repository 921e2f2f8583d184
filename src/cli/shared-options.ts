import { type Command, Option } from 'commander';
import { OUTPUT_COMPRESSIONS, OUTPUT_FORMATS } from '../batch/output-format.js';
import type { ValueOptions } from '../batch/run/value-options.js';
import { ACCUMULATIONS } from '../ensemble/accumulation.js';
import type { Stamps } from '../ensemble/daily-steps.js';
import type { Point } from '../ensemble/nearest-place.js';
import { CALENDARS } from '../period/calendar.js';
import type { Threshold } from '../statistics/thresholds.js';
import {
  coordinateList,
  dateText,
  missingNumbers,
  plainNumber,
  point,
  quantileList,
  threshold,
} from './option-values.js';

const STAMPS: readonly Stamps[] = ['start', 'end'];

/** Adds options for what files do not state, or state wrongly, to a command. */
export function withValueOptions(command: Command): Command {
  const units = 'units of the values of tables that do not state them: K, "kg m-2 s-1"';
  const model = 'the model to read, if a table has columns of several: icon_seamless_eps';
  const stamps = 'which end of its step a time stands for (default: start; end if amounts grow, or the file says so)';
  const accumulation =
    'what amounts count: each step, since the start of the run, or since resets (default: as the file states)';
  const calendar = 'calendar of the dates, if the data do not state it (default: the real one)';
  return command
    .option('--units <units>', units)
    .option('--model <name>', model)
    .addOption(new Option('--stamps <which>', stamps).choices(STAMPS))
    .addOption(new Option('--accumulation <how>', accumulation).choices(ACCUMULATIONS))
    .option('--missing <numbers>', 'numbers that stand for missing values: -9999; may be repeated', missingNumbers)
    .option('--sort', 'sort the rows of tables by place, member and day')
    .addOption(new Option('--decimal <mark>', 'the decimal mark of CSV, if that is not clear').choices(['.', ',']))
    .addOption(new Option('--calendar <name>', calendar).choices(CALENDARS))
    .option('--array <name>', 'the array of a gridded file, if it has several')
    .option(
      '--coordinates <names>',
      'arrays that hold latitude and longitude in degrees: latitude=y,longitude=x',
      coordinateList,
    )
    .option('--init <time>', 'the run of a gridded file that holds several: 2026-03-02 or 2026-03-02T12:00:00Z');
}

/** Separates value options from the other options of a command. */
export function splitValueOptions<Options extends ValueOptions>({
  units,
  model,
  stamps,
  accumulation,
  calendar,
  array,
  init,
  coordinates,
  missing,
  sort,
  decimal,
  ...others
}: Options): { values: ValueOptions; others: Omit<Options, keyof ValueOptions> } {
  const values = { units, model, stamps, accumulation, calendar, array, init, coordinates, missing, sort, decimal };
  return { values, others };
}

/** `--store` */
export function storeOption(): Option {
  return new Option('--store <dir>', 'folder of the store').makeOptionMandatory();
}

/** `--format` for statistics, which can also be a table for reading. */
export function statisticsFormat(): Option {
  const form = new Option('--format <name>', 'form of the result (default: a table on a terminal, else csv)');
  return form.choices(['table', ...OUTPUT_FORMATS]);
}

/** `--format` for values, which are for programs only. */
export function valuesFormat(): Option {
  return new Option('--format <name>', 'form of the result (default: csv)').choices(OUTPUT_FORMATS);
}

/** `--out` */
export function outOption(): Option {
  return new Option('--out <path>', 'file to write; its ending selects the format; - is standard output');
}

/** `--quiet` */
export function quietOption(): Option {
  return new Option('--quiet', 'no notes and no progress on standard error, only warnings and errors');
}

/** `--compression` */
export function compressionOption(): Option {
  const usual = 'compression of the file (default: snappy in parquet, deflate in netcdf, none in arrow)';
  return new Option('--compression <name>', usual).choices(OUTPUT_COMPRESSIONS);
}

/** The values of the options of `withStatisticsOptions`. */
export interface StatisticsOptionValues {
  quantiles?: number[];
  quantileType?: number;
  threshold?: Threshold[];
  spread?: boolean;
  startDate?: string;
  endDate?: string;
  partial?: boolean;
  minMemberShare?: number;
  point?: Point;
}

/** Adds options for what to compute over members, and for which days and places, to a command. */
export function withStatisticsOptions(command: Command): Command {
  return command
    .option('--quantiles <list>', 'quantiles from 0 to 1 (default: 0.05,0.25,0.5,0.75,0.95)', quantileList)
    .option('--quantile-type <1..9>', 'sample quantile type of Hyndman and Fan (default: 7)', plainNumber)
    .option('--threshold <condition>', 'share of members with, say, ">20"; may be repeated', threshold)
    .option('--spread', 'standard deviation over members')
    .option('--start-date <date>', 'first day to include, YYYY-MM-DD', dateText)
    .option('--end-date <date>', 'last day to include, YYYY-MM-DD', dateText)
    .option('--partial', 'keep incomplete windows at the ends of the data or dates')
    .option(
      '--min-member-share <share>',
      'minimum share of members that are not missing, 0 to 1 (default: 0.8)',
      plainNumber,
    )
    .option('--point <lat,lon>', 'only the place nearest to this point', point);
}

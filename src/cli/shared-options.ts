import { type Command, Option } from 'commander';
import { OUTPUT_COMPRESSIONS, OUTPUT_FORMATS } from '../batch/output-format.js';
import type { ValueOptions } from '../batch/run/input-statistics.js';
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

/** Adds to a command the options that tell what files do not, or tell wrongly. */
export function withValueOptions(command: Command): Command {
  const units = 'units of the values of tables that do not state them: K, "kg m-2 s-1"';
  const model = 'the model whose members are meant, where a table has columns of several: icon_seamless_eps';
  const stamps =
    'what times within the day mark of their step (default: start; end where amounts grow, or the file says so)';
  const accumulation =
    'what amounts count: each step, all since the run began, or since resets (default: as the file tells)';
  const calendar = 'calendar of the dates where the data do not state it (default: the real one)';
  return command
    .option('--units <units>', units)
    .option('--model <name>', model)
    .addOption(new Option('--stamps <which>', stamps).choices(STAMPS))
    .addOption(new Option('--accumulation <how>', accumulation).choices(ACCUMULATIONS))
    .option('--missing <numbers>', 'numbers that stand for missing values: -9999; may be repeated', missingNumbers)
    .option('--sort', 'tables whose rows are in any order: sort them by place, member and day')
    .addOption(new Option('--decimal <mark>', 'the decimal mark of CSV, where that is not plain').choices(['.', ',']))
    .addOption(new Option('--calendar <name>', calendar).choices(CALENDARS))
    .option('--array <name>', 'the array of a gridded file, where several may be meant')
    .option(
      '--coordinates <names>',
      'arrays that hold latitude and longitude in degrees: latitude=y,longitude=x',
      coordinateList,
    )
    .option('--init <time>', 'the run of a gridded file that holds several: 2026-03-02 or 2026-03-02T12:00:00Z');
}

/** Parts what files do not tell from the other options of a command. */
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

/** `--format` for statistics, which can be laid out for reading, too. */
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
  return new Option('--out <path>', 'file to write to; its ending tells the format; - is standard output');
}

/** `--quiet` */
export function quietOption(): Option {
  return new Option('--quiet', 'neither notes nor progress on standard error; warnings and errors stay');
}

/** `--compression` */
export function compressionOption(): Option {
  const usual = 'compression of the file (default: snappy in parquet, deflate in netcdf, none in arrow)';
  return new Option('--compression <name>', usual).choices(OUTPUT_COMPRESSIONS);
}

/** What `withStatisticsOptions` reads. */
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

/** Adds to a command the options that say what to compute over members, and of which days and places. */
export function withStatisticsOptions(command: Command): Command {
  return command
    .option('--quantiles <list>', 'quantiles from 0 to 1 (default: 0.05,0.25,0.5,0.75,0.95)', quantileList)
    .option('--quantile-type <1..9>', 'sample quantile type of Hyndman and Fan (default: 7)', plainNumber)
    .option('--threshold <condition>', 'share of members with, say, ">20"; may be repeated', threshold)
    .option('--spread', 'standard deviation over members')
    .option('--start-date <date>', 'first day that counts, YYYY-MM-DD', dateText)
    .option('--end-date <date>', 'last day that counts, YYYY-MM-DD', dateText)
    .option('--partial', 'keep windows that the data or dates cut')
    .option('--min-member-share <share>', 'share of members that must be there, 0 to 1 (default: 0.8)', plainNumber)
    .option('--point <lat,lon>', 'only the place nearest to this point', point);
}

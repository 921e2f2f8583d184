import { Command, Option } from 'commander';
import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import { climatologyOfInputs } from '../batch/run/climatology-of-inputs.js';
import { STANDARD } from '../batch/run/input-file.js';
import type { ValueOptions } from '../batch/run/value-options.js';
import type { ClimatologyOptions } from '../climate/options.js';
import { loadCore } from '../core/load.js';
import type { Point } from '../ensemble/nearest-place.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import type { QuantileType } from '../statistics/quantile-options.js';
import type { Threshold } from '../statistics/thresholds.js';
import type { ColumnRoles } from '../table/column-roles.js';
import { inputPaths } from './input-paths.js';
import { columnRoleList, plainNumber, point, quantileList, threshold, yearSpan } from './option-values.js';
import { statisticsForm } from './output-form.js';
import { Reporter } from './reporter.js';
import {
  compressionOption,
  outOption,
  quietOption,
  splitValueOptions,
  statisticsFormat,
  withValueOptions,
} from './shared-options.js';
import { assertOutput } from './write-output.js';
import { writeStatistics } from './write-tables.js';

interface CommandOptions extends ValueOptions {
  variable?: string;
  granularity: Granularity;
  reference?: string;
  fewerYears?: boolean;
  halfWidth?: number;
  quantiles?: number[];
  quantileType?: number;
  categories?: number;
  threshold?: Threshold[];
  minSampleShare?: number;
  point?: Point;
  columns?: ColumnRoles;
  format?: 'table' | OutputFormat;
  compression?: OutputCompression;
  out?: string;
  quiet?: boolean;
}

/** `plumecast climatology`: reference distributions of a history, or of hindcasts. */
export function climatologyCommand(): Command {
  const command = new Command('climatology')
    .description('Compute the reference distribution of a history, or of hindcasts, for each period of the year.')
    .argument(
      '<history...>',
      'NetCDF, Zarr, Arrow, Parquet or CSV files or the JSON of Open-Meteo, - for standard input; the files of a history are joined, hindcasts are pooled',
    )
    .option('--variable <slug>', "the variable, such as precipitation; default: the files' own")
    .addOption(
      new Option('--granularity <name>', 'the periods: days, ISO weeks or months')
        .choices(GRANULARITIES)
        .default('daily'),
    )
    .option('--reference <years>', 'first and last year (default: 1993-2022)', yearSpan)
    .option('--fewer-years', 'accept a history without some of the reference years')
    .option(
      '--half-width <days>',
      'for daily periods, the days before and after a day that count for it (default: 7)',
      plainNumber,
    )
    .option('--quantiles <list>', 'quantiles from 0 to 1 (default: 0.05,0.25,0.5,0.75,0.95)', quantileList)
    .option('--quantile-type <1..9>', 'sample quantile type of Hyndman and Fan (default: 7)', plainNumber)
    .option('--categories <number>', 'equally likely categories, 0 for none (default: 3, terciles)', plainNumber)
    .option('--threshold <condition>', 'share of samples with, say, ">20"; may be repeated', threshold)
    .option(
      '--min-sample-share <share>',
      'minimum share of samples that are not missing, 0 to 1 (default: 0.8)',
      plainNumber,
    )
    .option('--point <lat,lon>', 'only the place nearest to this point', point)
    .option('--columns <roles>', 'columns by role: date=day,value=mm,latitude=y,longitude=x', columnRoleList)
    .addOption(statisticsFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast climatology era5.csv --columns value=precip_mm --variable precipitation --granularity weekly
  $ plumecast climatology era5.arrow --reference 1981-2010 --out normal.arrow
  $ plumecast climatology era5-19*.arrow era5-20*.arrow --variable temp_mean --out normal.arrow
  $ plumecast climatology hindcast-*.arrow --reference 2004-2016 --fewer-years --granularity monthly`,
    )
    .action(writeClimatology);
  return withValueOptions(command);
}

async function writeClimatology(given: string[], options: CommandOptions, command: Command): Promise<void> {
  const { values, others } = splitValueOptions(options);
  const { format, out = STANDARD, compression, threshold: thresholds, quantileType, quiet: _, ...requested } = others;
  const request: ClimatologyOptions = {
    ...requested,
    ...(thresholds && { thresholds }),
    ...(quantileType !== undefined && { quantileType: quantileType as QuantileType }),
  };
  const reporter = new Reporter(command);
  const form = statisticsForm(format, out, reporter.notice);
  const files = await inputPaths(given, command);
  await assertOutput(out, files);
  const tables = climatologyOfInputs(await loadCore(), files, request, values, reporter.notice);
  await writeStatistics(tables, { form, out, compression, files: 1 });
}

import type { Table } from 'apache-arrow';
import { Command, Option } from 'commander';
import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import { STANDARD, sourceName } from '../batch/run/input-file.js';
import { readClimatologyFile } from '../batch/run/read-climatology-file.js';
import { statisticsOfInput } from '../batch/run/statistics-of-input.js';
import type { InputRequest } from '../batch/run/table-statistics.js';
import type { ValueOptions } from '../batch/run/value-options.js';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import { loadCore } from '../core/load.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import type { QuantileType } from '../statistics/quantile-options.js';
import type { ColumnRoles } from '../table/column-roles.js';
import { createTable, textDictionary, texts } from '../table/create-table.js';
import { inputPaths } from './input-paths.js';
import { columnRoleList, quantileList } from './option-values.js';
import { statisticsForm } from './output-form.js';
import { Reporter } from './reporter.js';
import {
  compressionOption,
  outOption,
  quietOption,
  type StatisticsOptionValues,
  splitValueOptions,
  statisticsFormat,
  withStatisticsOptions,
  withValueOptions,
} from './shared-options.js';
import { assertOutput } from './write-output.js';
import { writeStatistics } from './write-tables.js';

interface StatsOptions extends ValueOptions, StatisticsOptionValues {
  variable?: string;
  granularity?: Granularity;
  columns?: ColumnRoles;
  climatology?: string;
  exceed?: number[];
  anomaly?: boolean;
  format?: 'table' | OutputFormat;
  compression?: OutputCompression;
  out?: string;
  quiet?: boolean;
}

/** `plumecast stats`: window statistics of ensemble files. */
export function statsCommand(): Command {
  const command = withStatisticsOptions(
    new Command('stats')
      .description('Compute statistics over the members of ensemble files, by day, ISO week or month.')
      .argument(
        '<files...>',
        'NetCDF, Zarr, Arrow, Parquet or CSV files or the JSON of Open-Meteo, recognised by content; - is standard input',
      )
      .option('--variable <slug>', "the variable, such as precipitation; default: the file's own")
      .addOption(
        new Option('--granularity <name>', 'the windows (default: daily, or those of the climatology)').choices(
          GRANULARITIES,
        ),
      ),
  )
    .option('--columns <roles>', 'columns by role: date=day,member=run,value=mm,latitude=y,longitude=x', columnRoleList)
    .option('--climatology <file>', 'shares of members below, within and above its terciles (p_below,p_normal,p_above)')
    .option('--exceed <list>', 'share of members above these quantiles of the climatology', quantileList)
    .option('--anomaly', "difference of the mean from the climatology's mean")
    .addOption(statisticsFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast stats rain.csv --variable precipitation --granularity weekly
  $ plumecast stats gefs.parquet --columns date=day,member=run,value=mm --threshold ">20" --spread
  $ plumecast stats hourly.parquet --variable temp_max --units K --granularity weekly
  $ plumecast stats grid.arrow --point 37.30,-79.84 --granularity monthly --partial
  $ plumecast climatology history.arrow --granularity weekly --quantiles 0.9 --out weeks.arrow
  $ plumecast stats rain.arrow --climatology weeks.arrow --exceed 0.9 --anomaly
  $ plumecast stats 'runs/*.arrow' --granularity weekly --out weekly.parquet
  $ curl -s "https://ensemble-api.open-meteo.com/v1/ensemble?...&format=csv" | plumecast stats - --variable precipitation`,
    )
    .action(stats);
  return withValueOptions(command);
}

async function stats(given: string[], options: StatsOptions, command: Command): Promise<void> {
  const { values, others } = splitValueOptions(options);
  const { format, out = STANDARD, compression, climatology, quiet: _, ...computed } = others;
  const { threshold: thresholds, quantileType, ...requested } = computed;
  if (climatology === undefined && (requested.exceed ?? requested.anomaly) !== undefined) {
    command.error('error: options --exceed and --anomaly need --climatology FILE');
  }
  if (climatology === STANDARD && given.includes(STANDARD)) {
    command.error('error: only one of the data and --climatology can be standard input');
  }
  const request: StatisticsAgainstOptions = {
    ...requested,
    ...(thresholds && { thresholds }),
    ...(quantileType !== undefined && { quantileType: quantileType as QuantileType }),
  };
  const reporter = new Reporter(command);
  const form = statisticsForm(format, out, reporter.notice);
  const files = await inputPaths(given, command);
  await assertOutput(out, climatology === undefined ? files : [...files, climatology]);
  const statistics = statisticsOfFiles(files, { statistics: request, values }, reporter, climatology);
  // NetCDF keeps the grid of results, which has no dimension for files.
  const hasSources = files.length > 1 && form !== 'netcdf';
  await writeStatistics(hasSources ? withSources(statistics) : tablesOf(statistics), {
    form,
    out,
    compression,
    files: files.length,
  });
}

/** Results, and the file that they come from. */
interface FileResults {
  readonly source: string;
  readonly table: Table;
}

async function* tablesOf(results: AsyncIterable<FileResults>): AsyncGenerator<Table> {
  for await (const { table } of results) yield table;
}

async function* withSources(results: AsyncIterable<FileResults>): AsyncGenerator<Table> {
  let last: { source: string; add: (table: Table) => Table } | undefined;
  for await (const { source, table } of results) {
    if (last?.source !== source) last = { source, add: withSourceColumn(source) };
    yield last.add(table);
  }
}

/** Computes one file after the other, so that at most one file, or a part of it, is in memory. */
async function* statisticsOfFiles(
  files: readonly string[],
  request: InputRequest,
  reporter: Reporter,
  climatologyFile?: string,
): AsyncGenerator<FileResults> {
  const progress = reporter.progress();
  const core = await loadCore();
  try {
    const climatology =
      climatologyFile === undefined ? undefined : await readClimatologyFile(climatologyFile, request.values.calendar);
    for (const [index, file] of files.entries()) {
      const source = sourceName(file);
      const name = files.length === 1 ? source : `${index + 1} of ${files.length}: ${source}`;
      progress.report(name);
      let rows = 0;
      for await (const table of statisticsOfInput(core, file, { ...request, climatology }, reporter.notice)) {
        yield { source, table };
        rows += table.numRows;
        progress.report(`${name}: ${rows} results`);
      }
    }
  } finally {
    progress.end();
  }
}

/** Creates a function that adds a first column to tables, with the file of the results in each row. */
function withSourceColumn(source: string): (table: Table) => Table {
  const dictionary = textDictionary([source]);
  return (table) => {
    const { schema, numRows } = table;
    const own = schema.fields.map(({ name }, i) => ({ name, data: table.getChildAt(i)?.data[0] }));
    const columns = own.flatMap(({ name, data }) => (data === undefined ? [] : [{ name, data }]));
    return createTable([texts('source', new Int32Array(numRows), dictionary), ...columns], schema.metadata);
  };
}

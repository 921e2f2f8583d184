import type { Table } from 'apache-arrow';
import { Command } from 'commander';
import { isArrayFormat, type OutputCompression, type OutputFormat } from '../batch/output-format.js';
import { AGAINST_OPTIONS, type StatisticsAgainstOptions } from '../climate/against-options.js';
import type { Climatology } from '../climate/climatology.js';
import { type Condition, neededQuantiles } from '../condition/condition.js';
import { loadCore } from '../core/load.js';
import { assertSameDays } from '../ensemble/assert-consistent.js';
import { FILES } from '../files/formats.js';
import { type InputFile, STANDARD, sourceName } from '../input/input-file.js';
import { type InputRequest, VALUE_OPTIONS } from '../input/input-request.js';
import { joinFiles } from '../input/join-files.js';
import { OptionUse } from '../input/option-use.js';
import { readClimatologyFile } from '../input/read-climatology-file.js';
import { statisticsOfInput, writeCubeOfInput } from '../input/statistics-of-input.js';
import { ValueCheck } from '../input/value-check.js';
import { GRANULARITIES, type Granularity } from '../period/period.js';
import { createTable, textDictionary, texts } from '../table/build/create-table.js';
import { addArchiveOptions, assertArchiveOptions } from './archive-options.js';
import { inputPaths } from './input-paths.js';
import { addOptions, takeOptions } from './library-options.js';
import { COMPARISON, STATISTICS } from './option-rows.js';
import { statisticsForm } from './output-form.js';
import { Reporter } from './reporter.js';
import {
  bandsOption,
  compressionOption,
  escapeOption,
  joinOption,
  outOption,
  quietOption,
  statisticsFormat,
  threadsOption,
} from './shared-options.js';
import { requestedConditions } from './stats-conditions.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { addWindowOptions, NATIVE, takeWindows, type WindowFlags } from './window-options.js';
import { assertOutput } from './write-output.js';
import { assertEscapable, contentWriter, type WriteContent, writeStatistics } from './write-tables.js';

/** Values of flags, besides those of the library's options. */
interface StatsFlags extends WindowFlags {
  threshold?: Condition[];
  bands?: number;
  climatology?: string;
  format?: 'table' | OutputFormat;
  compression?: OutputCompression;
  escapeFormulas?: boolean;
  out?: string;
  threads?: number;
  join?: string;
}

const STATISTICS_FLAGS = {
  ...AGAINST_OPTIONS,
  granularity: { ...AGAINST_OPTIONS.granularity, choices: [...GRANULARITIES, NATIVE] },
};

/** Options of the library, and the windows that only the command has. */
type StatsOptions = Omit<StatisticsAgainstOptions, 'granularity' | 'window'> & {
  granularity?: Granularity | typeof NATIVE | (string & {});
  window?: string;
};

/** `plumecast stats`: window statistics of ensemble files. */
export function statsCommand(): Command {
  const command = new Command('stats')
    .description('Compute statistics over the members of ensemble files, by day, ISO week, month or other windows.')
    .argument('<files...>', `${FILES}, recognized by content; - is standard input`);
  addWindowOptions(addOptions(command, STATISTICS_FLAGS, STATISTICS))
    .addOption(bandsOption())
    .option(
      '--climatology <file>',
      'shares of members below, within and above its terciles (p_below,p_normal,p_above); of several variables in conditions a list of files',
    );
  addOptions(command, AGAINST_OPTIONS, COMPARISON)
    .addOption(statisticsFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addOption(escapeOption())
    .addOption(threadsOption())
    .addOption(joinOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast stats rain.csv --variable precipitation --granularity weekly
  $ plumecast stats era5.arrow --out "out/variable={variable}/year={year}/part.parquet"
  $ plumecast stats gefs.parquet --columns date=day,member=run,value=mm --threshold ">20" --spread
  $ plumecast stats hourly.parquet --variable temp_max --units K --granularity weekly
  $ plumecast stats seasonal.nc --variable temp_min --windows DJF,MAM --days "<0" --threshold ">=1"
  $ plumecast stats grid.arrow --point 37.30,-79.84 --granularity monthly --partial
  $ plumecast climatology history.arrow --granularity weekly --quantiles 0.9 --out weeks.arrow
  $ plumecast stats rain.arrow --climatology weeks.arrow --exceed 0.9 --anomaly
  $ plumecast stats 'runs/*.arrow' --granularity weekly --out weekly.parquet
  $ plumecast stats gefs.nc --granularity weekly --out weekly.zarr
  $ curl -s "https://ensemble-api.open-meteo.com/v1/ensemble?...&format=csv" | plumecast stats - --variable precipitation`,
    )
    .action(stats);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function stats(paths: string[], flags: StatsFlags, command: Command): Promise<void> {
  const { format, out = STANDARD, compression, climatology, threads, bands, escapeFormulas } = flags;
  const values = await takeValues({ ...VALUES, ...PLACES }, flags);
  const { granularity, ...given } = await takeWindows(
    takeOptions<StatsOptions>({ ...STATISTICS, ...COMPARISON }, flags),
    flags,
    command,
  );
  const { conditions, isJoint, ...found } = requestedConditions(flags.threshold ?? [], given, command);
  const options = { ...given, ...found };
  const native = granularity === NATIVE;
  const request: StatisticsAgainstOptions = native || granularity === undefined ? options : { ...options, granularity };
  if (climatology === undefined && (given.exceed ?? given.anomaly) !== undefined) {
    command.error('error: options --exceed and --anomaly need --climatology FILE');
  }
  if (climatology === undefined && (request.exceed ?? neededQuantiles(conditions)).length > 0) {
    command.error('error: quantiles in conditions, such as >q90, need --climatology FILE');
  }
  if (climatology === STANDARD && paths.includes(STANDARD)) {
    command.error('error: only one of the data and --climatology can be standard input');
  }
  const reporter = new Reporter(command);
  const form = statisticsForm(format, out, reporter.notice);
  assertEscapable(form, escapeFormulas);
  const files = await inputPaths(paths, command);
  assertArchiveOptions(files, command);
  const normals = climatology === undefined ? [] : isJoint ? climatology.split(',') : [climatology];
  await assertOutput(out, [...files, ...normals], form === 'zarr');
  const inputs = await joinFiles(files, flags.join, reporter.notice);
  const isOnly = inputs.length === 1;
  const use = new OptionUse(values, { isOne: isOnly });
  const input = { statistics: request, conditions, bands, values, threads, native, isOnly, use };
  if (isJoint) {
    if (climatology !== undefined && neededQuantiles(conditions).length === 0)
      command.error(
        'error: with conditions on several variables, --climatology is for quantiles in them, such as >q90',
      );
    if (bands !== undefined) command.error('error: option --bands is not for conditions that name several variables');
    const shares = jointShares(inputs, input, reporter, normals);
    return writeStatistics(shares, { form, out, compression, files: 1, escapeFormulas });
  }
  if (isArrayFormat(form) && inputs.length === 1) {
    await writeGridStatistics(inputs[0], input, reporter, climatology, contentWriter(out, form, compression));
    return;
  }
  const statistics = statisticsOfFiles(inputs, input, reporter, climatology);
  // Arrays keep the grid of results, which has no dimension for files.
  const hasSources = inputs.length > 1 && !isArrayFormat(form);
  await writeStatistics(hasSources ? withSources(statistics) : tablesOf(statistics), {
    form,
    out,
    compression,
    files: inputs.length,
    escapeFormulas,
  });
}

/** Shares of conditions on several variables, each of which one of the files has. */
async function* jointShares(
  inputs: readonly (string | InputFile)[],
  request: InputRequest,
  reporter: Reporter,
  paths: readonly string[],
): AsyncGenerator<Table> {
  const { sharesOfInputs } = await import('../input/shares-of-inputs.js');
  const { conditions = [], statistics, values, threads } = request;
  const climatologies = await Promise.all(paths.map((path) => readClimatologyFile(path, values.calendar)));
  const joint = { conditions, statistics, values, threads, climatologies };
  yield* sharesOfInputs(await loadCore(), inputs, joint, reporter.notice);
}

/** Results, and the file that they come from. */
interface FileResults {
  readonly source: string;
  readonly table: Table;
}

async function* tablesOf(results: AsyncIterable<FileResults>): AsyncGenerator<Table> {
  for await (const { table } of results) yield table;
}

/** One table of several files. Throws DataError where their days are of different zones. */
async function* withSources(results: AsyncIterable<FileResults>): AsyncGenerator<Table> {
  let last: { source: string; add: (table: Table) => Table } | undefined;
  let first: Parameters<typeof assertSameDays>[0][number] | undefined;
  for await (const { source, table } of results) {
    if (last?.source !== source) {
      last = { source, add: withSourceColumn(source) };
      const own = { source, ensemble: { metadata: table.schema.metadata } };
      first ??= own;
      assertSameDays([first, own]);
    }
    yield last.add(table);
  }
}

/** Computes one file, and writes the results as they are on its grid, without tables between. */
async function writeGridStatistics(
  input: string | InputFile,
  request: InputRequest,
  reporter: Reporter,
  climatologyFile: string | undefined,
  write: WriteContent,
): Promise<void> {
  const progress = reporter.progress();
  const source = nameOf(input);
  let done = 0;
  try {
    const { statisticsNetcdf } = await import('../input/grid-door.js');
    const climatology = await readReference(climatologyFile, request);
    await writeCubeOfInput(
      await loadCore(),
      input,
      { ...request, climatology },
      reporter.notice,
      (results) => {
        const check = new ValueCheck(source);
        return write(statisticsNetcdf(check.cube(results)), () => check.end());
      },
      (share) => {
        done += share;
        progress.report(`${source}: ${Math.round(100 * done)} %`);
      },
    );
  } finally {
    progress.end();
  }
}

function readReference(path: string | undefined, { values }: InputRequest): Promise<Climatology> | undefined {
  return path === undefined ? undefined : readClimatologyFile(path, values.calendar);
}

function nameOf(input: string | InputFile): string {
  return typeof input === 'string' ? sourceName(input) : input.source;
}

/** Computes one file after the other, so that at most one file, or a part of it, is in memory. */
async function* statisticsOfFiles(
  inputs: readonly (string | InputFile)[],
  request: InputRequest & { readonly use: OptionUse },
  reporter: Reporter,
  climatologyFile?: string,
): AsyncGenerator<FileResults> {
  const progress = reporter.progress();
  const core = await loadCore();
  try {
    const climatology = await readReference(climatologyFile, request);
    for (const [index, input] of inputs.entries()) {
      const source = nameOf(input);
      const name = inputs.length === 1 ? source : `${index + 1} of ${inputs.length}: ${source}`;
      progress.report(name);
      let rows = 0;
      const tables = statisticsOfInput(core, input, { ...request, climatology }, reporter.notice);
      for await (const table of new ValueCheck(source).tables(tables)) {
        yield { source, table };
        rows += table.numRows;
        progress.report(`${name}: ${rows} results`);
      }
    }
    request.use.assertUsed();
  } finally {
    progress.end();
  }
}

/** Creates a function that adds a first column to tables, with the file of the results in each row. */
function withSourceColumn(source: string): (table: Table) => Table {
  const dictionary = textDictionary([source]);
  return (table) => {
    const { schema, numRows } = table;
    const columns = schema.fields.flatMap(({ name, metadata }, i) => {
      const data = table.getChildAt(i)?.data[0];
      return data === undefined ? [] : [{ name, data, metadata }];
    });
    return createTable([texts('source', new Int32Array(numRows), dictionary), ...columns], schema.metadata);
  };
}

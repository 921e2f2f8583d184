import type { Table } from 'apache-arrow';
import { Command, Option } from 'commander';
import { isGlob } from '../batch/batch-input.js';
import { openGivenFile } from '../batch/open-given-file.js';
import { isArrayFormat, OUTPUT_FORMATS, type OutputCompression, type OutputFormat } from '../batch/output-format.js';
import { loadCore } from '../core/load.js';
import { isAddress } from '../disk/local-path.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import { FILES } from '../files/formats.js';
import { type ConvertRequest, readInputTables, writeInputAsNetcdf } from '../input/convert-input.js';
import { openInput } from '../input/input.js';
import type { InputFile } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import { withStatedColumns } from '../input/stated-columns.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { addArchiveOptions, archiveOrPath, assertArchiveOptions } from './archive-options.js';
import { existsAsInput } from './input-paths.js';
import { addOptions } from './library-options.js';
import { columnRoleList } from './option-values.js';
import { outputForm } from './output-form.js';
import { Reporter } from './reporter.js';
import { compressionOption, escapeOption, joinOption, quietOption } from './shared-options.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { assertOutput } from './write-output.js';
import { assertEscapable, contentWriter, escapedTables, writeTables } from './write-tables.js';

/** Formats of cells alone. */
const TEXT_FORMATS: readonly OutputFormat[] = ['csv', 'json', 'jsonl', 'xlsx'];

/** Values of flags, besides those of values. */
interface ConvertFlags {
  to?: OutputFormat;
  compression?: OutputCompression;
  variable?: string;
  columns?: ColumnRoles;
  join?: string;
  escapeFormulas?: boolean;
}

/** `plumecast convert`: a file in another format. */
export function convertCommand(): Command {
  const command = new Command('convert')
    .description(
      'Convert a file to another format: tables unchanged, gridded files to tables of daily values, or the reverse.',
    )
    .argument('<in>', `the file to read: ${FILES}, recognized by content; - is standard input`)
    .argument(
      '<out>',
      'file, or Zarr store, to write; its ending selects the format; - is standard output; {variable}, {granularity} and {year} divide rows among files',
    )
    .addOption(new Option('--to <format>', 'the format, regardless of the ending').choices(OUTPUT_FORMATS))
    .addOption(compressionOption())
    .addOption(escapeOption())
    .addOption(joinOption())
    .addOption(quietOption())
    .option('--variable <slug>', 'one variable only, as daily values in its own unit: precipitation')
    .option('--columns <roles>', 'columns of a table by role: date=day,member=run,value=mm', columnRoleList)
    .addHelpText(
      'after',
      `
Tables become tables with the same columns, values and metadata. With --variable, --columns, --units, --model, --stamps
or --accumulation, and to or from gridded files, values become daily values in the variable's unit: a row for each
place and UTC day, a column for each member. Notes say what was done to them.

Endings: .csv, .json, .jsonl, .arrow, .arrows (an Arrow stream), .parquet, .geoparquet, .xlsx, .nc, .zarr

Examples:
  $ plumecast convert rain.csv rain.parquet
  $ plumecast convert rain.arrow small.arrow --compression zstd
  $ plumecast convert gefs.nc rain.arrow --variable precipitation
  $ plumecast convert archive.zarr temp.parquet --variable temp_mean
  $ plumecast convert hourly.parquet daily.csv --variable temp_mean --units K
  $ plumecast convert weekly.arrow weekly.nc
  $ plumecast convert gefs.grib2 rain.zarr --variable precipitation
  $ plumecast convert rain.nc - --to csv | head`,
    )
    .action(convert);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function convert(given: string, out: string, flags: ConvertFlags, command: Command): Promise<void> {
  const input = await archiveOrPath(given, command);
  assertArchiveOptions([input], command);
  const { to, compression, variable, columns, join, escapeFormulas } = flags;
  const values = await takeValues({ ...VALUES, ...PLACES }, flags);
  const reporter = new Reporter(command);
  const format = outputForm({
    format: to,
    out,
    forms: OUTPUT_FORMATS,
    usual: undefined,
    option: '--to',
    report: reporter.notice,
  });
  assertEscapable(format, escapeFormulas);
  if (!isAddress(input)) await existsAsInput(input, command);
  await assertOutput(out, [input], format === 'zarr');
  const opened = isGlob(input) || join !== undefined ? await openGivenFile(input, join) : input;
  await convertFile(opened, { out, format, compression, escapeFormulas }, reporter, { variable, columns, values });
}

/** Writes an input in another format. */
export async function convertFile(
  input: string | InputFile,
  {
    out,
    format,
    compression,
    escapeFormulas,
  }: {
    out: string;
    format: OutputFormat;
    compression?: OutputCompression | undefined;
    escapeFormulas?: boolean | undefined;
  },
  reporter: Reporter,
  request: ConvertRequest,
): Promise<void> {
  const { variable, values } = request;
  const write = isArrayFormat(format) ? contentWriter(out, format, compression) : undefined;
  const opened = await openInput(input, values, reporter.notice, {
    selection: async () => selectArrays([{ variable, ...values }]),
  });
  try {
    const core = await loadCore();
    if (write !== undefined) await writeInputAsNetcdf(core, opened, request, write);
    else {
      const read = readInputTables(core, opened, request);
      // Others keep the metadata of tables.
      const tables = TEXT_FORMATS.includes(format) ? withStatedColumns(read) : read;
      const escaped = escapedTables(tables, escapeFormulas);
      await writeTables(out, withProgress(escaped, opened.source, reporter), format, compression);
    }
  } finally {
    await opened.close();
  }
}

async function* withProgress(tables: AsyncIterable<Table>, source: string, reporter: Reporter): AsyncGenerator<Table> {
  const progress = reporter.progress();
  let rows = 0;
  try {
    for await (const table of tables) {
      yield table;
      rows += table.numRows;
      progress.report(`${source}: ${rows} rows`);
    }
  } finally {
    progress.end();
  }
}

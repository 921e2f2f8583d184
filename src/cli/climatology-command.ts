import type { Table } from 'apache-arrow';
import { Command } from 'commander';
import type { OutputCompression, OutputFormat } from '../batch/output-format.js';
import { startOf, startText } from '../climate/hindcast-runs.js';
import { CLIMATOLOGY_OPTIONS, type ClimatologyOptions } from '../climate/options.js';
import { loadCore } from '../core/load.js';
import { FILES } from '../files/formats.js';
import { climatologyOfInputs } from '../input/climatology-of-inputs.js';
import { STANDARD } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import { joinFiles } from '../input/join-files.js';
import { GRANULARITIES } from '../period/period.js';
import { addArchiveOptions, assertArchiveOptions } from './archive-options.js';
import { inputPaths } from './input-paths.js';
import { addOptions, takeOptions } from './library-options.js';
import { CLIMATOLOGY } from './option-rows.js';
import { type OutputForm, statisticsForm } from './output-form.js';
import { Reporter } from './reporter.js';
import {
  compressionOption,
  escapeOption,
  joinOption,
  outOption,
  quietOption,
  statisticsFormat,
} from './shared-options.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { addWindowOptions, NATIVE, takeWindows, type WindowFlags } from './window-options.js';
import { assertOutput } from './write-output.js';
import { assertEscapable, writeStatistics } from './write-tables.js';

/** Values of flags, besides those of the library's options. */
interface ClimatologyFlags extends WindowFlags {
  format?: 'table' | OutputFormat;
  compression?: OutputCompression;
  out?: string;
  join?: string;
  escapeFormulas?: boolean;
}

/** Options of the library, whose windows are texts. */
type ClimatologyTexts = Omit<ClimatologyOptions, 'granularity' | 'window'> & { granularity?: string; window?: string };

const CLIMATOLOGY_FLAGS = {
  ...CLIMATOLOGY_OPTIONS,
  granularity: { ...CLIMATOLOGY_OPTIONS.granularity, choices: [...GRANULARITIES, NATIVE] },
};

/** `plumecast climatology`: reference distributions of a history, or of hindcasts. */
export function climatologyCommand(): Command {
  const command = new Command('climatology')
    .description('Compute the reference distribution of a history, or of hindcasts, for each period of the year.')
    .argument(
      '<history...>',
      `${FILES}, - for standard input; the files of a history are joined, hindcasts are pooled`,
    );
  addWindowOptions(addOptions(command, CLIMATOLOGY_FLAGS, CLIMATOLOGY))
    .addOption(statisticsFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addOption(escapeOption())
    .addOption(joinOption())
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
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function writeClimatology(histories: string[], flags: ClimatologyFlags, command: Command): Promise<void> {
  const { format, out = STANDARD, compression, escapeFormulas } = flags;
  const values = await takeValues({ ...VALUES, ...PLACES }, flags);
  const { granularity, ...given } = await takeWindows(
    takeOptions<ClimatologyTexts>(CLIMATOLOGY, flags),
    flags,
    command,
  );
  const native = granularity === NATIVE;
  const request = (native || granularity === undefined ? given : { ...given, granularity }) as ClimatologyOptions;
  const reporter = new Reporter(command);
  const form = statisticsForm(format, out, reporter.notice);
  assertEscapable(form, escapeFormulas);
  const files = await inputPaths(histories, command);
  assertArchiveOptions(files, command);
  await assertOutput(out, files, form === 'zarr');
  // Files that are apart are pooled.
  const inputs = await joinFiles(files, flags.join);
  reporter.gather(inputs.length);
  const tables = climatologyOfInputs(await loadCore(), inputs, request, values, reporter.notice, native);
  const noted = out === STANDARD ? tables : withStartNote(tables, form, { out, reporter });
  await writeStatistics(noted, { form, out, compression, files: 1, escapeFormulas });
}

/** Warns where a file does not keep the start of runs, so that comparisons with it cannot check the lead. */
async function* withStartNote(
  tables: AsyncIterable<Table>,
  form: OutputForm,
  { out, reporter }: { readonly out: string; readonly reporter: Reporter },
): AsyncGenerator<Table> {
  let isFirst = true;
  for await (const table of tables) {
    const start = isFirst && ['csv', 'xlsx'].includes(form) ? startOf(table.schema.metadata) : undefined;
    if (start !== undefined) {
      const text = `${form} does not keep the start of runs, ${startText(start)}: comparisons with it cannot check the lead; arrow, parquet and netcdf keep it`;
      reporter.notice({ kind: 'warning', source: out, text });
    }
    isFirst = false;
    yield table;
  }
}

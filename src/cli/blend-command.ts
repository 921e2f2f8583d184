import { stat } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { isGlob } from '../batch/batch-input.js';
import { openGivenFile } from '../batch/open-given-file.js';
import { isArrayFormat, type OutputCompression, type OutputFormat } from '../batch/output-format.js';
import { BLEND_OPTIONS } from '../blend/options.js';
import { loadCore } from '../core/load.js';
import { OptionError } from '../errors.js';
import { FILES } from '../files/formats.js';
import { type BlendHooks, type BlendRequest, blendInputs } from '../input/blend-inputs.js';
import { type InputFile, STANDARD } from '../input/input-file.js';
import { VALUE_OPTIONS } from '../input/input-request.js';
import { variableByName } from '../variable/find-variable.js';
import { addArchiveOptions, archiveOrPath, assertArchiveOptions } from './archive-options.js';
import { addOptions, takeOptions } from './library-options.js';
import { BLEND } from './option-rows.js';
import { textList } from './option-values.js';
import { valuesForm } from './output-form.js';
import { Reporter } from './reporter.js';
import { compressionOption, escapeOption, joinOption, outOption, quietOption, valuesFormat } from './shared-options.js';
import { showTimeline } from './show-timeline.js';
import { takeValues } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { assertOutput } from './write-output.js';
import { assertEscapable, contentWriter, escapedTables, writeTables } from './write-tables.js';

/** Values of flags, besides those of the library's options. */
interface BlendFlags {
  pairBy?: string[];
  members?: 'all' | 'blended';
  report?: boolean;
  format?: OutputFormat;
  compression?: OutputCompression;
  escapeFormulas?: boolean;
  out?: string;
  join?: string;
}

/** `plumecast blend`: ensemble files of several horizons as one timeline. */
export function blendCommand(): Command {
  const command = new Command('blend')
    .description('Blend ensembles of several horizons, the shortest first, into one daily timeline for each member.')
    .argument('<horizons...>', `${FILES}: SHORT SUB SEASONAL, or any number of them`);
  addOptions(command, BLEND_OPTIONS, BLEND)
    .option(
      '--pair-by <files>',
      'variables of the same files to pair members by (default: temp_mean,precipitation), or files of others: a,b,c',
      textList,
    )
    .addOption(
      new Option('--members <which>', 'of larger horizons on days that are theirs alone, for stats')
        .choices(['blended', 'all'])
        .default('blended'),
    )
    .option('--report', 'print how well the horizons fit, on standard error, or on standard output with --out')
    .addOption(valuesFormat())
    .addOption(outOption())
    .addOption(compressionOption())
    .addOption(escapeOption())
    .addOption(joinOption())
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast blend short.arrow sub.arrow seasonal.arrow --report --out timeline.arrow
  $ plumecast blend s-rain.csv u-rain.csv l-rain.csv --variable precipitation --pair-by s-t.csv,u-t.csv,l-t.csv
  $ plumecast blend short.nc sub.nc seasonal.zarr --variable precipitation --out timeline.arrow
  $ plumecast blend gefs.csv seas5.csv --overlaps 5 --out timeline.parquet
  $ plumecast blend short.nc sub.nc seasonal.nc --members all --out timeline.arrow
  $ plumecast stats timeline.arrow --granularity monthly`,
    )
    .action(writeTimeline);
  return addArchiveOptions(addOptions(command, VALUE_OPTIONS, { ...VALUES, ...PLACES }));
}

async function writeTimeline(given: string[], flags: BlendFlags, command: Command): Promise<void> {
  const { pairBy, members, report = false, format, out = STANDARD, compression, escapeFormulas } = flags;
  const values = await takeValues({ ...VALUES, ...PLACES }, flags);
  const options = takeOptions<BlendRequest['options']>(BLEND, flags);
  const reporter = new Reporter(command);
  const files = await Promise.all(given.map((file) => archiveOrPath(file, command)));
  assertArchiveOptions(files, command);
  const form = valuesForm(format, out, reporter.notice);
  assertEscapable(form, escapeFormulas);
  const write = isArrayFormat(form) ? contentWriter(out, form, compression) : undefined;
  if (members === 'all' && form === 'csv') {
    const text =
      'CSV does not say which members are of which horizon: stats needs a format with metadata, such as Arrow';
    reporter.notice({ kind: 'warning', source: out, text });
  }
  const areVariables = pairBy !== undefined && (await Promise.all(pairBy.map(isVariable))).every(Boolean);
  const pairFiles = areVariables ? [] : (pairBy ?? []);
  await assertOutput(out, [...files, ...pairFiles], form === 'zarr');
  if (pairFiles.length % files.length !== 0) {
    throw new OptionError({
      subject: '--pair-by',
      problem: 'is not one file for each horizon',
      received: pairFiles.length,
      allowed: `${files.length} files of each variable, or slugs of variables of the same files`,
    });
  }
  const inputs: InputFile[] = [];
  const progress = reporter.progress();
  try {
    for (const file of [...files, ...pairFiles])
      inputs.push(await openGivenFile(file, isGlob(file) ? flags.join : undefined));
    const request: BlendRequest = {
      ...{ options, values },
      pairBy: pairFiles.length === 0 ? pairBy : inputs.slice(files.length),
    };
    const hooks: BlendHooks = {
      report: (notice) => {
        progress.end();
        reporter.notice(notice);
      },
      opening: (source) => progress.report(source),
      sampled: report,
      allMembers: members === 'all',
      progress: (share) => progress.report(`blending: ${(share * 100).toFixed(0)} %`),
    };
    await blendInputs(await loadCore(), inputs.slice(0, files.length), request, hooks, async (timeline) => {
      const content = write && timeline.netcdf();
      if (content === undefined)
        await writeTables(out, escapedTables(timeline.tables(), escapeFormulas), form, compression);
      else await write?.(content, () => timeline.assertValues());
      progress.end();
      if (report) (out === STANDARD ? process.stderr : process.stdout).write(showTimeline(timeline));
    });
  } finally {
    progress.end();
    for (const input of inputs) await input.close();
  }
}

/** Whether a name of --pair-by is a variable, not a file. */
async function isVariable(name: string): Promise<boolean> {
  if (variableByName(name) === undefined) return false;
  return (await stat(name).catch(() => undefined)) === undefined;
}

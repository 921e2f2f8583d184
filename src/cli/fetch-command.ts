import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Command, Option } from 'commander';
import { formatBytes } from '../batch/byte-count.js';
import { OUTPUT_FORMATS, type OutputFormat } from '../batch/output-format.js';
import { unwritable } from '../disk/file-fault.js';
import { assertLocalPath } from '../disk/local-path.js';
import { type FetchProgress, plannedBytes } from '../files/archives/fetch-messages.node.js';
import type { RunPlan } from '../files/archives/plan-run.js';
import { runText } from '../files/archives/run-files.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import { grib } from '../files/grib/grib-format.js';
import { archiveAddress } from '../input/archive-address.js';
import { fetchRun, findArchive, planArchive, planNotes } from '../input/archive-input.js';
import { HORIZONS } from '../variable/availability.js';
import { resolveVariable } from '../variable/find-variable.js';
import { addArchiveOptions } from './archive-options.js';
import { convertFile } from './convert-command.js';
import { type Fetch, type FetchFlags, RUN, targetOf } from './fetch-target.js';
import { ingestCommand } from './ingest-command.js';
import { minutes, textList } from './option-values.js';
import { outputForm } from './output-form.js';
import { program } from './program.js';
import { timeLeft } from './progress-text.js';
import { Reporter } from './reporter.js';
import { runProgram } from './run-program.js';
import { compressionOption, quietOption } from './shared-options.js';
import { assertOutput, writeOutput } from './write-output.js';

/** `plumecast fetch`: a run of an archive, into a file or a store. */
export function fetchCommand(): Command {
  const command = new Command('fetch')
    .description('Fetch the newest complete run of an archive of forecasts into a file, or into a horizon of a store.')
    .argument('<archive>', 'its name, such as ecmwf:ens, ecmwf:aifs-ens or noaa:gefs')
    .requiredOption('--variable <slugs>', 'the variables: temp_mean,precipitation', textList)
    .option(
      '--out <path>',
      'file, or Zarr store, to write; its ending selects the format; .grib2: the messages as they are',
    )
    .addOption(new Option('--to <format>', 'the format, regardless of the ending').choices(OUTPUT_FORMATS))
    .addOption(compressionOption())
    .option(
      '--store <dir>',
      'in place of --out: the store that the run is put into, as ingest does; a folder, or s3://BUCKET/PREFIX',
    )
    .addOption(new Option('--horizon <name>', 'of a store, the horizon (default: short-term)').choices(HORIZONS))
    .option('--watch', 'go on: take each new complete run, into a file whose name has {run}, or into the store')
    .option('--every <minutes>', 'how often --watch looks for a new run (default: 10)', minutes)
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
What has come is kept beside the output (OUT.parts or STORE.parts) until all of it is there: run the command again after
it was stopped, and only the rest is requested.

Examples:
  $ plumecast fetch ecmwf:ens --variable temp_mean --out ens.nc
  $ plumecast fetch noaa:gefs --variable temp_mean,precipitation --lead-hours 240 --out gefs.grib2
  $ plumecast fetch ecmwf:ens --variable temp_mean,precipitation --store data --horizon short-term
  $ plumecast fetch noaa:gefs --variable temp_mean --out 'gefs-{run}.nc' --watch`,
    )
    .action(fetchArchive);
  return addArchiveOptions(command);
}

async function fetchArchive(name: string, flags: FetchFlags, command: Command): Promise<void> {
  const { variable: variables, out, to, store, watch = false, every } = flags;
  if ((out === undefined) === (store === undefined)) command.error('error: give --out FILE or --store DIR');
  if (store === undefined && flags.horizon !== undefined) command.error('error: option --horizon needs --store DIR');
  if (every !== undefined && !watch) command.error('error: option --every needs --watch');
  if (watch && flags.run !== undefined)
    command.error('error: --watch takes new runs, and --run names one: give one of them');
  if (watch && out !== undefined && !out.includes(RUN))
    command.error(`error: --watch writes a file for each run: give --out with ${RUN}, such as gefs-${RUN}.nc`);
  const isGrib = out !== undefined && to === undefined && grib.endings.some((each) => extname(out) === `.${each}`);
  for (const each of variables) resolveVariable(each);
  if (out !== undefined && !isGrib && variables.length > 1)
    command.error('error: a file of this format has one variable: give one, or --out FILE.grib2, or --store DIR');
  const reporter = new Reporter(command);
  assertLocalPath((out ?? store) as string);
  const format = out === undefined || isGrib ? undefined : formOf(out, to, reporter);
  if (out !== undefined) await assertOutput(out, [], to === 'zarr' || extname(out) === '.zarr');
  const archive = await findArchive(name, flags);
  if (archive.kind !== 'grib') return command.error(`error: ${name} is a store: convert reads what is needed of it`);
  const fetch = { name, archive, flags, reporter, format };
  if (watch) await (await import('./watch-runs.js')).watchRuns(fetch, { minutes: every, takeRun, planOf });
  else await takeRun(fetch, await planOf(fetch));
}

/** Plans the newest complete run, or the one that begins at a time. Throws FileError and OptionError. */
function planOf({ archive, flags, signal }: Fetch, run = flags.run): Promise<RunPlan> {
  const selection = selectArrays(flags.variable.map((variable) => ({ variable })));
  const wants = (shortName: string) => selection?.mayNeed(shortName, undefined) ?? true;
  return planArchive(archive, { ...flags, run }, wants, { signal });
}

/** Brings a run into its file or store. Throws FileError and others; what has come stays beside the output. */
async function takeRun({ name, flags, reporter, format, signal }: Fetch, plan: RunPlan): Promise<void> {
  const { variable: variables, out, compression, store, horizon = 'short-term' } = flags;
  const target = targetOf(flags, plan.run);
  for (const text of planNotes(plan)) reporter.notice({ kind: 'note', source: name, text });
  const digest = createHash('sha256')
    .update(JSON.stringify([name, plan.run, plan.messages]))
    .digest('hex');
  const parts = `${target.replace(/\/+$/, '')}.parts`;
  const folder = join(parts, digest.slice(0, 16));
  const progress = reporter.progress();
  const started = Date.now();
  let before = 0;
  const onProgress = (done: FetchProgress) => {
    before = done.requestsBefore;
    progress.report(`${name}: ${progressText(done, Date.now() - started)}`);
  };
  const files = await fetchRun(plan, folder, onProgress, { signal }).finally(() => progress.end());
  if (before > 0) reporter.note(`${name}: ${before} of ${files.length} requests were made before`);
  if (format !== undefined) {
    const address = archiveAddress(name, { ...flags, run: undefined, parts: folder });
    await convertFile(address, { out: target, format, compression }, reporter, {
      ...{ variable: variables[0], columns: undefined, values: {} },
    });
  } else if (out !== undefined) await writeOutput(target, joined(files.map(({ path }) => path)));
  else {
    const address = archiveAddress(name, { archives: flags.archives, parts: folder });
    const given = ['ingest', '--store', store as string, `--${horizon}`, address, '--variable', variables.join(',')];
    const code = await runProgram(program([ingestCommand()]), flags.quiet === true ? [...given, '--quiet'] : given);
    if (code !== 0) {
      process.exitCode = code;
      return;
    }
  }
  await rm(parts, { recursive: true, force: true }).catch((cause) => {
    throw unwritable(parts, cause);
  });
  reporter.note(`${name}: run of ${runText(plan.run)}, ${formatBytes(plannedBytes(plan))}, is in ${target}`);
}

function formOf(out: string, to: OutputFormat | undefined, reporter: Reporter): OutputFormat {
  const forms = { forms: OUTPUT_FORMATS, usual: undefined, option: '--to' as const, report: reporter.notice };
  return outputForm({ format: to, out, ...forms });
}

/** `420 MB of 1.2 GB, 310 of 2511 requests, 24 MB/s, 0:32 left` */
function progressText({ bytes, bytesInAll, bytesBefore, requests, requestsInAll }: FetchProgress, ms: number): string {
  const rate = `${formatBytes((1000 * (bytes - bytesBefore)) / Math.max(1, ms))}/s`;
  const rest = bytesInAll - bytesBefore;
  const left = rest > 0 ? timeLeft((bytes - bytesBefore) / rest, ms) : undefined;
  const of = [
    `${formatBytes(bytes)} of ${formatBytes(bytesInAll)}`,
    `${requests} of ${requestsInAll} requests`,
    rate,
    left,
  ];
  return of.filter(Boolean).join(', ');
}

async function* joined(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) yield* createReadStream(path);
}

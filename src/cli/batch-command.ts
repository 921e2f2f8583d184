import { constants } from 'node:os';
import { Command } from 'commander';
import type { BatchEvent } from '../batch/batch-event.js';
import type { BatchPlan } from '../batch/batch-plan.js';
import { BATCH_OPTIONS, checkPlan } from '../batch/check-plan.js';
import { listPlan } from '../batch/list-plan.js';
import type { FailedOutput } from '../batch/manifest.js';
import { type BatchReport, runBatch } from '../batch/run-batch.js';
import type { Shard } from '../batch/shards/shard.js';
import { FormatError, isPlumecastError, type OptionError } from '../errors.js';
import { readInput, sourceName } from '../input/input-file.js';
import { addArchiveOptions, archiveOrPath, assertArchiveOptions } from './archive-options.js';
import { createBatchLog } from './batch-log.js';
import { codeOfParts, EXIT_CODES } from './exit-codes.js';
import { addOptions, takeOptions } from './library-options.js';
import { BATCH } from './option-rows.js';
import { shardNumber } from './option-values.js';
import { Reporter } from './reporter.js';
import { quietOption } from './shared-options.js';
import { planAsJson, showPlan } from './show-plan.js';
import { withZones } from './take-values.js';
import { PLACES, VALUES } from './value-rows.js';
import { addWindowOptions, type MeasureFlags, takeMeasure, windowTexts } from './window-options.js';

/** Values of flags, besides those of a plan's options. */
interface BatchFlags extends MeasureFlags {
  windows?: string[];
  yearStart?: number;
  plan?: string;
  inputsFrom?: string;
  resume?: boolean;
  changedOnly?: boolean;
  prune?: boolean;
  overwrite?: boolean;
  shard?: Shard;
  dryRun?: boolean;
  json?: boolean;
  quiet?: boolean;
}

const ROWS = { ...BATCH, ...VALUES, ...PLACES };

/** `plumecast batch`: statistics of many files to files. */
export function batchCommand(): Command {
  const command = new Command('batch')
    .description(
      'Compute statistics over the members of many ensemble files, a result file for each, with several threads in bounded memory.',
    )
    .argument(
      '[inputs...]',
      'files, Zarr stores, folders, globs in quotes, addresses such as s3://BUCKET/runs/, archives such as noaa:gefs',
    )
    .option('--inputs-from <file>', 'a file that lists inputs, one per line, and comments after #; - is standard input')
    .option('--plan <file>', 'a plan in JSON, with any option of this command and more; - is standard input');
  addWindowOptions(addOptions(command, BATCH_OPTIONS, BATCH), true)
    .addOption(quietOption())
    .option('--resume', 'continue a batch that was stopped; complete results of unchanged inputs stay')
    .option('--changed-only', 'compute only new and changed inputs, by size and time')
    .option('--prune', 'remove results of earlier batches whose inputs are gone, unless they were changed since')
    .option('--overwrite', 'also replace files that no batch made')
    .option('--shard <I/N>', 'compute only shard I of N, for plumecast merge', shardNumber)
    .option('--dry-run', 'print inputs and results with sizes in bytes, and what each shard computes; write nothing')
    .option('--json', 'print events as JSON on standard output, one per line')
    .addHelpText(
      'after',
      `
A result file exists only when it is complete. A batch that was stopped or killed continues with --resume and ends with
the same bytes; manifest.json, written last, lists inputs and results. Exit code 3 says that some results could not be
made, and all others are complete (--on-error continue).

Examples:
  $ plumecast batch runs/ --variable precipitation --granularity weekly --out weekly
  $ plumecast batch "runs/2026-*.nc" --variable precipitation,temp_mean --granularity weekly,monthly --out results
  $ plumecast batch runs/ --out weekly --granularity weekly --variable precipitation --on-error continue --workers 4
  $ plumecast batch runs/ --out weekly --granularity weekly --variable precipitation --changed-only --prune
  $ plumecast batch ecmwf:ens --variable precipitation,temp_mean --point 52.5,13.4 --granularity weekly --out weekly
  $ plumecast batch --plan plan.json --resume
  $ plumecast batch runs/ --out weekly --granularity weekly --variable precipitation --shard 2/8 --dry-run`,
    )
    .action(batch);
  return addArchiveOptions(addOptions(command, BATCH_OPTIONS, { ...VALUES, ...PLACES }));
}

async function batch(inputs: string[], flags: BatchFlags, command: Command): Promise<void> {
  const { plan: planFile, inputsFrom, resume, changedOnly, prune, overwrite, shard, dryRun, json, quiet } = flags;
  const requested = await requestedPlan(flags, command);
  if (planFile === undefined && requested.out === undefined)
    command.error('error: --out FOLDER is needed, or --plan FILE with an out folder');
  const listed = inputsFrom === undefined ? [] : await readList(inputsFrom);
  const named = [...inputs, ...listed];
  const given: Partial<BatchPlan> = named.length > 0 ? { ...requested, inputs: named } : requested;
  const planned = planFile === undefined ? { inputs: [] } : await readPlan(planFile);
  const zoned = (await withZones({ ...planned, ...given })) as BatchPlan;
  if (planFile !== undefined) assertPlan(zoned, given, sourceName(planFile));
  const plan = { ...zoned, inputs: await archivesOrPaths(zoned.inputs, command) };
  const reporter = new Reporter(command);
  if (dryRun) return printPlan(plan, { shard, prune, json }, reporter);
  // If anything else ends the process, it has failed.
  process.exitCode = EXIT_CODES.failed.code;
  const log = createBatchLog({ json, quiet, reporter });
  const stopped = new AbortController();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const stop = (signal: NodeJS.Signals) => stopped.abort(signal);
  for (const signal of signals) process.once(signal, stop);
  const failed: FailedOutput[] = [];
  const onEvent = (event: BatchEvent) => {
    log.report(event);
    if (event.event === 'failed') {
      const { output, message: error } = event;
      failed.push({ ...(output !== undefined && { output }), error });
    }
    if (event.event === 'ended') log.end({ ...event, failed }, plan.out);
  };
  try {
    const report = await runBatch(plan, {
      resume,
      changedOnly,
      prune,
      overwrite,
      shard,
      signal: stopped.signal,
      onProgress: (bytes) => log.progress(bytes),
      onEvent,
    });
    process.exitCode = codeOf(report, shard);
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    log.clear();
    for (const signal of signals) process.off(signal, stop);
  }
  if (!stopped.signal.aborted) return;
  const signal = stopped.signal.reason as NodeJS.Signals;
  // The first process of a container does not get its own signals.
  process.exitCode = 128 + constants.signals[signal];
  process.kill(process.pid, signal);
}

/** The inputs of a plan, of archives with what the flags say of them. Throws OptionError for flags that are of no input. */
async function archivesOrPaths(inputs: readonly string[], command: Command): Promise<readonly string[]> {
  const named = await Promise.all(inputs.map((input) => archiveOrPath(input, command)));
  assertArchiveOptions(named, command);
  return named;
}

/** What the flags say of a plan. */
async function requestedPlan(flags: BatchFlags, command: Command): Promise<Partial<BatchPlan>> {
  const { windows = [] } = flags;
  const taken = takeOptions<Omit<Partial<BatchPlan>, 'window'> & { window?: string }>(ROWS, flags);
  const texts = await windowTexts(windows, flags, command);
  const granularities = [...(taken.granularities ?? []), ...texts];
  return {
    ...takeMeasure(taken, flags, command),
    ...(granularities.length > 0 && { granularities }),
  };
}

/** The exit code of a batch that ended. A shard of failures alone is merged like any other. */
function codeOf({ status, finished, kept, failed }: BatchReport, shard: Shard | undefined): number {
  if (status === 'stopped') return EXIT_CODES.failed.code;
  return codeOfParts({ done: shard === undefined ? finished + kept : 1, failed: failed.length });
}

/** Prints what a batch would do; inputs that were not found are errors. */
async function printPlan(
  plan: BatchPlan,
  { shard, prune, json }: Pick<BatchFlags, 'shard' | 'prune' | 'json'>,
  reporter: Reporter,
): Promise<void> {
  const list = await listPlan(plan, { shard, prune });
  for (const { output, error } of list.failed)
    process.stderr.write(`error: ${output === undefined ? '' : `${output}: `}${reporter.translate(error)}\n`);
  for (const { path, reason } of list.left ?? []) process.stderr.write(`warning: ${path}: ${reason}\n`);
  process.exitCode = codeOfParts({ done: list.outputs.length, failed: list.failed.length });
  process.stdout.write(json ? planAsJson(list, shard?.of) : showPlan(list, shard?.of));
}

/** Throws OptionError for an option that cannot be used, and FormatError for a problem in the file of a plan. */
function assertPlan(plan: BatchPlan, options: Partial<BatchPlan>, source: string): void {
  const fault = findPlanFault(plan);
  if (fault === undefined) return;
  const { subject, problem, received, allowed } = fault;
  const optionFault = findPlanFault({ inputs: ['-'], out: '-', ...options });
  if (optionFault?.message === fault.message) throw fault;
  throw new FormatError({ subject: `${source}, ${subject}`, problem, received, allowed, cause: fault });
}

function findPlanFault(plan: BatchPlan): OptionError | undefined {
  try {
    checkPlan(plan);
    return undefined;
  } catch (error) {
    if (isPlumecastError(error, 'option')) return error;
    throw error;
  }
}

async function readPlan(path: string): Promise<object> {
  const text = await readText(path);
  const subject = sourceName(path);
  const allowed = 'a plan such as {"inputs": ["runs/"], "out": "weekly", "granularities": ["weekly"]}';
  let plan: unknown;
  try {
    plan = JSON.parse(text);
  } catch (cause) {
    throw new FormatError({ subject, problem: `is not JSON: ${(cause as Error).message}`, allowed, cause });
  }
  if (typeof plan === 'object' && plan !== null && !Array.isArray(plan)) return plan;
  throw new FormatError({ subject, problem: 'is not a plan', allowed });
}

async function readText(path: string): Promise<string> {
  return new TextDecoder().decode(await readInput(path));
}

/** The inputs in a list: its lines, except empty ones and comments, which begin with #. Throws FormatError for none. */
async function readList(path: string): Promise<string[]> {
  const lines = (await readText(path)).split(/\r?\n/);
  const inputs = lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
  if (inputs.length > 0) return inputs;
  throw new FormatError({
    subject: sourceName(path),
    problem: 'lists no inputs',
    allowed: 'a file, folder or glob a line; lines that begin with # are comments',
  });
}

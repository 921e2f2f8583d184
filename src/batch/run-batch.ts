import { assertKnownKeys, assertShape } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import { FileError, mentionOption } from '../errors.js';
import type { BatchEvent, BatchStatus } from './batch-event.js';
import type { BatchPlan } from './batch-plan.js';
import { BatchRun } from './batch-run.js';
import { type CheckedPlan, checkPlan } from './check-plan.js';
import { InputFingerprints } from './input-fingerprints.js';
import { filesOf } from './join-inputs.js';
import type { FinishedOutput, JournalDamage } from './journal.js';
import { filesOfPlan, findOtherOutputs, findUnknownFiles, findUpToDate } from './known-outputs.js';
import { createManifest, type FailedOutput, MANIFEST, readManifest, sortFailed, writeManifest } from './manifest.js';
import { readSizes, totalBytes } from './output-bytes.js';
import { findPlannedWork, type PlannedWork } from './planned-work.js';
import { type EarlierWork, findStaleOutputs } from './prune-outputs.js';
import { type PendingOutput, Schedule } from './schedule.js';
import { assertShardOptions, type Shard } from './shards/shard.js';
import type { ShardRecord } from './shards/shard-record.js';
import { takeShard } from './shards/take-shard.js';
import { type ThreadBudget, threadBudget } from './thread-budget.js';
import { WorkFolder } from './work-folder.js';
import { WorkerThread } from './worker-thread.js';

/**
 * How to execute a plan. `signal` stops the batch: complete outputs stay, others are removed, the last event says how many
 * there are of each, and the batch can be resumed. `onProgress` counts bytes of the inputs.
 */
export interface BatchOptions extends WorkOptions {
  /**
   * Whether to keep intact outputs of an earlier batch with the same inputs and request. The contents of inputs are
   * compared, by their checksums. Default false: make all again.
   */
  resume?: boolean;
  /**
   * Like `resume`, for a batch that has ended: only new inputs, and inputs that changed, are computed. Without `resume`,
   * inputs of the same size and time count as unchanged. Default false.
   */
  changedOnly?: boolean;
  /**
   * Whether to remove outputs of earlier batches in the folder whose inputs are gone, unless they were changed since.
   * Not together with `shard`. Default false.
   */
  prune?: boolean;
  /** Whether to replace files that no batch made. Default false. */
  overwrite?: boolean;
  /**
   * Computes only one of several shards of the plan, for `mergeShards`: in a folder of its own within the folder of the
   * outputs. All shards must have the same plan and inputs. Not together with `changedOnly` or `prune`.
   */
  shard?: Shard;
  onEvent?: (event: BatchEvent) => void;
}

/** How a batch ended, and what it made. */
export interface BatchReport {
  readonly status: BatchStatus;
  /** The number of outputs that were made. */
  readonly finished: number;
  /** The number of outputs of an earlier batch that were kept. */
  readonly kept: number;
  readonly failed: readonly FailedOutput[];
  /** The number of outputs that were not made, because they failed or the batch ended first. */
  readonly left: number;
  /** The number of outputs of earlier batches that were removed, with `prune`. */
  readonly pruned?: number;
}

const FLAGS = { resume: 'flag?', changedOnly: 'flag?', prune: 'flag?', overwrite: 'flag?' } as const;

/**
 * Computes window statistics of many files and writes them to files, with several threads in bounded memory.
 *
 * An output gets its name only when it is complete; the manifest is written last. A batch that was stopped or killed,
 * or has failed, can continue later (`resume`), and ends with the same bytes. Outputs do not depend on the number of
 * threads, the memory, or earlier runs.
 *
 * Rejects with the reason of `signal` where that stopped it, with OptionError for a plan that cannot be used, and FileError if the folder of the outputs cannot be used,
 * or another batch is working in it. The report lists problems with inputs, by output. If the folder of the outputs
 * disappears, or cannot be written to any more, the report lists that once, and the batch stops whatever `onError`
 * says.
 *
 * @example
 * ```js
 * import { runBatch } from 'plumecast/batch';
 * import { demoTable } from 'plumecast/demo';
 * import { encodeTable } from 'plumecast/files';
 * import { writeFile } from 'node:fs/promises';
 *
 * await writeFile('rain.arrow', await encodeTable(demoTable('precipitation'), 'arrow'));
 * const plan = { inputs: ['rain.arrow'], out: 'weekly', granularities: ['weekly'], workers: 1 };
 * const { status, finished } = await runBatch(plan, { signal: AbortSignal.timeout(60_000) });
 * console.log(status, finished);
 * ```
 *
 * ```text
 * done 1
 * ```
 */
export async function runBatch(plan: BatchPlan, options: BatchOptions = {}): Promise<BatchReport> {
  assertShape('options', options, { ...FLAGS, shard: 'object?', onEvent: 'function?' });
  const { work: progress, others: how } = beginWork(options, 'bytes');
  assertKnownKeys(how, [...Object.keys(FLAGS), 'shard', 'onEvent', ...WORK_KEYS]);
  const { signal } = progress;
  if (options.shard !== undefined) assertShardOptions(options.shard, options, plan.out);
  const checked = checkPlan(plan);
  const budget = threadBudget(checked.memory, checked.workers);
  const planned = await findPlannedWork(checked, options.onEvent);
  progress.check();
  const shard = options.shard && (await takeShard(checked, planned, options.shard, budget, options.overwrite ?? false));
  const work = await WorkFolder.open(shard?.out ?? checked.out);
  const halt = new AbortController();
  const interrupt = () => halt.abort();
  signal?.addEventListener('abort', interrupt);
  if (signal?.aborted) interrupt();
  try {
    const own = shard === undefined ? checked : { ...checked, out: shard.out };
    const todo = await planWork(
      own,
      { ...planned, outputs: shard?.outputs ?? planned.outputs },
      work,
      options,
      halt.signal,
    );
    const running = { ...how, progress };
    const report = await executeWork(own, { ...todo, shard: shard?.record }, work, budget, running, halt);
    progress.check();
    if (report.status === 'done' || report.status === 'incomplete') await work.remove();
    return report;
  } finally {
    signal?.removeEventListener('abort', interrupt);
    halt.abort();
    await work.leave();
  }
}

type Running = Pick<BatchOptions, 'onEvent' | 'prune'> & { readonly progress: Work };

interface ToDo extends PlannedWork {
  readonly files: InputFingerprints;
  /** Outputs of an earlier batch that stay, by their index in the plan. */
  readonly kept: ReadonlyMap<number, FinishedOutput>;
  readonly pending: readonly PendingOutput[];
  /** Pending outputs whose names belong to files of unknown origin, which only the same bytes may replace. */
  readonly unknown: ReadonlySet<string>;
  /** What earlier batches made. */
  readonly earlier: EarlierWork;
  /** What the manifest of a shard has besides. */
  readonly shard?: ShardRecord;
}

async function planWork(
  plan: CheckedPlan,
  planned: PlannedWork,
  work: WorkFolder,
  { resume = false, changedOnly = false, overwrite = false }: BatchOptions,
  signal: AbortSignal,
): Promise<ToDo> {
  const { inputs, outputs } = planned;
  const files = new InputFingerprints(signal);
  const folder = work.outputs;
  const manifest = await readManifest(folder);
  if (changedOnly && manifest === undefined) throw noManifest(plan.out);
  const { finished, damage } = work.journal;
  const known = new Map([...(manifest ?? []), ...finished]);
  const paths = [...inputs.flatMap(filesOf), ...filesOfPlan(plan)];
  // A damaged line of the journal may have listed any of them.
  const unknown = await findUnknownFiles(folder, paths, outputs, known, overwrite || damage.lines > 0);
  const kept = new Map<number, FinishedOutput>();
  const tools = { folder, files, reads: resume ? ('contents' as const) : ('changed times' as const), signal };
  for (const [index, output] of outputs.entries()) {
    if (!(resume || changedOnly) || signal.aborted) break;
    const intact = await findUpToDate(plan, output, known.get(output.name), tools);
    if (intact !== undefined) kept.set(index, intact);
  }
  const pending = outputs.map((output, index) => ({ index, output })).filter(({ index }) => !kept.has(index));
  const others = await findOtherOutputs(folder, outputs, known);
  return {
    ...planned,
    files,
    kept,
    pending,
    unknown: overwrite ? new Set() : unknown,
    earlier: { folder, known, others },
  };
}

function noManifest(out: string): FileError {
  return new FileError({
    subject: out,
    problem: `has no ${MANIFEST}, which lists the inputs that the outputs were made from`,
    allowed: `the folder of a batch that has ended; a batch that was stopped continues with ${mentionOption('resume', true)}`,
  });
}

async function executeWork(
  plan: CheckedPlan,
  todo: ToDo,
  work: WorkFolder,
  { workers, bytes, bytesAlone }: ThreadBudget,
  { progress, prune = false, onEvent = () => {} }: Running,
  halt: AbortController,
): Promise<BatchReport> {
  const { files, inputs, outputs, kept, pending, unknown, earlier, shard, failed: notFound } = todo;
  const failed = [...notFound];
  const pendingOutputs = pending.map(({ output }) => output);
  const sizes = await readSizes(pendingOutputs, files);
  const total = totalBytes(pendingOutputs, sizes);
  const counted = { inputs: inputs.length, outputs: outputs.length, kept: kept.size };
  onEvent({ event: 'planned', ...counted, bytes: Math.round(total), workers });
  for (const message of describeDamage(work.journal.damage))
    onEvent({ event: 'warning', input: work.journalPath, message });
  if (files.believed > 0) onEvent({ event: 'note', input: plan.out, message: describeBelieved(files.believed) });
  const schedule = new Schedule(pending, work, workers);
  const team = Array.from({ length: workers }, () => new WorkerThread({ plan, bytes, bytesAlone }));
  const stop = () => {
    schedule.stop();
    for (const worker of team) worker.stop();
  };
  const onFailure = (output: FailedOutput) => {
    failed.push(output);
    if (plan.onError === 'stop') halt.abort();
  };
  let fault: FileError | undefined;
  const onFault = (error: FileError) => {
    if (fault !== undefined || halt.signal.aborted) return;
    fault = error;
    failed.push({ error: error.message });
    onEvent({ event: 'failed', message: error.message });
    halt.abort();
  };
  progress.expect(total);
  const tools = { plan, files, work, schedule, unknown, progress, report: onEvent, onFailure, onFault };
  const run = new BatchRun(tools, sizes);
  halt.signal.addEventListener('abort', stop);
  try {
    if (halt.signal.aborted) stop();
    await Promise.all(team.map((worker) => run.work(worker)));
  } finally {
    await Promise.all(team.map((worker) => worker.stop()));
  }
  const finished = new Map([...kept, ...run.finished]);
  const pruned = prune && !halt.signal.aborted ? await pruneOutputs(plan, todo, work, { failed, onEvent }) : [];
  const status = progress.signal?.aborted
    ? 'interrupted'
    : failed.length === 0
      ? 'done'
      : plan.onError === 'stop' || fault !== undefined
        ? 'stopped'
        : 'incomplete';
  if (status === 'done' || status === 'incomplete') {
    const inOrder = outputs.flatMap((_, index) => finished.get(index) ?? []);
    // Those that failed now are still there as they were made before.
    const others = await findOtherOutputs(
      work.outputs,
      outputs.filter((_, index) => finished.has(index)),
      earlier.known,
    );
    await writeManifest(work.outputs, { ...createManifest(plan, inOrder, sortFailed(failed, outputs), others), shard });
  }
  const counts = {
    ...{ finished: run.finished.size, kept: kept.size, left: schedule.left },
    ...(prune && { pruned: pruned.length }),
  };
  onEvent({ event: 'ended', status, ...counts, failed: failed.length });
  return { status, ...counts, failed };
}

/** Removes stale outputs, and reports them; one that cannot be removed is a failure. Returns those that were removed. */
async function pruneOutputs(
  plan: CheckedPlan,
  { files, earlier, ...planned }: ToDo,
  work: WorkFolder,
  { failed, onEvent }: { readonly failed: FailedOutput[]; readonly onEvent: (event: BatchEvent) => void },
): Promise<FinishedOutput[]> {
  const pruned: FinishedOutput[] = [];
  const { intact, left } = await findStaleOutputs(plan, planned, files, earlier);
  for (const { path, reason } of left) onEvent({ event: 'warning', input: path, message: reason });
  for (const stale of intact) {
    const { output, bytes } = stale;
    try {
      await work.prune(output);
      pruned.push(stale);
      onEvent({ event: 'pruned', output, bytes });
    } catch (error) {
      const { message } = error as FileError;
      failed.push({ output, error: message });
      onEvent({ event: 'failed', output, message });
    }
  }
  return pruned;
}

/** What a batch relies on that does not read its inputs again. */
function describeBelieved(inputs: number): string {
  const [are, their] =
    inputs === 1
      ? ['1 input counts', 'its size and time are']
      : [`${inputs} inputs count`, 'their sizes and times are'];
  return `${are} as unchanged because ${their} the same; ${mentionOption('resume', true)} compares contents, too`;
}

/** Messages about the damaged lines of a journal. */
function describeDamage({ lines, problems }: JournalDamage): string[] {
  const remedy = 'the output in it is made again';
  const messages = Array.from(problems, ([line, problem]) => `line ${line} is damaged: ${problem}; ${remedy}`);
  const more = lines - problems.size;
  return more > 0 ? [...messages, `${more} more lines are damaged`] : messages;
}

import { assertShape } from '../check/assert-shape.js';
import { FileError, mentionOption } from '../errors.js';
import type { Granularity } from '../period/window-table.js';
import type { BatchEvent, BatchStatus } from './batch-event.js';
import type { BatchPlan } from './batch-plan.js';
import { BatchRun, totalBytes } from './batch-run.js';
import { type CheckedPlan, checkPlan } from './check-plan.js';
import { readClimatologies } from './climatologies.js';
import { type BatchInput, findInputs } from './find-inputs.js';
import { InputFingerprints } from './input-fingerprints.js';
import type { FinishedOutput, JournalDamage } from './journal.js';
import { findOtherOutputs, findUnknownFiles, findUpToDate } from './known-outputs.js';
import { createManifest, type FailedOutput, MANIFEST, readManifest, writeManifest } from './manifest.js';
import { type BatchOutput, planOutputs } from './plan-outputs.js';
import { type PendingOutput, Schedule } from './schedule.js';
import { type ThreadBudget, threadBudget } from './thread-budget.js';
import { WorkFolder } from './work-folder.js';
import { WorkerThread } from './worker-thread.js';

/** How to execute a plan. */
export interface BatchOptions {
  /**
   * Whether to keep intact outputs of an earlier batch with the same inputs and request. Default false: make all again.
   */
  resume?: boolean;
  /**
   * As `resume`, for a batch that has ended: only new inputs, and those that have changed, are computed. Default false.
   */
  changedOnly?: boolean;
  /** Whether to replace files that no batch made. Default false. */
  overwrite?: boolean;
  /** Stops the batch: complete outputs stay, others are removed, and the batch can be resumed. */
  signal?: AbortSignal;
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
}

const FLAGS = { resume: 'flag?', changedOnly: 'flag?', overwrite: 'flag?' } as const;

/**
 * Computes window statistics of many files and writes them to files, with several threads in bounded memory.
 *
 * An output gets its name only when it is complete; the manifest is written last. A batch that was stopped or killed,
 * or has failed, can continue later (`resume`), and ends with the same bytes. Outputs do not depend on the number of
 * threads, the memory, or earlier runs.
 *
 * Rejects with OptionError for a plan that cannot be used, and FileError if the folder of the outputs cannot be used,
 * or another batch is working in it. The report lists problems with inputs, by output. If the folder of the outputs
 * disappears, or cannot be written to any more, the report lists that once, and the batch stops whatever `onError`
 * says.
 */
export async function runBatch(plan: BatchPlan, options: BatchOptions = {}): Promise<BatchReport> {
  assertShape('options', options, { ...FLAGS, signal: 'object?', onEvent: 'function?' });
  const checked = checkPlan(plan);
  const budget = threadBudget(checked.memory, checked.workers);
  const failed: FailedOutput[] = [];
  const inputs = await findPlannedInputs(checked, failed, options);
  const outputs = planOutputs(checked, inputs, await readGranularities(checked));
  const work = await WorkFolder.open(checked.out);
  const halt = new AbortController();
  const interrupt = () => halt.abort();
  options.signal?.addEventListener('abort', interrupt);
  if (options.signal?.aborted) interrupt();
  try {
    const todo = await planWork(checked, inputs, outputs, work, options, halt.signal);
    const report = await executeWork(checked, todo, work, budget, failed, options, halt);
    if (report.status === 'done' || report.status === 'incomplete') await work.remove();
    return report;
  } finally {
    options.signal?.removeEventListener('abort', interrupt);
    halt.abort();
    await work.leave();
  }
}

/**
 * Finds the inputs of a plan. Inputs that cannot be found are failures, and end the batch unless it is to continue.
 * Throws the first failure if no input is found at all.
 */
async function findPlannedInputs(
  { inputs, onError }: CheckedPlan,
  failed: FailedOutput[],
  { onEvent = () => {} }: BatchOptions,
): Promise<BatchInput[]> {
  const faults: Error[] = [];
  const found = await findInputs(inputs, (error) => {
    if (onError === 'stop') throw error;
    faults.push(error);
  });
  if (found.length === 0) throw faults[0];
  for (const { message } of faults) {
    failed.push({ error: message });
    onEvent({ event: 'failed', message });
  }
  return found;
}

/** The granularities of a plan, or else of its climatologies. */
async function readGranularities({
  granularities,
  climatologies,
  values,
}: CheckedPlan): Promise<readonly Granularity[]> {
  const read = await readClimatologies(climatologies, values.calendar);
  return granularities ?? [...new Set(read.map(({ granularity }) => granularity))];
}

interface ToDo {
  readonly files: InputFingerprints;
  readonly inputs: number;
  readonly outputs: readonly BatchOutput[];
  /** Outputs of an earlier batch that stay, by their index in the plan. */
  readonly kept: ReadonlyMap<number, FinishedOutput>;
  readonly pending: readonly PendingOutput[];
  /** Pending outputs whose names belong to files of unknown origin, which only the same bytes may replace. */
  readonly unknown: ReadonlySet<string>;
  /** Other outputs of earlier batches. */
  readonly others: readonly FinishedOutput[];
}

async function planWork(
  plan: CheckedPlan,
  inputs: readonly BatchInput[],
  outputs: readonly BatchOutput[],
  work: WorkFolder,
  { resume = false, changedOnly = false, overwrite = false }: BatchOptions,
  signal: AbortSignal,
): Promise<ToDo> {
  const files = new InputFingerprints(signal);
  const manifest = await readManifest(plan.out);
  if (changedOnly && manifest === undefined) throw noManifest(plan.out);
  const { finished, damage } = work.journal;
  const known = new Map([...(manifest ?? []), ...finished]);
  const paths = [...inputs.map(({ path }) => path), ...plan.climatologies];
  // A damaged line of the journal may have listed any of them.
  const unknown = await findUnknownFiles(plan.out, paths, outputs, known, overwrite || damage.lines > 0);
  const kept = new Map<number, FinishedOutput>();
  for (const [index, output] of outputs.entries()) {
    if (!(resume || changedOnly) || signal.aborted) break;
    const intact = await findUpToDate(plan, output, known.get(output.name), files, signal);
    if (intact !== undefined) kept.set(index, intact);
  }
  const pending = outputs.map((output, index) => ({ index, output })).filter(({ index }) => !kept.has(index));
  const others = await findOtherOutputs(plan.out, outputs, known);
  return { files, inputs: inputs.length, outputs, kept, pending, unknown: overwrite ? new Set() : unknown, others };
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
  { files, inputs, outputs, kept, pending, unknown, others }: ToDo,
  work: WorkFolder,
  { workers, bytes }: ThreadBudget,
  failed: FailedOutput[],
  { signal, onEvent = () => {} }: BatchOptions,
  halt: AbortController,
): Promise<BatchReport> {
  const sizes = await readSizes(pending, files);
  const total = totalBytes(pending, sizes);
  onEvent({ event: 'planned', inputs, outputs: outputs.length, kept: kept.size, bytes: total, workers });
  for (const message of describeDamage(work.journal.damage))
    onEvent({ event: 'warning', input: work.journalPath, message });
  const schedule = new Schedule(pending, work, workers);
  const team = Array.from({ length: workers }, () => new WorkerThread({ plan, bytes }));
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
  const tools = { plan, files, work, schedule, unknown, report: onEvent, onFailure, onFault };
  const run = new BatchRun(tools, pending, sizes);
  halt.signal.addEventListener('abort', stop);
  try {
    if (halt.signal.aborted) stop();
    await Promise.all(team.map((worker) => run.work(worker)));
  } finally {
    await Promise.all(team.map((worker) => worker.stop()));
  }
  const finished = new Map([...kept, ...run.finished]);
  const status = signal?.aborted
    ? 'interrupted'
    : failed.length === 0
      ? 'done'
      : plan.onError === 'stop' || fault !== undefined
        ? 'stopped'
        : 'incomplete';
  if (status === 'done' || status === 'incomplete') {
    const inOrder = outputs.flatMap((_, index) => finished.get(index) ?? []);
    await writeManifest(plan.out, createManifest(plan, inOrder, failed, others));
  }
  const counts = { finished: run.finished.size, kept: kept.size, left: schedule.left };
  onEvent({ event: 'ended', status, ...counts, failed: failed.length });
  return { status, ...counts, failed };
}

/** Messages about the damaged lines of a journal. */
function describeDamage({ lines, problems }: JournalDamage): string[] {
  const remedy = 'the output in it is made again';
  const messages = Array.from(problems, ([line, problem]) => `line ${line} is damaged: ${problem}; ${remedy}`);
  const more = lines - problems.size;
  return more > 0 ? [...messages, `${more} more lines are damaged`] : messages;
}

/** The size of each input in bytes; 0 where it is not known. */
async function readSizes(pending: readonly PendingOutput[], files: InputFingerprints): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { input } of pending.flatMap(({ output }) => output.parts)) {
    if (sizes.has(input)) continue;
    const state = await files.state(input).catch(() => undefined);
    sizes.set(input, state?.bytes ?? 0);
  }
  return sizes;
}

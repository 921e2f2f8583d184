import { assertShape } from '../check/assert-shape.js';
import { FileError, mentionOption } from '../errors.js';
import type { Granularity } from '../period/window-table.js';
import type { BatchEvent, BatchStatus } from './batch-event.js';
import type { BatchPlan } from './batch-plan.js';
import { BatchRun, totalBytes } from './batch-run.js';
import { type CheckedPlan, checkPlan } from './check-plan.js';
import { readClimatologies } from './climatologies.js';
import { type BatchInput, findInputs } from './find-inputs.js';
import { InputFiles } from './input-files.js';
import type { FinishedOutput, JournalDamage } from './journal.js';
import { isUpToDate, otherOutputs, unknownFiles } from './known-outputs.js';
import { createManifest, type FailedOutput, MANIFEST, readManifest, writeManifest } from './manifest.js';
import { type BatchOutput, planOutputs } from './plan-outputs.js';
import { type PendingOutput, Schedule } from './schedule.js';
import { type ThreadBudget, threadBudget } from './thread-budget.js';
import { WorkFolder } from './work-folder.js';
import { WorkerThread } from './worker-thread.js';

/** How a plan is carried out. */
export interface BatchOptions {
  /** Whether to keep the outputs of an earlier batch that are whole and were made of the same: default false, all are made anew. */
  resume?: boolean;
  /** The same, where the earlier batch must have ended: what new or changed inputs touch is made anew. Default false. */
  changedOnly?: boolean;
  /** Whether files may be replaced that no batch made. Default false. */
  overwrite?: boolean;
  /** Ends the work: what is not whole is removed, what is stays, and the batch can be resumed. */
  signal?: AbortSignal;
  onEvent?: (event: BatchEvent) => void;
}

/** What became of a batch. */
export interface BatchReport {
  readonly status: BatchStatus;
  /** Outputs that were made, and those of an earlier batch that were kept. */
  readonly finished: number;
  readonly kept: number;
  readonly failed: readonly FailedOutput[];
  /** Outputs that were not made, because they failed or the batch ended before. */
  readonly left: number;
}

const FLAGS = { resume: 'flag?', changedOnly: 'flag?', overwrite: 'flag?' } as const;

/**
 * Window statistics of many files to files, by several threads in bounded memory.
 *
 * An output gets its name when it is whole, and none has its name before; the manifest is written last. What a batch leaves that is
 * stopped, killed or fails can be gone on with (`resume`), and ends with the same bytes. Outputs do not depend on the number of threads,
 * the memory, or what was done before.
 *
 * Rejects with OptionError for a plan that cannot be used and FileError where the folder of the outputs cannot be, or another batch is
 * at work in it. What is wrong with inputs is told in the report, by output. Where the folder of the outputs is gone or cannot be written
 * to any more, the report tells that once, and the batch is stopped whatever `onError` says.
 */
export async function runBatch(plan: BatchPlan, options: BatchOptions = {}): Promise<BatchReport> {
  assertShape('options', options, { ...FLAGS, signal: 'object?', onEvent: 'function?' });
  const checked = checkPlan(plan);
  const budget = threadBudget(checked.memory, checked.workers);
  const failed: FailedOutput[] = [];
  const inputs = await inputsOf(checked, failed, options);
  const outputs = planOutputs(checked, inputs, await granularitiesOf(checked));
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
 * The inputs of a plan. Those that cannot be found are failures, and end the batch unless it is to go on. Throws the first of them
 * where nothing is found at all.
 */
async function inputsOf(
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

async function granularitiesOf({ granularities, climatologies, values }: CheckedPlan): Promise<readonly Granularity[]> {
  const read = await readClimatologies(climatologies, values.calendar);
  return granularities ?? [...new Set(read.map(({ granularity }) => granularity))];
}

interface ToDo {
  readonly files: InputFiles;
  readonly inputs: number;
  readonly outputs: readonly BatchOutput[];
  /** Outputs of an earlier batch that stay, by their place among all. */
  readonly kept: ReadonlyMap<number, FinishedOutput>;
  readonly pending: readonly PendingOutput[];
  /** Of these, those whose names files have of which it is not known who made them: they are replaced by the same bytes alone. */
  readonly unknown: ReadonlySet<string>;
  /** What earlier batches made beside. */
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
  const files = new InputFiles(signal);
  const manifest = await readManifest(plan.out);
  if (changedOnly && manifest === undefined) throw noManifest(plan.out);
  const { finished, damage } = work.journal;
  const known = new Map([...(manifest ?? []), ...finished]);
  const paths = [...inputs.map(({ path }) => path), ...plan.climatologies];
  // A damaged line of the journal may have told of any of them.
  const unknown = await unknownFiles(plan.out, paths, outputs, known, overwrite || damage.lines > 0);
  const kept = new Map<number, FinishedOutput>();
  for (const [index, output] of outputs.entries()) {
    if (!(resume || changedOnly) || signal.aborted) break;
    const whole = await isUpToDate(plan, output, known.get(output.name), files, signal);
    if (whole !== undefined) kept.set(index, whole);
  }
  const pending = outputs.map((output, index) => ({ index, output })).filter(({ index }) => !kept.has(index));
  const others = await otherOutputs(plan.out, outputs, known);
  return { files, inputs: inputs.length, outputs, kept, pending, unknown: overwrite ? new Set() : unknown, others };
}

function noManifest(out: string): FileError {
  return new FileError({
    subject: out,
    problem: `has no ${MANIFEST}, so that nothing is known to be unchanged`,
    allowed: `the folder of a batch that ended; one that was stopped goes on with ${mentionOption('resume', true)}`,
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
  const sizes = await sizesOf(pending, files);
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
  const tools = { plan, files, work, schedule, unknown, report: onEvent, failed: onFailure, unusable: onFault };
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

/** What is told of lines of a journal that are no entries. */
function describeDamage({ lines, problems }: JournalDamage): string[] {
  const remedy = 'what it told of is made anew';
  const messages = Array.from(problems, ([line, problem]) => `line ${line} is damaged: ${problem}; ${remedy}`);
  const more = lines - problems.size;
  return more > 0 ? [...messages, `${more} more lines are damaged`] : messages;
}

/** The bytes of each input, as far as they can be told. */
async function sizesOf(pending: readonly PendingOutput[], files: InputFiles): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { input } of pending.flatMap(({ output }) => output.parts)) {
    if (sizes.has(input)) continue;
    const state = await files.state(input).catch(() => undefined);
    sizes.set(input, state?.bytes ?? 0);
  }
  return sizes;
}

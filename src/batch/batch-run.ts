import type { Work } from '../check/work.js';
import type { FileError } from '../errors.js';
import type { Notice } from '../input/notice.js';
import type { BatchEvent } from './batch-event.js';
import type { CheckedPlan } from './check-plan.js';
import type { InputFingerprints } from './input-fingerprints.js';
import type { FinishedOutput } from './journal.js';
import { assertSameFile, hashRequest, listSources } from './known-outputs.js';
import type { FailedOutput } from './manifest.js';
import { totalBytes } from './output-bytes.js';
import type { Job, PendingOutput, Schedule } from './schedule.js';
import type { WorkFolder } from './work-folder.js';
import type { Interim, WorkerThread } from './worker-thread.js';

/** The objects and callbacks that a run uses. */
export interface RunTools {
  readonly plan: CheckedPlan;
  readonly files: InputFingerprints;
  readonly work: WorkFolder;
  readonly schedule: Schedule;
  readonly report: (event: BatchEvent) => void;
  /** Counts the bytes that are read. */
  readonly progress: Work;
  /** Outputs whose names belong to files of unknown origin, which only the same bytes may replace. */
  readonly unknown: ReadonlySet<string>;
  /** Called for each output that cannot be made. */
  readonly onFailure: (output: FailedOutput) => void;
  /** Called when no output can be made any more. */
  readonly onFault: (fault: FileError) => void;
}

/** Smaller inputs are not opened by several threads at the same time: to start one takes longer than to wait. */
const LONG_INPUT_BYTES = 64e6;

/** Makes outputs with threads: an output gets its name when it is complete and its inputs are unchanged. */
export class BatchRun {
  /** Complete outputs, by their index in the plan. */
  readonly finished = new Map<number, FinishedOutput>();
  readonly #tools: RunTools;
  /** The size of each input. */
  readonly #bytes: ReadonlyMap<string, number>;
  /** Bytes read so far, for each output that was started. */
  readonly #read = new Map<PendingOutput, number>();
  readonly #notices = new Set<string>();

  /** `bytes` is the size of each input, where it is known. */
  constructor(tools: RunTools, bytes: ReadonlyMap<string, number>) {
    this.#tools = tools;
    this.#bytes = bytes;
  }

  /** Does jobs until none are left. */
  async work(worker: WorkerThread): Promise<void> {
    const { schedule } = this.#tools;
    for (let job = await schedule.next(); job !== undefined; job = await schedule.next(job))
      await this.#perform(worker, job);
  }

  async #perform(worker: WorkerThread, { pending, task }: Job): Promise<void> {
    const { plan, files, schedule, work } = this.#tools;
    if (!schedule.isOpen(pending)) return;
    if (task.kind === 'open' && (this.#bytes.get(task.part.input) ?? 0) < LONG_INPUT_BYTES) return;
    try {
      await files.record(listSources(plan, pending.output));
    } catch (error) {
      return this.#fail(pending, (error as Error).message);
    }
    const outcome = await worker.perform(task, (reply) => this.#onReply(pending, reply));
    // Where opening fails, the thread that does it for the output reports it.
    if (task.kind === 'open') return;
    if (!schedule.isOpen(pending)) return work.discard(pending.index);
    if (outcome.kind === 'divided') schedule.divide(pending, outcome.blocks);
    else if (outcome.kind === 'computed') schedule.computed(pending);
    else if (outcome.kind === 'failed') await this.#fail(pending, outcome.fault.message);
    else if (task.kind === 'blocks') schedule.blocksDone(pending);
    else if (outcome.kind === 'done') await this.#finish(pending, outcome.rows);
  }

  async #finish(pending: PendingOutput, rows: number): Promise<void> {
    const { work, schedule, report } = this.#tools;
    let finished: FinishedOutput;
    try {
      finished = await this.#describe(pending, rows);
      await work.finish(pending.index, finished);
    } catch (error) {
      if (!schedule.isOpen(pending)) return work.discard(pending.index);
      return this.#fail(pending, (error as Error).message);
    }
    this.finished.set(pending.index, finished);
    await work.discard(pending.index);
    schedule.settle(pending);
    report({ event: 'finished', output: finished.output, rows, bytes: finished.bytes });
    this.#addRead(pending, Number.POSITIVE_INFINITY);
  }

  /**
   * Describes an output that was written. Throws FileError if an input has changed meanwhile, or a file would be lost.
   */
  async #describe({ index, output }: PendingOutput, rows: number): Promise<FinishedOutput> {
    const { plan, files, work, unknown } = this.#tools;
    const inputs = await files.unchanged(listSources(plan, output));
    const { bytes, sha256 } = await work.measure(index, output.name);
    if (unknown.has(output.name)) await assertSameFile(work.outputs, output.name, sha256);
    return { output: output.name, bytes, sha256, rows, request: hashRequest(plan, output), inputs };
  }

  async #fail(pending: PendingOutput, message: string): Promise<void> {
    const { work, schedule, report, onFailure, onFault } = this.#tools;
    await work.discard(pending.index);
    const fault = await work.findFault();
    if (fault !== undefined) return onFault(fault);
    if (!schedule.isOpen(pending)) return;
    schedule.settle(pending);
    onFailure({ output: pending.output.name, error: message });
    report({ event: 'failed', output: pending.output.name, message });
    this.#addRead(pending, Number.POSITIVE_INFINITY);
  }

  #onReply(pending: PendingOutput, reply: Interim): void {
    if (reply.kind === 'apart') {
      this.#tools.schedule.separate(pending, reply.siblings);
      return;
    }
    if (reply.kind === 'notice') {
      this.#notice(reply.notice);
      return;
    }
    const share = reply.share * (pending.output.pieces?.share ?? 1);
    this.#addRead(pending, share * (this.#bytes.get(reply.source) ?? 0));
  }

  /** Adds to the bytes read for an output, at most as many as it has; all of them when it is complete or has failed. */
  #addRead(pending: PendingOutput, bytes: number): void {
    const before = this.#read.get(pending) ?? 0;
    const now = Math.min(before + bytes, totalBytes([pending.output], this.#bytes));
    this.#read.set(pending, now);
    this.#tools.progress.advance(now - before);
  }

  /** Reports a notice once for each input, even if several outputs are made from it. */
  #notice({ kind, source, text }: Notice): void {
    const key = `${source}\n${text}`;
    if (this.#notices.has(key)) return;
    this.#notices.add(key);
    this.#tools.report({ event: kind, input: source, message: text });
  }
}

import { join } from 'node:path';
import type { FileError } from '../errors.js';
import type { BatchEvent } from './batch-event.js';
import type { CheckedPlan } from './check-plan.js';
import type { InputFiles } from './input-files.js';
import type { FinishedOutput } from './journal.js';
import { assertSameFile, outputRequest, sourcesOf } from './known-outputs.js';
import type { FailedOutput } from './manifest.js';
import type { Notice } from './run/notice.js';
import type { Job, PendingOutput, Schedule } from './schedule.js';
import type { Reply } from './task.js';
import type { WorkFolder } from './work-folder.js';
import type { WorkerThread } from './worker-thread.js';

/** What a run works with. */
export interface RunTools {
  readonly plan: CheckedPlan;
  readonly files: InputFiles;
  readonly work: WorkFolder;
  readonly schedule: Schedule;
  readonly report: (event: BatchEvent) => void;
  /** Names of outputs that files have which are replaced by the same bytes alone. */
  readonly unknown: ReadonlySet<string>;
  /** Told of each output that cannot be made. */
  readonly failed: (output: FailedOutput) => void;
  /** Told where no output can be made any more. */
  readonly unusable: (fault: FileError) => void;
}

/** The making of outputs by threads: each is given its name when it is whole and its inputs are what they were. */
export class BatchRun {
  /** Outputs that are whole, by their place among all. */
  readonly finished = new Map<number, FinishedOutput>();
  #failed = 0;
  readonly #tools: RunTools;
  readonly #outputs: number;
  /** Of each input. */
  readonly #bytes: ReadonlyMap<string, number>;
  readonly #totalBytes: number;
  /** Bytes that are read: of each output that is begun, and of all. */
  readonly #read = new Map<PendingOutput, number>();
  #allRead = 0;
  readonly #notices = new Set<string>();

  /** `bytes` of each input, as far as it can be told. */
  constructor(tools: RunTools, pending: readonly PendingOutput[], bytes: ReadonlyMap<string, number>) {
    this.#tools = tools;
    this.#outputs = pending.length;
    this.#bytes = bytes;
    this.#totalBytes = totalBytes(pending, bytes);
  }

  /** Does jobs until there are none. */
  async work(worker: WorkerThread): Promise<void> {
    const { schedule } = this.#tools;
    for (let job = await schedule.next(); job !== undefined; job = await schedule.next())
      await this.#perform(worker, job);
  }

  async #perform(worker: WorkerThread, { pending, task }: Job): Promise<void> {
    const { plan, files, schedule, work } = this.#tools;
    if (!schedule.isOpen(pending)) return;
    try {
      await files.begin(sourcesOf(plan, pending.output));
    } catch (error) {
      return this.#fail(pending, (error as Error).message);
    }
    const outcome = await worker.perform(task, (reply) => this.#reported(pending, reply));
    if (!schedule.isOpen(pending)) return work.discard(pending.index);
    if (outcome.kind === 'divided') schedule.divide(pending, outcome.blocks);
    else if (outcome.kind === 'failed') await this.#fail(pending, outcome.fault.message);
    else if (task.kind === 'blocks') schedule.blocksDone(pending);
    else await this.#finish(pending, outcome.rows);
  }

  async #finish(pending: PendingOutput, rows: number): Promise<void> {
    const { work, schedule, report } = this.#tools;
    let finished: FinishedOutput;
    try {
      finished = await this.#whole(pending, rows);
      await work.finish(pending.index, finished);
    } catch (error) {
      if (!schedule.isOpen(pending)) return work.discard(pending.index);
      return this.#fail(pending, (error as Error).message);
    }
    this.finished.set(pending.index, finished);
    await work.discard(pending.index);
    this.#settle(pending);
    report({ event: 'finished', output: finished.output, rows, bytes: finished.bytes });
    this.#reportProgress();
  }

  /** What an output is that is written. Throws FileError where an input has changed meanwhile, or a file would be lost. */
  async #whole({ index, output }: PendingOutput, rows: number): Promise<FinishedOutput> {
    const { plan, files, work, unknown } = this.#tools;
    const inputs = await files.unchanged(sourcesOf(plan, output));
    const { bytes, sha256 } = await work.measure(index, output.name);
    if (unknown.has(output.name)) await assertSameFile(join(plan.out, output.name), sha256);
    return { output: output.name, bytes, sha256, rows, request: outputRequest(plan, output), inputs };
  }

  async #fail(pending: PendingOutput, message: string): Promise<void> {
    const { work, schedule, report, failed, unusable } = this.#tools;
    await work.discard(pending.index);
    const fault = await work.findFault();
    if (fault !== undefined) return unusable(fault);
    if (!schedule.isOpen(pending)) return;
    this.#settle(pending);
    this.#failed++;
    failed({ output: pending.output.name, error: message });
    report({ event: 'failed', output: pending.output.name, message });
    this.#reportProgress();
  }

  /** Nothing more is to be read for an output. */
  #settle(pending: PendingOutput): void {
    this.#tools.schedule.settle(pending);
    this.#addRead(pending, Number.POSITIVE_INFINITY);
  }

  #reported(pending: PendingOutput, reply: Extract<Reply, { kind: 'remark' | 'progress' }>): void {
    if (reply.kind === 'remark') {
      this.#notice(reply.notice);
      return;
    }
    this.#addRead(pending, reply.share * (this.#bytes.get(reply.source) ?? 0));
    this.#reportProgress();
  }

  /** As far as an output has so many. */
  #addRead(pending: PendingOutput, bytes: number): void {
    const before = this.#read.get(pending) ?? 0;
    const now = Math.min(before + bytes, totalBytes([pending], this.#bytes));
    this.#read.set(pending, now);
    this.#allRead += now - before;
  }

  /** Once for each input, however many outputs are made of it. */
  #notice({ kind, source, text }: Notice): void {
    const key = `${source}\n${text}`;
    if (this.#notices.has(key)) return;
    this.#notices.add(key);
    this.#tools.report({ event: kind, input: source, message: text });
  }

  #reportProgress(): void {
    const done = this.finished.size + this.#failed;
    const bytes = Math.round(this.#allRead);
    this.#tools.report({ event: 'progress', done, outputs: this.#outputs, bytes, totalBytes: this.#totalBytes });
  }
}

/** The bytes that are to be read for outputs: those of an input once for each part. */
export function totalBytes(pending: readonly PendingOutput[], bytes: ReadonlyMap<string, number>): number {
  const parts = pending.flatMap(({ output }) => output.parts);
  return parts.reduce((sum, { input }) => sum + (bytes.get(input) ?? 0), 0);
}

import { Worker } from 'node:worker_threads';
import { OptionError } from '../errors.js';
import type { Reply, Task, WorkerSettings } from './task.js';

/** Receives the messages about a task that is running. */
export type OnReply = (reply: Interim) => void;
export type Interim = Extract<Reply, { kind: 'apart' | 'notice' | 'progress' }>;
export type Outcome = Exclude<Reply, Interim>;

/** The path is relative to the bundled script that contains this module. */
const SCRIPT = new URL('./batch-worker.js', import.meta.url);

/** A thread that does one task at a time; it is started when it is needed, and again after it died. */
export class WorkerThread {
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /** Performs a task. Never rejects: if the thread dies, the task has failed. */
  perform(task: Task, onReply: OnReply): Promise<Outcome> {
    this.#worker ??= startWorker(this.#settings);
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        worker.removeAllListeners();
        // The next task starts a new thread if this one ends between tasks.
        worker.on('error', () => {});
        worker.on('exit', () => {
          if (this.#worker === worker) this.#worker = undefined;
        });
        resolve(outcome);
      };
      const died = (message: string, stack?: string) => {
        if (this.#worker === worker) this.#worker = undefined;
        end({ kind: 'failed', fault: { message, tag: undefined, stack } });
      };
      worker.removeAllListeners();
      worker.on('message', (replies: readonly Reply[]) => {
        for (const reply of replies) {
          if (reply.kind === 'apart' || reply.kind === 'notice' || reply.kind === 'progress') onReply(reply);
          else end(reply);
        }
      });
      worker.on('error', (error: Error) => died(`the thread failed: ${error.message}`, error.stack));
      worker.on('exit', (code) => died(`the thread ended with code ${code}`));
      worker.postMessage(task);
    });
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Throws OptionError for settings that cannot be sent to a thread. */
function startWorker(settings: WorkerSettings): Worker {
  try {
    return new Worker(SCRIPT, { workerData: settings });
  } catch (error) {
    if (!(error instanceof DOMException) || error.name !== 'DataCloneError') throw error;
    throw new OptionError({
      ...{
        subject: 'plan',
        problem: `cannot be sent to a thread: ${error.message}`,
        allowed: 'plain objects and values',
      },
    });
  }
}

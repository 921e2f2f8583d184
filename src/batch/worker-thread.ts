import { Worker } from 'node:worker_threads';
import type { Reply, Task, WorkerSettings } from './task.js';

/** What is told while a task is at work. */
export type Reported = (reply: Extract<Reply, { kind: 'remark' | 'progress' }>) => void;
export type Outcome = Exclude<Reply, { kind: 'remark' | 'progress' }>;

/** In the package beside the script that this becomes a part of. */
const SCRIPT = new URL('./batch-worker.js', import.meta.url);

/** A thread that does one task at a time; it is begun when it is needed, and anew where it died. */
export class WorkerThread {
  readonly #settings: WorkerSettings;
  #worker: Worker | undefined;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /** Never rejects: a thread that dies has failed. */
  perform(task: Task, reported: Reported): Promise<Outcome> {
    this.#worker ??= new Worker(SCRIPT, { workerData: this.#settings });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        worker.removeAllListeners();
        // A thread that ends between tasks is found out by the next one.
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
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'remark' || reply.kind === 'progress') reported(reply);
        else end(reply);
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

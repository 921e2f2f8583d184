import type { Reply, Setup, Task } from './task.js';
import type { StartWorker, WorkerLink } from './worker-link.js';

/** The error of a task without a reply: its worker has ended. */
export class WorkerLost extends Error {}

/** One worker of a pool: tasks go in, replies come out in the same order. */
export class PoolThread {
  readonly #link: WorkerLink;
  readonly #waiting: { resolve(reply: Reply): void; reject(cause: unknown): void }[] = [];
  #lost: WorkerLost | undefined;

  constructor(start: StartWorker) {
    this.#link = start({
      reply: (reply) => {
        this.#waiting.shift()?.resolve(reply);
        if (this.#waiting.length === 0) this.#link.hold(false);
      },
      lost: () => this.#lose(),
    });
  }

  /** Sends a task to the worker. Rejects with WorkerLost where the worker has ended, or ends before it replies. */
  ask(message: Setup | Task): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.#lost !== undefined) return reject(this.#lost);
      this.#link.post(message);
      this.#link.hold(true);
      this.#waiting.push({ resolve, reject });
    });
  }

  /** Ends the worker; tasks without a reply reject. */
  async end(): Promise<void> {
    this.#lose();
    await this.#link.end();
  }

  #lose(): void {
    this.#lost ??= new WorkerLost('the worker has ended');
    for (const { reject } of this.#waiting.splice(0)) reject(this.#lost);
  }
}

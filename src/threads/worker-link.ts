import type { Reply } from './task.js';

/** A worker as the pool sees it. */
export interface WorkerLink {
  post(message: unknown): void;
  /** Whether the worker keeps the process alive; of no account in browsers. */
  hold(busy: boolean): void;
  end(): Promise<void>;
}

/** Who is told what comes of a worker. */
interface WorkerListener {
  reply(reply: Reply): void;
  /** The worker is gone. */
  lost(): void;
}

export type StartWorker = (listener: WorkerListener) => WorkerLink;

import type { Reply } from './task.js';

/** The connection to a worker. */
export interface WorkerLink {
  post(message: unknown): void;
  /** Sets whether the worker keeps the process alive; without effect in browsers. */
  hold(busy: boolean): void;
  end(): Promise<void>;
}

/** Callbacks for the events of a worker. */
interface WorkerListener {
  reply(reply: Reply): void;
  /** The worker has ended. */
  lost(): void;
}

export type StartWorker = (listener: WorkerListener) => WorkerLink;

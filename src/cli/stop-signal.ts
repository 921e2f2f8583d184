import cluster from 'node:cluster';
import type { StopSignal, WorkerOrder } from './worker-messages.js';

const SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM'];

/** Resolves to the signal that stops the process; a second signal ends it at once. */
export function stopSignal(): Promise<StopSignal> {
  return new Promise((stopped) => {
    const stop = (received: NodeJS.Signals) => {
      for (const signal of SIGNALS) process.off(signal, stop);
      stopped(received as StopSignal);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
}

/**
 * The same for a worker of `serveWithWorkers`: it stops when the process that started it says so. The terminal sends
 * SIGINT to both, and service managers SIGTERM, so that a second signal means nothing here.
 */
export function workerStopSignal(): Promise<StopSignal> {
  return new Promise((stopped) => {
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => stopped('SIGTERM'));
    cluster.worker?.on('message', ({ stop }: WorkerOrder) => stop && stopped(stop));
  });
}

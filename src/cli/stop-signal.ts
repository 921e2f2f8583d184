import cluster from 'node:cluster';

/** How a server is stopped: SIGTERM after draining, SIGINT without. */
export type StopSignal = 'SIGINT' | 'SIGTERM';

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
    cluster.worker?.on('message', (message: WorkerOrder) => stopped(message.stop));
  });
}

/** What a worker is told. */
export interface WorkerOrder {
  readonly stop: StopSignal;
}

import type { StartWorker } from './worker-link.js';

/** For runtimes that have no threads. */
export const startWorker: StartWorker | undefined = undefined;

export const processors = (): number => 1;

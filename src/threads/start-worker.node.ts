import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { StartWorker } from './worker-link.js';
import text from './worker-text.js';

const SCRIPT = `${text}\npoolWorker.serveTasks(require('node:worker_threads').parentPort);`;

/** Starts a worker thread. */
export const startWorker: StartWorker = (listener) => {
  // Options of the process, such as --input-type, would break this script.
  const worker = new Worker(SCRIPT, { eval: true, execArgv: [] });
  worker.on('message', listener.reply);
  worker.on('error', listener.lost);
  worker.on('exit', listener.lost);
  return {
    post: (message) => worker.postMessage(message),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
    end: async () => void (await worker.terminate()),
  };
};

/** The number of threads that the machine runs at once. */
export const processors: () => number = availableParallelism;

import { Worker } from 'node:worker_threads';
import type { PartReply, PartsThreads } from './parts-in-threads.js';

/** The path is relative to the bundled script that contains this module. */
const SCRIPT = new URL('./parts-worker.node.js', import.meta.url);

/** A file on the disk, which has to have this state when a thread opens it. */
export interface WatchedPath {
  readonly path: string;
  readonly source: string;
  readonly state: string;
}

/** A thread that was started before its work was known. */
let spare: Worker | undefined;

/** Starts a thread that reads parts of a file, as soon as its first message names them. It does not keep the process alive. */
export function startPartsThread(): Worker {
  const thread = new Worker(SCRIPT);
  thread.unref();
  // Whoever uses it hears of the exit, too, and reads the parts itself.
  thread.on('error', () => {});
  thread.once('exit', () => {
    if (spare === thread) spare = undefined;
  });
  return thread;
}

/** Keeps a thread for who needs the next one. */
export function keepPartsThread(thread: Worker | undefined): void {
  spare = thread;
}

/** The thread that is kept, or a new one. */
export function takePartsThread(): Worker {
  const thread = spare ?? startPartsThread();
  spare = undefined;
  thread.ref();
  return thread;
}

/** Threads that read parts of a file on the disk. */
export function pathThreads(file: WatchedPath): PartsThreads {
  return {
    file,
    start: (listener) => {
      const worker = takePartsThread();
      worker.on('message', (reply: PartReply) => listener.reply(reply));
      worker.on('error', () => listener.lost());
      worker.on('exit', () => listener.lost());
      return {
        post: (message, transfer) => worker.postMessage(message, transfer),
        end: async () => void (await worker.terminate()),
      };
    },
  };
}

/** From these sizes on threads gain more than their start and the copies take: if they were requested, and if not. */
const LONG_FOR_THREADS = {
  text: { requested: 16_777_216, usual: 134_217_728 },
  parquet: { requested: 134_217_728, usual: 134_217_728 },
};

/** More gain nothing: the calling thread computes what they read. */
const MAX_USUAL_THREADS = 8;

/** How many threads read a file of text or Parquet, of `processors` where no number is requested. */
export function readingThreads(
  form: keyof typeof LONG_FOR_THREADS,
  bytes: number,
  requested: number | undefined,
  processors: number,
): number {
  const least = LONG_FOR_THREADS[form][requested === undefined ? 'usual' : 'requested'];
  return bytes < least ? 1 : (requested ?? Math.min(MAX_USUAL_THREADS, processors));
}

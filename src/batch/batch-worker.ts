import { parentPort, workerData } from 'node:worker_threads';
import { unreadable, unwritable } from '../disk/file-fault.js';
import { isPlumecastError } from '../errors.js';
import { OutputWorker } from './output-worker.js';
import type { Fault, Reply, Task, WorkerSettings } from './task.js';

/*
 * The script of a thread of a batch: it does one task after the other, and reports the outcome of each.
 */

const worker = new OutputWorker(workerData as WorkerSettings, report);

parentPort?.on('message', async (task: Task) => {
  try {
    report(await worker.perform(task));
  } catch (error) {
    report({ kind: 'failed', fault: toFault(task, error as Error) });
  }
});

/** Replies that are not sent yet, and when the first of them was made. */
let waiting: Reply[] = [];
let since = 0;

/** How long a notice, or progress, may wait for the outcome, in milliseconds: each message wakes the other thread. */
const PATIENCE = 50;

function report(reply: Reply): void {
  const now = performance.now();
  if (waiting.length === 0) since = now;
  waiting.push(reply);
  const mayWait = reply.kind === 'notice' || reply.kind === 'progress';
  if (!mayWait || now - since >= PATIENCE) send();
  else if (waiting.length === 1) setTimeout(sendOld, PATIENCE);
}

/** Sends what has waited long enough, where nothing took it along. */
function sendOld(): void {
  if (waiting.length === 0) return;
  const rest = since + PATIENCE - performance.now();
  if (rest <= 0) send();
  else setTimeout(sendOld, rest);
}

function send(): void {
  parentPort?.postMessage(waiting);
  waiting = [];
}

function toFault(task: Task, thrown: Error & { path?: string }): Fault {
  const error = thrown.path === undefined ? thrown : fileFault(task, thrown.path, thrown);
  return { message: error.message, tag: isPlumecastError(error) ? error.tag : undefined, stack: error.stack };
}

/** Libraries of file formats pass on the errors of the file system. */
function fileFault(task: Task, path: string, cause: Error): Error {
  const written = 'results' in task ? [task.results, ...(task.kind === 'output' ? [task.temporary] : [])] : [];
  const isOutput = written.includes(path);
  return isOutput ? unwritable(path, cause) : unreadable(path, cause, 'a readable file');
}

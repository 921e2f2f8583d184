import { parentPort, workerData } from 'node:worker_threads';
import { isPlumecastError } from '../errors.js';
import { unreadable } from '../file-fault.js';
import { PartMaker } from './part-maker.js';
import type { Fault, Reply, Task, WorkerSettings } from './task.js';

/*
 * The script of a thread of a batch: it does one task after the other, and tells how each went.
 */

const maker = new PartMaker(workerData as WorkerSettings, tell);

parentPort?.on('message', async (task: Task) => {
  try {
    tell(await maker.perform(task));
  } catch (error) {
    tell({ kind: 'failed', fault: faultOf(error as Error) });
  }
});

function tell(reply: Reply): void {
  parentPort?.postMessage(reply);
}

function faultOf(thrown: Error & { path?: string }): Fault {
  // Libraries of formats tell what the file system tells them.
  const error = thrown.path === undefined ? thrown : unreadable(thrown.path, thrown, 'a readable file');
  return { message: error.message, tag: isPlumecastError(error) ? error.tag : undefined, stack: error.stack };
}

import { parentPort, workerData } from 'node:worker_threads';
import { isPlumecastError } from '../errors.js';
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

function faultOf(error: Error): Fault {
  return { message: error.message, tag: isPlumecastError(error) ? error.tag : undefined, stack: error.stack };
}

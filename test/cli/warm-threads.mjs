/**
 * Threads of batches that stay: to load the modules of a batch takes a thread three times as long as a small output. Each batch evaluates the
 * script of its thread anew, and its modules once. Batches in processes of their own (`test/batch/batch-process.ts`) have threads of their own.
 */
import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread, MessageChannel, parentPort } from 'node:worker_threads';

/** Its properties are what modules import from now on, when they are synchronized. */
const threads = createRequire(import.meta.url)('node:worker_threads');
const { Worker } = threads;
const idle = [];
let runs = 0;

/** The part of `Worker` that batches use. A thread that is stopped in the middle of a task is not used again. */
class StayingThread extends EventEmitter {
  #thread = idle.pop() ?? startThread();
  #port;
  #openTasks = 0;

  constructor(script, { workerData }) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (replies) => {
      for (const { kind } of replies) if (kind !== 'notice' && kind !== 'progress') this.#openTasks--;
      this.emit('message', replies);
    });
    this.#thread.on('error', (error) => this.emit('error', error));
    this.#thread.on('exit', (code) => {
      this.#openTasks = Number.POSITIVE_INFINITY;
      this.emit('exit', code);
    });
    this.#thread.postMessage({ script: String(script), workerData, port: port2 }, [port2]);
  }

  postMessage(task) {
    this.#openTasks++;
    this.#port.postMessage(task);
  }

  async terminate() {
    this.#port.close();
    if (this.#openTasks > 0) return this.#thread.terminate();
    this.#thread.removeAllListeners();
    idle.push(this.#thread);
    this.emit('exit', 1);
    return 1;
  }
}

function startThread() {
  // Files that a thread leaves open are closed at its end; here the engine closes them, and would warn of it.
  const thread = new Worker(fileURLToPath(import.meta.url), { execArgv: ['--no-warnings'] });
  thread.unref();
  return thread;
}

function WarmWorker(script, options) {
  return String(script).endsWith('/batch-worker.js') ? new StayingThread(script, options) : new Worker(script, options);
}

if (isMainThread) {
  threads.Worker = WarmWorker;
  syncBuiltinESMExports();
} else {
  parentPort.on('message', ({ script, workerData, port }) => {
    Object.assign(threads, { parentPort: port, workerData });
    syncBuiltinESMExports();
    import(`${script}?${runs++}`);
  });
}

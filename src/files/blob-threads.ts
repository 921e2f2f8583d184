import type { PartReply, PartsListener, PartsThread, PartsThreads } from './parts-in-threads.js';

/**
 * Web Workers that read parts of a Blob: each gets the Blob, whose bytes are not copied, and reads slices of it itself.
 * No memory is shared, so pages need not be isolated. Undefined where there are no workers.
 */
export function blobThreads(blob: Blob): PartsThreads | undefined {
  return typeof Worker === 'undefined' ? undefined : { file: blob, start };
}

function start(listener: PartsListener): PartsThread {
  const worker = startWorker();
  if (worker === undefined) queueMicrotask(() => listener.lost());
  else {
    worker.onmessage = ({ data }: { data: PartReply }) => listener.reply(data);
    worker.onmessageerror = () => listener.lost();
    worker.onerror = (event) => {
      // The calling thread reads the parts: nothing is wrong that the page should hear of.
      event.preventDefault();
      listener.lost();
    };
  }
  return {
    post: (message, transfer) => worker?.postMessage(message, transfer),
    end: async () => worker?.terminate(),
  };
}

/** Some browsers throw where the policy of the page forbids the worker, others report an error of it. */
function startWorker(): Worker | undefined {
  try {
    // Written so that bundlers find the script, which imports nothing.
    return new Worker(new URL('./parts-worker.js', import.meta.url), { type: 'module' });
  } catch {
    return undefined;
  }
}

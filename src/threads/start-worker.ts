import type { StartWorker } from './worker-link.js';
import text from './worker-text.js';

const SCRIPT = `${text}\npoolWorker.serveTasks(self);`;

/** Starts a Web Worker. */
export const startWorker: StartWorker = (listener) => {
  const url = URL.createObjectURL(new Blob([SCRIPT], { type: 'text/javascript' }));
  const worker = new Worker(url);
  worker.onmessage = ({ data }) => {
    URL.revokeObjectURL(url);
    listener.reply(data);
  };
  worker.onerror = () => {
    URL.revokeObjectURL(url);
    listener.lost();
  };
  return {
    post: (message) => worker.postMessage(message),
    hold: () => {},
    end: async () => worker.terminate(),
  };
};

/** The number of threads that the machine runs at once. */
export const processors = (): number => navigator.hardwareConcurrency ?? 1;

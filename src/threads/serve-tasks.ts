import { instantiate } from '../core/instantiate.js';
import { performTask } from './perform-task.js';
import type { Reply, Setup, Task } from './task.js';

/** How a worker hears and answers: the scope of a Web Worker, or the port of a worker thread. */
export interface TaskPort {
  onmessage: unknown;
  postMessage(reply: Reply): void;
}

/** What a worker does all its life: it makes its instance of the core, then computes one task after the other. */
export function serveTasks(port: TaskPort): void {
  port.onmessage = async ({ data }: { data: Setup }) => {
    try {
      const core = await instantiate(data.module, data.memory, data.arena);
      port.onmessage = ({ data }: { data: Task }) => port.postMessage(performTask(core, data));
      port.postMessage({});
    } catch {
      port.postMessage({ failedAt: 0 });
    }
  };
}

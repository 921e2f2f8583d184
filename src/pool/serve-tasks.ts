import { instantiate, ownMemory } from '../core/instantiate.js';
import { performTask } from './perform-task.js';
import type { Reply, Setup, Task } from './task.js';

/** How a worker hears and answers: the scope of a Web Worker, or the port of a worker thread. */
export interface TaskPort {
  onmessage: unknown;
  postMessage(reply: Reply, transfer?: ArrayBuffer[]): void;
}

/** What a worker does all its life: it makes its instances of the core, then computes one task after the other. */
export function serveTasks(port: TaskPort): void {
  port.onmessage = async ({ data }: { data: Setup }) => {
    try {
      const shared = await instantiate(data.sharedModule, data.memory, data.arena);
      const own = await instantiate(data.module, ownMemory());
      port.onmessage = ({ data }: { data: Task }) => {
        const reply = performTask({ shared, own }, data);
        port.postMessage(reply, reply.buffer ? [reply.buffer] : []);
      };
      port.postMessage({});
    } catch {
      port.postMessage({ failedAt: 0 });
    }
  };
}

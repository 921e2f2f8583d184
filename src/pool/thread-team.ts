import type { Core } from '../core/load.js';
import { PoolThread } from './pool-thread.js';
import type { SharedCore } from './shared-core.js';
import type { StartWorker } from './worker-link.js';

/** Scratch of a worker: enough for some ninety quantiles of thousands of members; what is not used is not taken from the machine. */
const ARENA_BYTES = 16 * 2 ** 20;
/** Room of a piece of values on its way to a worker. */
const SLOT_BYTES = 4 * 2 ** 20;
/** While a worker computes one piece, the next is copied. */
const SLOTS_PER_THREAD = 2;

/** A buffer that goes to one worker with values, and comes back. */
export interface Slot {
  readonly thread: PoolThread;
  buffer: ArrayBuffer;
}

/** Workers on one shared memory. */
export interface ThreadTeam {
  readonly core: Core;
  readonly threads: readonly PoolThread[];
  /** One of each worker, then a second of each. */
  readonly slots: readonly Slot[];
}

/** Starts workers and waits until all are ready; undefined where one cannot be started. */
export async function startTeam(
  start: StartWorker,
  count: number,
  { core, module, sharedModule }: SharedCore,
): Promise<ThreadTeam | undefined> {
  const { memory } = core;
  const threads: PoolThread[] = [];
  try {
    const replies = Array.from({ length: count }, () => {
      const thread = new PoolThread(start);
      threads.push(thread);
      const from = memory.allocate(ARENA_BYTES);
      return thread.ask({ module, sharedModule, memory: memory.wasm, arena: { start: from, end: from + ARENA_BYTES } });
    });
    const ready = await Promise.all(replies);
    if (ready.some(({ failedAt }) => failedAt !== undefined)) throw new Error('a worker has no core');
  } catch {
    await endTeam(threads);
    return undefined;
  }
  const slots = Array.from({ length: SLOTS_PER_THREAD }, () =>
    threads.map((thread) => ({ thread, buffer: new ArrayBuffer(SLOT_BYTES) })),
  ).flat();
  return { core, threads, slots };
}

export async function endTeam(threads: readonly PoolThread[]): Promise<void> {
  await Promise.all(threads.map((thread) => thread.end()));
}

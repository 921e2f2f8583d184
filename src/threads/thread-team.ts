import type { Core } from '../core/load.js';
import { PoolThread } from './pool-thread.js';
import type { SharedCore } from './shared-core.js';
import type { StartWorker } from './worker-link.js';

/**
 * Scratch of a worker: enough for some ninety quantiles of thousands of members; the machine only provides the pages
 * that are used.
 */
const ARENA_BYTES = 16 * 2 ** 20;

/** Workers on one shared memory. */
export interface ThreadTeam {
  readonly core: Core;
  readonly threads: readonly PoolThread[];
}

/** Starts workers and waits until all are ready; undefined where one cannot be started. */
export async function startTeam(
  start: StartWorker,
  count: number,
  { core, module }: SharedCore,
): Promise<ThreadTeam | undefined> {
  const { memory } = core;
  const threads: PoolThread[] = [];
  try {
    const replies = Array.from({ length: count }, () => {
      const thread = new PoolThread(start);
      threads.push(thread);
      const from = memory.allocate(ARENA_BYTES);
      return thread.ask({ module, memory: memory.wasm, arena: { start: from, end: from + ARENA_BYTES } });
    });
    const ready = await Promise.all(replies);
    if (ready.some(({ failedAt }) => failedAt !== undefined)) throw new Error('a worker has no core');
  } catch {
    await endTeam(threads);
    return undefined;
  }
  return { core, threads };
}

export async function endTeam(threads: readonly PoolThread[]): Promise<void> {
  await Promise.all(threads.map((thread) => thread.end()));
}

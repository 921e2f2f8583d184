import { processors, startWorker } from '#pool-worker';
import { loadCore, moduleSource } from '../core/load.js';
import type { Pool } from './pool.js';
import { type PoolOptions, requestedThreads } from './pool-options.js';
import { sharedCore } from './shared-core.js';
import { startTeam, type ThreadTeam } from './thread-team.js';
import { WorkerPool } from './worker-pool.js';

/**
 * Starts a pool of workers on one shared memory and returns it when they are ready. Close it when it is no longer needed; a pool
 * that is idle does not keep a process alive.
 *
 * Where memory cannot be shared (a page that is not cross-origin isolated, an edge runtime), where no worker can be started (a
 * content security policy without `worker-src blob:`), and for a module that is compiled already, the pool has no workers and
 * computes on the calling thread. Throws OptionError for options, CoreError where the core itself cannot be loaded.
 */
export async function createPool(options: PoolOptions = {}): Promise<Pool> {
  const threads = requestedThreads(options, processors());
  // A response can be read once only.
  const source = options.source === undefined ? undefined : moduleSource(options.source);
  const ownCore = await loadCore(source);
  const team = threads > 0 ? await sharedTeam(threads, moduleSource(source)).catch(() => undefined) : undefined;
  return new WorkerPool(ownCore, team);
}

/** Workers, where they can be started. */
async function sharedTeam(
  threads: number,
  source: Promise<WebAssembly.Module | BufferSource>,
): Promise<ThreadTeam | undefined> {
  const shared = startWorker && (await sharedCore(await source));
  return startWorker && shared && startTeam(startWorker, threads, shared);
}

import { processors, startWorker } from '#pool-worker';
import { assertKnownKeys } from '../check/option-checks.js';
import { type CoreSource, loadCore, moduleSource } from '../core/load.js';
import { OptionError } from '../errors.js';
import type { Pool } from './pool.js';
import { loadSharedCore } from './shared-core.js';
import { startTeam, type ThreadTeam } from './thread-team.js';
import { WorkerPool } from './worker-pool.js';

/** How many workers a pool has, and what they run. */
export interface PoolOptions {
  /**
   * The number of workers, 0 to 256; 0 computes on the calling thread. Default: the number of threads that the machine
   * runs at once, at most 8; 0 where that number is 1.
   */
  threads?: number;
  /**
   * The source to load the core from, as for `loadCore`. There are no workers for a compiled module, which cannot be
   * shared. Default: the module in the package.
   */
  source?: CoreSource;
}

const MAX_THREADS = 256;
/** More only if requested: the machine may have other work. */
const MAX_BY_DEFAULT = 8;

/** The requested number of workers, on a machine that runs `processors` threads at once. Throws OptionError. */
function requestedThreads(options: PoolOptions, processors: number): number {
  assertKnownKeys(options, ['threads', 'source']);
  const { threads = processors > 1 ? Math.min(processors, MAX_BY_DEFAULT) : 0 } = options;
  if (Number.isInteger(threads) && threads >= 0 && threads <= MAX_THREADS) return threads;
  throw new OptionError({
    subject: 'threads',
    problem: 'not a number of workers',
    received: threads,
    allowed: `a whole number from 0 to ${MAX_THREADS}`,
  });
}

/**
 * Starts a pool of workers on one shared memory and returns it when they are ready. Close it when it is no longer
 * needed; an idle pool does not keep a process alive.
 *
 * Where memory cannot be shared (a page that is not cross-origin isolated, an edge runtime), where no worker can be
 * started (a content security policy without `worker-src blob:`), and for a compiled module, the pool has no workers
 * and computes on the calling thread. Throws OptionError for options, CoreError where the core cannot be loaded.
 *
 * @example
 * ```js
 * import { demoTable } from 'plumecast/demo';
 * import { createPool } from 'plumecast/threads';
 *
 * const pool = await createPool({ threads: 2 });
 * const weeks = await pool.statistics(demoTable('precipitation'), { granularity: 'weekly' });
 * console.log(weeks.numRows, 'weeks');
 * await pool.close();
 * ```
 *
 * ```text
 * 25 weeks
 * ```
 */
export async function createPool(options: PoolOptions = {}): Promise<Pool> {
  const threads = requestedThreads(options, processors());
  // A response can be read once only.
  const source = options.source === undefined ? undefined : moduleSource(options.source);
  const ownCore = await loadCore(source);
  const team = threads > 0 ? await startSharedTeam(threads, moduleSource(source)).catch(() => undefined) : undefined;
  return new WorkerPool(ownCore, team);
}

/** Starts workers, where they can be started. */
async function startSharedTeam(
  threads: number,
  source: Promise<WebAssembly.Module | BufferSource>,
): Promise<ThreadTeam | undefined> {
  const shared = startWorker && (await loadSharedCore(await source));
  return startWorker && shared && startTeam(startWorker, threads, shared);
}

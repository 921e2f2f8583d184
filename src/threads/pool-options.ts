import { assertKnownKeys } from '../check/option-checks.js';
import type { CoreSource } from '../core/load.js';
import { OptionError } from '../errors.js';

/** How many workers a pool has, and what they run. */
export interface PoolOptions {
  /**
   * The number of workers, 0 to 256; 0 computes on the calling thread. Default: as many as the machine runs threads at once, at most 8,
   * and none where that is one.
   */
  threads?: number;
  /**
   * What to load the core from, as for `loadCore`. A module that is compiled already cannot be shared: then there are no workers.
   * Default: the module in the package.
   */
  source?: CoreSource;
}

const MAX_THREADS = 256;
/** Beyond, who has the machine to themselves may say so. */
const MAX_BY_DEFAULT = 8;

/** How many workers are asked for, on a machine that runs `processors` threads at once. Throws OptionError. */
export function requestedThreads(options: PoolOptions, processors: number): number {
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

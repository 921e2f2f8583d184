import { availableParallelism } from 'node:os';
import { OptionError } from '../errors.js';
import { formatBytes } from './byte-count.js';

/** Memory that the process needs besides its threads, and a thread besides its values. */
const PROCESS_BYTES = 100e6;
const THREAD_BYTES = 80e6;
/** With fewer bytes a thread would read too little at a time. */
const MIN_VALUE_BYTES = 48e6;

/** The number of threads, the bytes of values that each may hold, and one alone while the others hold none. */
export interface ThreadBudget {
  readonly workers: number;
  readonly bytes: number;
  readonly bytesAlone: number;
}

/**
 * Divides memory among the requested number of threads, or one for each processor if there is enough. Throws
 * OptionError if the memory is not enough.
 */
export function threadBudget(memory: number, requested?: number): ThreadBudget {
  const most = Math.floor((memory - PROCESS_BYTES) / (THREAD_BYTES + MIN_VALUE_BYTES));
  const workers = requested ?? Math.max(1, Math.min(availableParallelism(), most));
  if (workers <= most) {
    const bytesAlone = memory - PROCESS_BYTES - workers * THREAD_BYTES;
    return { workers, bytes: Math.floor(bytesAlone / workers), bytesAlone };
  }
  const least = PROCESS_BYTES + workers * (THREAD_BYTES + MIN_VALUE_BYTES);
  throw new OptionError({
    subject: 'memory',
    problem: `is not enough for ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    received: formatBytes(memory),
    allowed: `${formatBytes(least)} or more${workers > 1 ? ', or fewer workers' : ''}`,
  });
}

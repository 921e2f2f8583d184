import { availableParallelism } from 'node:os';
import { OptionError } from '../errors.js';
import { formatBytes } from './byte-count.js';

/** What the process takes beside its threads, and what a thread takes beside its values. */
const PROCESS_BYTES = 100e6;
const THREAD_BYTES = 80e6;
/** With less a thread would read too little at a time. */
const LEAST_VALUE_BYTES = 48e6;

/** The number of threads, and the bytes of values that each may hold. */
export interface ThreadBudget {
  readonly workers: number;
  readonly bytes: number;
}

/**
 * Divides memory among threads: as many as asked, or one for each processor as far as it suffices. Throws OptionError where it does
 * not.
 */
export function threadBudget(memory: number, requested?: number): ThreadBudget {
  const most = Math.floor((memory - PROCESS_BYTES) / (THREAD_BYTES + LEAST_VALUE_BYTES));
  const workers = requested ?? Math.max(1, Math.min(availableParallelism(), most));
  if (workers <= most) return { workers, bytes: Math.floor((memory - PROCESS_BYTES) / workers - THREAD_BYTES) };
  const least = PROCESS_BYTES + workers * (THREAD_BYTES + LEAST_VALUE_BYTES);
  throw new OptionError({
    subject: 'memory',
    problem: `does not suffice for ${workers} ${workers === 1 ? 'worker' : 'workers'}`,
    received: formatBytes(memory),
    allowed: `${formatBytes(least)} or more${workers > 1 ? ', or fewer workers' : ''}`,
  });
}

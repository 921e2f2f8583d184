/** Several threads: workers that compute on one shared memory. */
export { createPool } from './create-pool.js';
export type { Pool } from './pool.js';
export type { PoolOptions } from './pool-options.js';

/** Several threads: workers that compute on one shared memory. */
export { createPool, type PoolOptions } from './create-pool.js';
export type { Pool } from './pool.js';

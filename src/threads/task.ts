import type { EnsembleField } from '../core/field.js';
import type { Arena } from '../core/instantiate.js';
import type { ColumnChunk } from '../core/member-column.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
import type { WindowDays } from '../statistics/tiles.js';
import type { SharedResults } from './shared-results.js';
import type { TileQueue } from './tile-queue.js';

/** The first message to a worker: the shared memory, the worker's part of it for scratch, and the module. */
export interface Setup {
  readonly memory: WebAssembly.Memory;
  readonly arena: Arena;
  readonly module: WebAssembly.Module;
}

/** A field without its values, which can be sent to a worker unchanged. */
export type FieldShape = Pick<EnsembleField, 'type' | 'order' | 'firstDay' | 'days' | 'cells'>;

/** The values of a member: their address in the pool's memory, or chunks in other shared memory. */
export type SharedMember = number | readonly ColumnChunk[];

/** A job as it is sent to all workers. */
export interface Task {
  readonly shape: FieldShape;
  readonly values: readonly SharedMember[];
  readonly windows: WindowDays;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
  /** The queue from which the workers take its tiles. */
  readonly queue: TileQueue;
}

/**
 * The answer to a setup or task: empty on success; else the first of the job's results that failed. All results before
 * it are computed, by this worker or another; computing that one again shows why it failed.
 */
export interface Reply {
  readonly failedAt?: number;
}

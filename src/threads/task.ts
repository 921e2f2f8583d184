import type { EnsembleField } from '../core/field.js';
import type { Arena } from '../core/instantiate.js';
import type { ColumnChunk } from '../core/member-column.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
import type { WindowDays } from '../statistics/tiles.js';
import type { SharedResults } from './shared-results.js';
import type { TileQueue } from './tile-queue.js';

/** What a worker is told first: the memory that all share, its part of it for scratch, and the module. */
export interface Setup {
  readonly memory: WebAssembly.Memory;
  readonly arena: Arena;
  readonly module: WebAssembly.Module;
}

/** A field without its values: what can be told to a worker as it is. */
export type FieldShape = Pick<EnsembleField, 'type' | 'order' | 'firstDay' | 'days' | 'cells'>;

/** The values of a member: their address in the pool's memory, or chunks in other shared memory. */
export type SharedMember = number | readonly ColumnChunk[];

/** A job as all workers are told of it. */
export interface Task {
  readonly shape: FieldShape;
  readonly values: readonly SharedMember[];
  readonly windows: WindowDays;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
  /** Whence the workers take its tiles. */
  readonly queue: TileQueue;
}

/**
 * The answer to a setup or task: nothing where all went well; else the first of the job's results that failed. All results before
 * are computed, by this worker or another; why it failed is found out by computing that one anew.
 */
export interface Reply {
  readonly failedAt?: number;
}

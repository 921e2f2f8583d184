import type { EnsembleField } from '../core/field.js';
import type { Arena } from '../core/instantiate.js';
import type { ColumnChunk } from '../core/member-column.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
import type { SharedResults } from './shared-results.js';
import type { TileQueue } from './tile-queue.js';

/** What a worker is told first: the memory that all share, its part of it for scratch, and the module, as it is and for shared memory. */
export interface Setup {
  readonly memory: WebAssembly.Memory;
  readonly arena: Arena;
  readonly module: WebAssembly.Module;
  readonly sharedModule: WebAssembly.Module;
}

/** A field without its values: what can be told to a worker as it is. */
export type FieldShape = Pick<EnsembleField, 'type' | 'order' | 'firstDay' | 'days' | 'cells'>;

/** The values of a member: their address in the pool's memory, or chunks in other shared memory. */
export type SharedMember = number | readonly ColumnChunk[];

/** Values that are handed to a worker and come back with its reply: those of one member after the other, `stride` bytes apart. */
export interface HandedValues {
  readonly buffer: ArrayBuffer;
  readonly members: number;
  readonly stride: number;
}

/** Work for one worker, or for several that share its tiles. */
export interface Task {
  readonly shape: FieldShape;
  readonly values: readonly SharedMember[] | HandedValues;
  readonly windows: WindowTable;
  readonly request: StatisticsRequest;
  /** Where the results of the whole job go. */
  readonly results: SharedResults;
  /** The first of the job's results that this task is about. */
  readonly lane: number;
  /** Whence the task's tiles are taken where workers share them; without it, all are the worker's own. */
  readonly queue?: TileQueue;
}

/**
 * The answer to a setup or task: nothing where all went well; else the first of the job's results that failed. All results before
 * are computed, by this worker or another; why it failed is found out by computing that one anew.
 */
export interface Reply {
  readonly failedAt?: number;
  /** That in which values were handed over. */
  readonly buffer?: ArrayBuffer;
}

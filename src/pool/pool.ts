/// <reference lib="esnext.disposable" preserve="true" />
import type { Table } from 'apache-arrow';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';

/**
 * Workers that compute on one shared memory. All that has to do with them happens in the background: the calling thread is free while
 * they compute, except for copying what they cannot see.
 */
export interface Pool extends AsyncDisposable {
  /**
   * An ordinary core on the pool's memory, for the calling thread. Values that are put in its memory are used in place by all workers.
   * A view on shared memory is not detached when the memory grows, but does not reach what is new.
   */
  readonly core: Core;
  /** The number of workers; 0 where all is computed on the calling thread, because there can be no workers or there are none any more. */
  readonly threads: number;
  /**
   * As `computeStatistics` of `plumecast/arrays`, to the last bit and with the same errors, by all workers. Jobs that are not worth their
   * while are computed on the calling thread at once.
   *
   * Values in the memory of `core`, or in a SharedArrayBuffer, are used in place and must stay as they are until the promise settles.
   * Others are copied by the calling thread, a few megabytes at a time. The columns of larger jobs lie in a SharedArrayBuffer of their own;
   * `column.slice()` is an ordinary copy. Calls take turns. Rejects with DataError for an infinite value, and with CoreError
   * when the pool is closed.
   */
  computeStatistics(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): Promise<StatisticsColumns>;
  /** As `statistics` of `plumecast`, by all workers: Arrow tables in, Arrow tables out. Loads apache-arrow when it is first called. */
  statistics(table: Table, options?: StatisticsOptions): Promise<Table>;
  /** Ends the workers. What they have not computed yet rejects with CoreError, and so do later calls. */
  close(): Promise<void>;
}

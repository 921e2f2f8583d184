/// <reference lib="esnext.disposable" preserve="true" />
import type { Table } from 'apache-arrow';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/window-table.js';
import type { StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';

/**
 * Workers that compute on one shared memory, while the calling thread is free. They help only where the values lie in memory that they
 * see: that of `core`, or a SharedArrayBuffer. Others are computed by the calling thread, as copying them would take as long as computing.
 */
export interface Pool extends AsyncDisposable {
  /**
   * An ordinary core on the pool's memory, for the calling thread. Values that are put in its memory are used in place by all workers:
   * typed arrays by `core.memory.allocate` and views; Arrow data by `readArrowInto(pool.core, bytes)` of `plumecast/files`, or
   * `readArrowFileInto(pool.core, path)` of `plumecast/files/node`. In browsers Arrow data cannot be read there: their
   * `TextDecoder` refuses shared memory. A view on shared memory is not detached when the memory grows, but does not reach what is new.
   */
  readonly core: Core;
  /** The number of workers; 0 where all is computed on the calling thread, because there can be no workers or there are none any more. */
  readonly threads: number;
  /**
   * As `computeStatistics` of `plumecast/arrays`, to the last bit and with the same errors, by all workers where the values of all members
   * lie in the memory of `core` or in a SharedArrayBuffer; they must stay as they are until the promise settles. Jobs on other values,
   * and those that are too small to be worth it, are computed on the calling thread before the promise is returned.
   *
   * Columns that workers computed lie in a SharedArrayBuffer of their own; `column.slice()` is an ordinary copy. Calls take turns.
   * Rejects with DataError for an infinite value, and with CoreError when the pool is closed.
   */
  computeStatistics(field: EnsembleField, windows: WindowTable, request: StatisticsRequest): Promise<StatisticsColumns>;
  /**
   * As `statistics` of `plumecast`, Arrow tables in and out: by all workers where the table lies in the memory of `core`, or in a
   * SharedArrayBuffer; others are computed on the calling thread. Loads apache-arrow when it is first called.
   */
  statistics(table: Table, options?: StatisticsOptions): Promise<Table>;
  /** Ends the workers. What they have not computed yet rejects with CoreError, and so do later calls. */
  close(): Promise<void>;
}

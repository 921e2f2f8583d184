/// <reference lib="esnext.disposable" preserve="true" />
import type { Table } from 'apache-arrow';
import type { WorkOptions } from '../check/work.js';
import type { GivenField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { WindowTable } from '../period/period.js';
import type { StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import type { GivenRequest } from '../statistics/statistics-request.js';
import type { StatisticsTable } from '../statistics/statistics-table.js';
import type { Opened } from '../table/rows/read-ensemble.js';

/**
 * Workers that compute on one shared memory, while the calling thread is free. They help only where the values lie in
 * shared memory: that of `core`, or a SharedArrayBuffer. The calling thread computes others, as copying them would take
 * as long as computing.
 */
export interface Pool extends AsyncDisposable {
  /**
   * An ordinary core on the pool's memory, for the calling thread. All workers use values in its memory in place: put
   * typed arrays there by `core.memory.allocate` and views; Arrow data by `readArrowInto(pool.core, bytes)` of
   * `plumecast/files`, or `readArrowInto(pool.core, path)` of `plumecast/files/node`. In browsers Arrow data cannot
   * be read there: their `TextDecoder` does not take shared memory. When shared memory grows, views on it are not
   * detached, but do not include the new bytes.
   */
  readonly core: Core;
  /**
   * The number of workers; 0 where the calling thread computes everything, as workers cannot be started or have ended.
   */
  readonly threads: number;
  /**
   * Like `computeStatistics` of `plumecast/arrays`, to the last bit and with the same errors, by all workers where the
   * values of all members lie in the memory of `core` or in a SharedArrayBuffer; they must not change until the promise
   * settles. Jobs on other values, and small jobs, are computed on the calling thread before the promise is returned.
   *
   * Columns that workers computed lie in a new SharedArrayBuffer; `column.slice()` is an ordinary copy. Calls are
   * computed in turn. Rejects with DataError for an infinite value, and with CoreError when the pool is closed. An abort
   * rejects when the workers are free again, within a millisecond or so; the pool can be used as before.
   */
  computeStatistics(
    field: GivenField,
    windows: WindowTable,
    request: GivenRequest,
    options?: WorkOptions,
  ): Promise<StatisticsColumns>;
  /**
   * Like `statistics` of `plumecast`, Arrow tables in and out: by all workers where the table lies in the memory of
   * `core`, or in a SharedArrayBuffer; else on the calling thread. Loads apache-arrow when it is first called.
   */
  statistics(data: Table | Opened, options?: StatisticsOptions & WorkOptions): Promise<StatisticsTable>;
  /** Ends the workers. Calls that they have not finished reject with CoreError, and so do later calls. */
  close(): Promise<void>;
}

import type { Table } from 'apache-arrow';
import type { EnsembleField, GivenField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { CoreError } from '../errors.js';
import type { WindowTable } from '../period/window-table.js';
import { computeColumns, computeInto } from '../statistics/compute.js';
import type { StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import { assertRequest, assertWindowed, type GivenRequest } from '../statistics/statistics-request.js';
import { copyWindows, isSmall, type Job, sharedMembers, shareJob, shareRequest } from './job.js';
import type { Pool } from './pool.js';
import { WorkerLost } from './pool-thread.js';
import { columnsIn, createSharedResults } from './shared-results.js';
import type { SharedMember } from './task.js';
import { endTeam, type ThreadTeam } from './thread-team.js';
import { tilesFrom } from './tile-queue.js';

/** A pool, with workers or without. */
export class WorkerPool implements Pool {
  readonly core: Core;
  /** A core on memory that is not shared, to which engines copy faster. */
  readonly #ownCore: Core;
  #team: ThreadTeam | undefined;
  #isClosed = false;
  /** Settles when the jobs before are done. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(ownCore: Core, team: ThreadTeam | undefined) {
    this.core = team?.core ?? ownCore;
    this.#ownCore = ownCore;
    this.#team = team;
  }

  get threads(): number {
    return this.#team?.threads.length ?? 0;
  }

  async computeStatistics(field: GivenField, windows: WindowTable, request: GivenRequest): Promise<StatisticsColumns> {
    this.#assertOpen();
    assertWindowed(this.core, field, windows);
    assertRequest(request, field.cells * windows.count);
    const members = this.#team && !isSmall(field, windows) ? sharedMembers(this.core, field) : undefined;
    if (members === undefined) return computeColumns(this.#coreFor(field), field, windows, request);
    // The caller may change arrays before this job's turn; what was checked must not change.
    const { type, order, firstDay, days, cells, place } = field;
    const job = {
      field: { type, order, firstDay, days, cells, place, members: [...field.members] },
      windows: copyWindows(windows),
      request: shareRequest(request),
    };
    const result = this.#before.then(() => this.#computeTogether(job, members));
    this.#before = result.catch(() => {});
    return result;
  }

  async statistics(table: Table, options?: StatisticsOptions): Promise<Table> {
    this.#assertOpen();
    const { pooledStatistics } = await import('./pooled-statistics.js');
    return pooledStatistics(this, table, options);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#disband();
  }

  // In a runtime without this symbol, the method's name is `undefined`, and it is never called.
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #computeTogether(
    { field, windows, request }: Omit<Job, 'results'>,
    members: readonly SharedMember[],
  ): Promise<StatisticsColumns> {
    this.#assertOpen();
    const results = createSharedResults(field.type, field.cells * windows.count, request);
    const columns = columnsIn(results, field.type, request);
    const failedAt = await this.#firstFailed({ field, windows, request, results }, members);
    // Where a worker failed, the calling thread continues: with the error that a single thread throws, or with the
    // results.
    if (failedAt !== undefined) {
      const core = this.#coreFor(field);
      computeInto(core, field, windows, request, columns, (tiles) => tilesFrom(tiles, failedAt));
    }
    return columns;
  }

  /** Lets the workers compute; resolves to the first result that failed: without workers, the first of all. */
  async #firstFailed(job: Job, members: readonly SharedMember[]): Promise<number | undefined> {
    if (this.#team === undefined) return 0;
    try {
      return await shareJob(this.#team, job, members);
    } catch (cause) {
      if (!(cause instanceof WorkerLost)) throw cause;
      this.#assertOpen();
      await this.#disband();
      return 0;
    }
  }

  /** The core to compute a field with on the calling thread. */
  #coreFor({ members }: EnsembleField): Core {
    return members[0]?.addressIn(this.core) === undefined ? this.#ownCore : this.core;
  }

  async #disband(): Promise<void> {
    const team = this.#team;
    this.#team = undefined;
    if (team !== undefined) await endTeam(team.threads);
  }

  #assertOpen(): void {
    if (!this.#isClosed) return;
    throw new CoreError({
      subject: 'pool',
      problem: 'closed',
      allowed: 'a pool until `close()` is called; createPool() makes another',
    });
  }
}

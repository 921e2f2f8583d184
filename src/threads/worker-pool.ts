import type { Table } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work, type WorkOptions } from '../check/work.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { CoreError } from '../errors.js';
import type { WindowTable } from '../period/period.js';
import { ROLLING_ROWS } from '../period/rolling-rows.js';
import { computeColumns, computeInto } from '../statistics/compute.js';
import type { StatisticsOptions } from '../statistics/options.js';
import type { StatisticsColumns } from '../statistics/statistics-columns.js';
import { assertRequest, assertWindowed, type StatisticsRequest } from '../statistics/statistics-request.js';
import type { WindowDays } from '../statistics/tiles.js';
import type { Opened } from '../table/rows/read-ensemble.js';
import type { Pool } from './pool.js';
import { WorkerLost } from './pool-thread.js';
import { columnsIn, createSharedResults, type SharedResults } from './shared-results.js';
import type { FieldShape, SharedMember } from './task.js';
import { endTeam, type ThreadTeam } from './thread-team.js';
import { createTileQueue, endQueue, tilesFrom } from './tile-queue.js';

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

  async computeStatistics(
    field: EnsembleField,
    windows: WindowTable,
    request: StatisticsRequest,
    options: WorkOptions = {},
  ): Promise<StatisticsColumns> {
    this.#assertOpen();
    const { work, others } = beginWork(options, 'results');
    assertKnownKeys(others, WORK_KEYS);
    assertWindowed(this.core, field, windows);
    const results = field.cells * windows.count;
    assertRequest(request, results);
    work.expect(results);
    const members = this.#team && !isSmall(field, windows) ? sharedMembers(this.core, field) : undefined;
    if (members === undefined) {
      const columns = computeColumns(this.#coreFor(field), field, windows, request);
      work.advance(results);
      return columns;
    }
    // The caller may change arrays before this job's turn; what was checked must not change.
    const { type, order, firstDay, days, cells, place } = field;
    const job = {
      field: { type, order, firstDay, days, cells, place, members: [...field.members] },
      windows: copyWindows(windows),
      request: shareRequest(request),
    };
    const { signal } = work;
    const before = this.#before;
    const result = work.orAborted(before).then(() => this.#computeTogether(job, members, work));
    // A job that is aborted while it waits for its turn leaves the turn to the next one.
    this.#before = signal === undefined ? result.catch(() => {}) : Promise.allSettled([before, result]);
    return result;
  }

  async statistics(data: Table | Opened, options?: StatisticsOptions & WorkOptions): Promise<Table> {
    this.#assertOpen();
    const { pooledStatistics } = await import('./pooled-statistics.js');
    return pooledStatistics(this, data, options);
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
    work: Work,
  ): Promise<StatisticsColumns> {
    this.#assertOpen();
    work.check();
    const results = createSharedResults(field.type, field.cells * windows.count, request);
    const columns = columnsIn(results, field.type, request);
    const failedAt = await this.#firstFailed({ field, windows, request, results }, members, work);
    work.check();
    // Where a worker failed, the calling thread continues: with the error that a single thread throws, or with the
    // results.
    if (failedAt !== undefined) {
      const core = this.#coreFor(field);
      computeInto(core, field, windows, request, columns, (tiles) => tilesFrom(tiles, failedAt));
    }
    return columns;
  }

  /** Lets the workers compute; resolves to the first result that failed: without workers, the first of all. */
  async #firstFailed(job: Job, members: readonly SharedMember[], work: Work): Promise<number | undefined> {
    if (this.#team === undefined) return 0;
    try {
      return await shareJob(this.#team, job, members, work);
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

/** A job that the workers compute together. */
interface Job {
  readonly field: EnsembleField;
  readonly windows: WindowDays;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
}

function shapeOf({ type, order, firstDay, days, cells }: EnsembleField): FieldShape {
  return { type, order, firstDay, days, cells };
}

/** Copies the checked windows, so that they do not change until the workers are done. */
function copyWindows({ count, first, days, firstDay, rolling }: WindowDays): WindowDays {
  const windows = { count, first: first.slice(), days: days.slice(), firstDay };
  return rolling ? { ...windows, rolling, ...ROLLING_ROWS } : windows;
}

/**
 * Copies a checked request for the workers: only what can be sent to them, and limits of categories in shared memory.
 */
export function shareRequest(request: StatisticsRequest): StatisticsRequest {
  const { window, quantiles, quantileType, thresholds, spread, categories, minMemberShare } = request;
  return {
    window,
    quantiles: [...quantiles],
    quantileType,
    thresholds: thresholds.map(({ operator, limit }) => ({ operator, limit })),
    spread,
    categories: categories?.map(({ limits, lower }) => ({ limits: limits.map(shareArray), lower })),
    minMemberShare,
    // A field that is left out would be lost on the way to the workers.
  } satisfies Record<keyof StatisticsRequest, unknown>;
}

function shareArray<A extends Float32Array | Float64Array>(array: A): A {
  if (array.buffer instanceof SharedArrayBuffer) return array;
  const Type = array.constructor as new (buffer: SharedArrayBuffer) => A;
  const shared = new Type(new SharedArrayBuffer(array.byteLength));
  shared.set(array);
  return shared;
}

/** About one millisecond: reading a value and handling a member of a result take 0.25 to 0.5 ns each (measured). */
const MIN_WORK = 2_500_000;

/** Whether a job is so small that sending it to the workers, some 50 microseconds, would cost more than they save. */
function isSmall({ members, cells }: EnsembleField, windows: WindowDays): boolean {
  const daysRead = windows.days.reduce((sum, days) => sum + days, 0);
  return members.length * cells * (daysRead + windows.count) < MIN_WORK;
}

/** The members' values as workers find them; undefined where some lie in memory that is not shared. */
export function sharedMembers(core: Core, { members }: EnsembleField): SharedMember[] | undefined {
  const shared: SharedMember[] = [];
  for (const member of members) {
    const address = member.addressIn(core);
    if (address === undefined && !member.chunks.every(({ values, bitmap }) => isShared(values) && isShared(bitmap))) {
      return undefined;
    }
    shared.push(address ?? member.chunks);
  }
  return shared;
}

function isShared(array: ArrayBufferView | undefined): boolean {
  return array === undefined || array.buffer instanceof SharedArrayBuffer;
}

/**
 * Lets all workers compute a job: they take its tiles in turn, and no more of them where `work` is aborted. Resolves to
 * the first result that failed when no worker computes any more.
 */
export async function shareJob(
  { threads }: ThreadTeam,
  { field, windows, request, results }: Job,
  values: readonly SharedMember[],
  work?: Work,
): Promise<number | undefined> {
  const queue = createTileQueue(results.length, threads.length);
  const task = { shape: shapeOf(field), values, windows, request, results, queue };
  const abort = () => endQueue(queue);
  work?.signal?.addEventListener('abort', abort);
  const replies = await Promise.all(threads.map((thread) => thread.ask(task))).finally(() =>
    work?.signal?.removeEventListener('abort', abort),
  );
  work?.advance(results.length);
  const failed = replies.flatMap(({ failedAt }) => failedAt ?? []);
  return failed.length > 0 ? Math.min(...failed) : undefined;
}

import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import type { StatisticsRequest } from '../statistics/statistics-request.js';
import type { WindowDays } from '../statistics/tiles.js';
import type { SharedResults } from './shared-results.js';
import type { FieldShape, SharedMember } from './task.js';
import type { ThreadTeam } from './thread-team.js';
import { createTileQueue } from './tile-queue.js';

/** A job that the workers compute together. */
export interface Job {
  readonly field: EnsembleField;
  readonly windows: WindowDays;
  readonly request: StatisticsRequest;
  readonly results: SharedResults;
}

function shapeOf({ type, order, firstDay, days, cells }: EnsembleField): FieldShape {
  return { type, order, firstDay, days, cells };
}

/** Copies the checked windows, so that they do not change until the workers are done. */
export function copyWindows({ count, first, days, firstDay }: WindowDays): WindowDays {
  return { count, first: first.slice(), days: days.slice(), firstDay };
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
  };
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
export function isSmall({ members, cells }: EnsembleField, windows: WindowDays): boolean {
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

/** Lets all workers compute a job: they take its tiles in turn. Resolves to the first result that failed. */
export async function shareJob(
  { threads }: ThreadTeam,
  { field, windows, request, results }: Job,
  values: readonly SharedMember[],
): Promise<number | undefined> {
  const queue = createTileQueue(results.length, threads.length);
  const task = { shape: shapeOf(field), values, windows, request, results, queue };
  const replies = await Promise.all(threads.map((thread) => thread.ask(task)));
  const failed = replies.flatMap(({ failedAt }) => failedAt ?? []);
  return failed.length > 0 ? Math.min(...failed) : undefined;
}

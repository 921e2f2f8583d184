import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type Job, shapeOf } from './job.js';
import type { SharedMember } from './task.js';
import type { ThreadTeam } from './thread-team.js';
import { tileQueue } from './tile-queue.js';

/** Where workers find the members' values; undefined where some of them lie in memory that is not shared. */
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
  const queue = tileQueue(results.length, threads.length);
  const task = { shape: shapeOf(field), values, windows, request, results, queue };
  const replies = await Promise.all(threads.map((thread) => thread.ask(task)));
  const failed = replies.flatMap(({ failedAt }) => failedAt ?? []);
  return failed.length > 0 ? Math.min(...failed) : undefined;
}

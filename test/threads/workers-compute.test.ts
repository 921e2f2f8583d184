import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWorker } from '#pool-worker';
import { type Core, loadCore, moduleSource } from '../../src/core/load.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { loadSharedCore, type SharedCore } from '../../src/threads/shared-core.js';
import { columnsIn, createSharedResults } from '../../src/threads/shared-results.js';
import type { SharedMember } from '../../src/threads/task.js';
import { endTeam, startTeam, type ThreadTeam } from '../../src/threads/thread-team.js';
import type { StartWorker } from '../../src/threads/worker-link.js';
import { sharedMembers, shareJob, shareRequest } from '../../src/threads/worker-pool.js';
import { request } from '../property/examples.js';
import { seededField } from '../reference/fields.js';
import { bits, PLACES, placed, windowsOf } from './pools.js';

// The pool computes results at which a worker failed on the calling thread: these tests do without that.

let core: Core;
let team: ThreadTeam;
beforeAll(async () => {
  core = await loadCore();
  const shared = (await loadSharedCore(await moduleSource())) as SharedCore;
  team = (await startTeam(startWorker as StartWorker, 2, shared)) as ThreadTeam;
});
afterAll(() => endTeam(team.threads));

describe.each(PLACES)('workers compute all results of values %s', (place) => {
  it.each([
    { order: 'day-fastest', granularity: 'weekly', members: 31 },
    { order: 'day-fastest', granularity: 'daily', members: 12 },
    { order: 'cell-fastest', granularity: 'weekly', members: 31 },
    { order: 'cell-fastest', granularity: 'daily', members: 100 },
  ] as const)('$granularity, $order, $members members', async ({ order, granularity, members }) => {
    const field = placed(team.core, seededField({ order, members, cells: 301, days: 60, missing: 0.01 }), place);
    const windows = windowsOf(field, granularity);
    const length = field.cells * windows.count;
    const limits = [Float32Array.from({ length }, (_, i) => i % 9)];
    const requested = shareRequest({ ...request, categories: [{ limits, lower: 0 }] });
    const results = createSharedResults(field.type, length, requested);
    const job = { field, windows, request: requested, results };
    const shared = sharedMembers(team.core, field) as SharedMember[];
    expect(await shareJob(team, job, shared)).toBeUndefined();
    const expected = computeStatistics(core, field, windows, requested);
    expect(bits(columnsIn(results, field.type, requested))).toEqual(bits(expected));
  });
});

it('a column in the memory of the pool is known by its address, before and after another pool grows its memory', async () => {
  const field = placed(team.core, seededField({ cells: 5 }), 'in the memory of the pool');
  const other = (await loadSharedCore(await moduleSource())) as SharedCore;
  other.core.memory.allocate(2 ** 26);
  await new Promise((resolve) => setTimeout(resolve, 1));
  expect(sharedMembers(team.core, field)).toEqual(field.members.map(() => expect.any(Number)));
  team.core.memory.allocate(2 ** 26);
  expect(sharedMembers(team.core, field)).toEqual(field.members.map(() => expect.any(Number)));
});

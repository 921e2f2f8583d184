import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { createPool } from '../../src/threads/create-pool.js';
import type { StartWorker, WorkerLink } from '../../src/threads/worker-link.js';
import { request } from '../property/examples.js';
import { seededField } from '../reference/fields.js';
import { bits, PLACES, placed, windowsOf } from './pools.js';

/** The workers that were started last. */
const links: WorkerLink[] = [];
vi.mock('#pool-worker', async (original) => {
  const real = await original<{ startWorker: StartWorker; processors: () => number }>();
  const startWorker: StartWorker = (listener) => {
    const link = real.startWorker(listener);
    links.push(link);
    return link;
  };
  return { ...real, startWorker };
});

afterEach(() => {
  links.length = 0;
});

const root = new URL('../../', import.meta.url);
const field = seededField({ cells: 3001, members: 31, days: 60 });
const small = seededField({ cells: 2 });
const windows = windowsOf(field, 'weekly');
const closed = { tag: 'core', subject: 'pool', problem: 'closed' };

describe('jobs', () => {
  it('that are started at once all have the right results', async () => {
    const core = await loadCore();
    const pool = await createPool({ threads: 2 });
    const fields = [1, 2, 3, 4, 5].map((seed) => seededField({ seed, cells: seed % 2 ? 2001 : 1, members: 31 }));
    const inPlaces = fields.map((one, i) => placed(pool.core, one, PLACES[i % 2]));
    const found = await Promise.all(
      inPlaces.map((one) => pool.computeStatistics(one, windowsOf(one, 'daily'), request)),
    );
    found.forEach((columns, i) => {
      expect(bits(columns)).toEqual(bits(computeStatistics(core, fields[i], windowsOf(fields[i], 'daily'), request)));
    });
    await pool.close();
  });

  it('do not touch memory that others allocate meanwhile', async () => {
    const core = await loadCore();
    const pool = await createPool({ threads: 2 });
    const job = pool.computeStatistics(placed(pool.core, field, 'in the memory of the pool'), windows, request);
    const { memory } = pool.core;
    const buffers = Array.from({ length: 5 }, (_, i) => {
      const address = memory.allocate(2 ** 22);
      memory.bytes(address, 2 ** 22).fill(i);
      return address;
    });
    expect(bits(await job)).toEqual(bits(computeStatistics(core, field, windows, request)));
    buffers.forEach((address, i) => {
      expect(memory.bytes(address, 2 ** 22).every((byte) => byte === i)).toBe(true);
    });
    await pool.close();
  });

  it('whose worker dies are computed on the calling thread, and so are all later ones', async () => {
    const expected = bits(computeStatistics(await loadCore(), field, windows, request));
    for (const place of PLACES) {
      links.length = 0;
      const pool = await createPool({ threads: 2 });
      const job = pool.computeStatistics(placed(pool.core, field, place), windows, request);
      await links[1].end();
      expect(bits(await job)).toEqual(expected);
      expect(pool.threads).toBe(0);
      expect(bits(await pool.computeStatistics(field, windows, request))).toEqual(expected);
      await pool.close();
    }
  });
});

describe('close', () => {
  it('rejects running, waiting and later jobs', async () => {
    const pool = await createPool({ threads: 2 });
    const shared = placed(pool.core, field, 'in the memory of the pool');
    const jobs = [1, 2, 3].map(() => pool.computeStatistics(shared, windows, request));
    const outcomes = Promise.allSettled(jobs);
    await pool.close();
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: closed });
    await expect(pool.computeStatistics(small, windowsOf(small, 'weekly'), request)).rejects.toMatchObject(closed);
    await expect(pool.close()).resolves.toBeUndefined();
  });

  it('is what `await using` calls', async () => {
    const pool = await createPool({ threads: 1 });
    await pool[Symbol.asyncDispose]();
    await expect(pool.computeStatistics(small, windowsOf(small, 'weekly'), request)).rejects.toMatchObject(closed);
  });
});

/** Runs a program that has a pool of two workers, and a job for them. */
async function runWithPool(code: string): Promise<string> {
  const program = `
    import { createPool } from 'plumecast/threads';
    import { MemberColumn, windowTable } from 'plumecast/arrays';
    const pool = await createPool({ threads: 2 });
    const { memory } = pool.core;
    const values = () => memory.float32(memory.allocate(4 * 7 * 50_000), 7 * 50_000).fill(1);
    const members = Array.from({ length: 31 }, () => new MemberColumn('m', [{ values: values() }]));
    const field = { type: 'float32', order: 'day-fastest', firstDay: 4, days: 7, cells: 50_000, members };
    const request = { window: 'sum', quantiles: [0.5], quantileType: 7, thresholds: [], spread: false, minMemberShare: 0.8 };
    const job = () => pool.computeStatistics(field, windowTable('weekly', 4, 10), request);
    ${code}`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
  });
  return stdout;
}

describe('a process', () => {
  it('ends although a pool is open', async () => {
    expect(await runWithPool(`const { mean } = await job(); console.log(pool.threads, mean.length, mean[0]);`)).toBe(
      '2 50000 7\n',
    );
  });

  it('does not end before its jobs', async () => {
    expect(await runWithPool('job().then(({ mean }) => console.log(mean.at(-1)));')).toBe('7\n');
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EnsembleField } from '../../src/core/field.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { MemberColumn } from '../../src/core/member-column.js';
import { computeStatistics } from '../../src/statistics/compute.js';
import { createPool } from '../../src/threads/create-pool.js';
import type { Pool } from '../../src/threads/pool.js';
import { request } from '../property/examples.js';
import { seeded, seededField } from '../reference/fields.js';
import { bits, PLACES, placed, windowsOf } from './pools.js';

let core: Core;
let pool: Pool;
beforeAll(async () => {
  core = await loadCore();
  pool = await createPool({ threads: 2 });
});
afterAll(() => pool.close());

/** Of days first or last: made once, as to draw its values takes longer than to compute. */
const finite = new Map<EnsembleField['order'], EnsembleField>();

/** A field with infinite values at random places. */
function withInfinite(order: EnsembleField['order'], count: number, seed: number): EnsembleField {
  const drawn = finite.get(order) ?? seededField({ order, cells: 1500, days: 60, members: 31 });
  finite.set(order, drawn);
  const members = drawn.members.map(
    ({ name, chunks }) =>
      new MemberColumn(
        name,
        chunks.map((chunk) => ({ ...chunk, values: chunk.values.slice() })),
      ),
  );
  const field = { ...drawn, members };
  const random = seeded(seed);
  const pick = (n: number) => Math.floor(random() * n);
  for (let i = 0; i < count; i++) {
    const { values } = field.members[pick(31)].chunks[0];
    values[pick(values.length)] = pick(2) ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  }
  return { ...field, place: (member, row) => ({ source: 'grid.arrow', row: row + 2, column: `m${member}` }) };
}

describe.each(PLACES)('infinite values %s', (place) => {
  it.each(['day-fastest', 'cell-fastest'] as const)(
    'reject with the error that one thread throws, %s',
    async (order) => {
      for (const [count, seed] of [
        [1, 1],
        [1, 2],
        [5, 3],
        [300, 4],
      ]) {
        const mark = pool.core.memory.mark();
        const field = withInfinite(order, count, seed);
        for (const granularity of ['daily', 'weekly'] as const) {
          const windows = windowsOf(field, granularity);
          let expected: unknown;
          try {
            computeStatistics(core, field, windows, request);
          } catch (error) {
            expected = error;
          }
          expect(expected).toMatchObject({ tag: 'data', source: 'grid.arrow' });
          const pooled = pool.computeStatistics(placed(pool.core, field, place), windows, request);
          await expect(pooled).rejects.toEqual(expected);
        }
        pool.core.memory.release(mark);
      }
      expect(pool.threads).toBe(2);
    },
  );
});

it('a job that needs more scratch than a worker has is still computed', async () => {
  const field = seededField({ members: 12_000, days: 7, cells: 30, firstDay: 4 });
  const requested = { ...request, quantiles: Array.from({ length: 99 }, (_, k) => (k + 1) / 100) };
  const windows = windowsOf(field, 'weekly');
  const inPool = placed(pool.core, field, 'in the memory of the pool');
  const expected = bits(computeStatistics(core, field, windows, requested));
  expect(bits(await pool.computeStatistics(inPool, windows, requested))).toEqual(expected);
  expect(pool.threads).toBe(2);
});

it('undeclared properties of a request, and changes while it waits, are not sent to workers', async () => {
  const field = placed(pool.core, seededField({ cells: 2000 }), 'in other shared memory');
  const windows = windowsOf(field, 'weekly');
  const requested = { ...request, quantiles: [...request.quantiles], notice: () => 'a function' };
  const expected = bits(computeStatistics(core, field, windows, request));
  const own = windowsOf(field, 'weekly');
  const results = [pool.computeStatistics(field, own, requested), pool.computeStatistics(field, own, requested)];
  own.first.fill(2 ** 30);
  requested.quantiles.fill(7);
  for (const columns of await Promise.all(results)) expect(bits(columns)).toEqual(expected);
});

it('a job with a detached column rejects with CoreError, and the pool continues', async () => {
  const other = await loadCore();
  const values = other.memory.float32(other.memory.allocate(4 * 100_000), 100_000);
  const gone = {
    ...seededField({ cells: 1000, days: 100 }),
    members: Array.from({ length: 31 }, () => new MemberColumn('m', [{ values }])),
  };
  other.memory.allocate(2 ** 26);
  await expect(pool.computeStatistics(gone, windowsOf(gone, 'weekly'), request)).rejects.toMatchObject({ tag: 'core' });
  expect(pool.threads).toBe(2);
});

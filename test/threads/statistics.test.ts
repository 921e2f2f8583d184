import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Table, tableToIPC, type Vector } from 'apache-arrow';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/demo-table.js';
import { readArrowInto } from '../../src/files/arrow/read-arrow-into.node.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { createPool } from '../../src/threads/create-pool.js';
import type { Pool } from '../../src/threads/pool.js';
import { sharedMembers } from '../../src/threads/worker-pool.js';

const locations = Array.from({ length: 60 }, (_, i) => ({ latitude: 40, longitude: i / 10 }));
const table = manyMembers(demoTable('precipitation', { locations, members: 22 }), 10);
const options: StatisticsOptions = { granularity: 'weekly', spread: true, thresholds: ['>20'] };

const folder = mkdtempSync(join(tmpdir(), 'plumecast-pool-'));
const path = join(folder, 'rain.arrow');
let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ threads: 2 });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await pool.close();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** A table with its members several times, as large ensembles take long to make: workers take part in large jobs only. */
function manyMembers(of: Table, times: number): Table {
  const [members, others] = [true, false].map((isMember) =>
    of.schema.fields.map(({ name }) => name).filter((name) => name.startsWith('member_') === isMember),
  );
  const copies = Array.from({ length: times }, () => members).flat();
  const columns = [
    ...others.map((name) => [name, of.getChild(name) as Vector] as const),
    ...copies.map((name, i) => [`member_${i}`, of.getChild(name) as Vector] as const),
  ];
  const table = new Table(Object.fromEntries(columns));
  for (const [key, value] of of.schema.metadata) table.schema.metadata.set(key, value);
  return table;
}

/** Each column's values, or places in its dictionary, and its validity. */
function columnsOf(statistics: Table) {
  return statistics.schema.fields.map(({ name }) => {
    const { values, nullBitmap } = (statistics.getChild(name) as Vector).data[0];
    return { name, values: Buffer.from(bytesOf(values)).toString('base64'), nullBitmap };
  });
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

describe('statistics of a table by a pool', () => {
  it('equal those of one thread, bit for bit', async () => {
    const expected = statistics(await loadCore(), table, options);
    expect(columnsOf(await pool.statistics(table, options))).toEqual(columnsOf(expected));
  });

  const cut = table.slice(0, 5000).concat(table.slice(5000));
  it.each([
    { given: 'a file', batches: 1, read: () => readArrowInto(pool.core, path) },
    { given: 'bytes', batches: 1, read: () => readArrowInto(pool.core, tableToIPC(table)) },
    { given: 'bytes', batches: 2, read: () => readArrowInto(pool.core, tableToIPC(cut)) },
  ])('are computed by workers of $given with $batches batches, read into the memory of the pool', async (example) => {
    writeFileSync(path, tableToIPC(table, 'file'));
    const expected = statistics(await loadCore(), table, options);
    const data = await example.read();
    expect(data.table.batches).toHaveLength(example.batches);
    for (const { field } of readEnsemble(data.table).parts) {
      const where = example.batches === 1 ? expect.any(Number) : expect.any(Array);
      expect(sharedMembers(pool.core, field)).toEqual(field.members.map(() => where));
    }
    const requested = vi.spyOn(pool, 'computeStatistics');
    const found = await pool.statistics(data.table, options);
    expect(columnsOf(found)).toEqual(columnsOf(expected));
    for (const { value } of requested.mock.settledResults) expect(value.mean.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(requested).toHaveBeenCalledTimes(1);
    for (const name of ['mean', 'q50', 'spread', 'p_gt_20', 'n_members']) {
      expect((found.getChild(name) as Vector).data[0].values.buffer).toBeInstanceOf(ArrayBuffer);
    }
    data.release();
  });

  it('reject what one thread rejects', async () => {
    await expect(pool.statistics(table, { quantiles: [2] })).rejects.toMatchObject({ tag: 'option' });
  });
});

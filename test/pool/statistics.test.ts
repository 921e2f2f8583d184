import { type Table, tableFromIPC, tableToIPC, type Vector } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/demo-table.js';
import { createPool } from '../../src/pool/create-pool.js';
import type { Pool } from '../../src/pool/pool.js';
import type { StatisticsOptions } from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';

const locations = Array.from({ length: 60 }, (_, i) => ({ latitude: 40, longitude: i / 10 }));
const table = demoTable('precipitation', { locations, members: 220 });
const options: StatisticsOptions = { granularity: 'weekly', spread: true, thresholds: ['>20'] };

let pool: Pool;
beforeAll(async () => {
  pool = await createPool({ threads: 2 });
});
afterAll(() => pool.close());

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
  it('are those of one thread, bit for bit, in ordinary memory', async () => {
    const expected = statistics(await loadCore(), table, options);
    const found = await pool.statistics(table, options);
    expect(columnsOf(found)).toEqual(columnsOf(expected));
    for (const name of ['mean', 'q50', 'spread', 'p_gt_20', 'n_members']) {
      expect((found.getChild(name) as Vector).data[0].values.buffer).toBeInstanceOf(ArrayBuffer);
    }
  });

  it('are the same of an Arrow file in the memory of the pool', async () => {
    const expected = statistics(await loadCore(), table, options);
    const file = tableToIPC(table, 'file');
    const bytes = pool.core.memory.bytes(pool.core.memory.allocate(file.length), file.length);
    bytes.set(file);
    expect(columnsOf(await pool.statistics(tableFromIPC(bytes), options))).toEqual(columnsOf(expected));
  });

  it('reject what one thread refuses', async () => {
    await expect(pool.statistics(table, { quantiles: [2] })).rejects.toMatchObject({ tag: 'option' });
  });
});

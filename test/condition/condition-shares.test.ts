import { beforeAll, describe, expect, it } from 'vitest';
import { conditionShares } from '../../src/condition/condition-shares.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { encodeTable } from '../../src/files/encode-tables.js';
import { readTable } from '../../src/files/read-table.js';
import { statistics } from '../../src/statistics/statistics.js';
import { messageOf } from '../table/tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const tables = {
  precipitation: demoTable('precipitation', { days: 14 }),
  temp_mean: demoTable('temp_mean', { days: 14 }),
};
const both = ['precipitation>5 and temp_mean<6'];

describe('conditionShares', () => {
  it.each(['quantiles', 'quantileType', 'thresholds', 'spread', 'variable'])('does not ignore %s', (name) => {
    const message = messageOf(() => conditionShares(core, tables, both, { [name]: undefined } as object));
    expect(message).toMatch(
      new RegExp(`^OptionError options: unknown option.*; received "${name}"; allowed: granularity`),
    );
  });

  it.each([
    ['a promise', Promise.resolve(tables.temp_mean), 'a Promise'],
    ['a timeline', { table: tables.temp_mean, pairing: {} }, 'an object { table, pairing }'],
  ])('names the table that cannot be used: %s', (_, wrong, received) => {
    const data = { ...tables, temp_mean: wrong as never };
    expect(messageOf(() => conditionShares(core, data, both))).toBe(
      `OptionError temp_mean, table: cannot be used; received ${received}; allowed: an Arrow table`,
    );
  });

  it('makes a table without units, which is written and read back', async () => {
    const shares = conditionShares(core, tables, both, { granularity: 'weekly' });
    const back = await readTable(await encodeTable(shares, 'parquet'));
    expect(back.toArray().map(String)).toEqual(shares.toArray().map(String));
    expect(messageOf(() => statistics(core, back))).not.toContain('memory has grown');
  });
});

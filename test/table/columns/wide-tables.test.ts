import { Field, type Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { blend } from '../../../src/blend/blend.js';
import { type Core, loadCore } from '../../../src/core/load.js';
import { encodeTable, encodeTables } from '../../../src/files/encode-tables.js';
import { readTable } from '../../../src/files/read-table.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { wideTable } from '../../../src/table/build/wide-table.js';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { findVariable } from '../../../src/variable/find-variable.js';

const variable = findVariable('precipitation');

/** A table of four days with a column for each member. */
function wide(members: number): Table {
  const columns = {
    latitude: new Float64Array(4).fill(40),
    longitude: new Float64Array(4).fill(-3),
    date: Int32Array.from([19_723, 19_724, 19_725, 19_726]),
    members: Array.from({ length: members }, (_, m) => Float64Array.of(m, m, m, m)),
  };
  return wideTable(columns, new Map([['variable', 'precipitation']]));
}

/** How often the names of columns are read while something is done. */
async function namesRead(work: () => unknown): Promise<number> {
  const original = Object.getOwnPropertyDescriptor(Field.prototype, 'name');
  let reads = 0;
  const names = new WeakMap<object, string>();
  // Fields keep their names where their class is asked to keep them.
  Object.defineProperty(Field.prototype, 'name', {
    configurable: true,
    get(this: object) {
      reads++;
      return names.get(this);
    },
    set(this: object, name: string) {
      names.set(this, name);
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(Field.prototype, 'name', original as PropertyDescriptor);
  }
  return reads;
}

const members = 2_000;
/** Names that are read for each column; a search of all for each would read some thousand. */
const MAX_READS = 100;

describe('work on a table of many columns grows with their number, not with its square', () => {
  let core: Core;
  let csv: Uint8Array;
  let arrow: Uint8Array;
  let parquet: Uint8Array;
  beforeAll(async () => {
    core = await loadCore();
    csv = await encodeTable(wide(members), 'csv');
    arrow = await encodeTable(wide(members), 'arrow-stream');
    parquet = await encodeTable(wide(members), 'parquet');
  });

  it.each<[string, (core: Core) => unknown, number?]>([
    ['reading CSV', () => readTable(csv)],
    ['reading Arrow', () => readTable(arrow)],
    ['reading Parquet', () => readTable(parquet)],
    ['statistics', () => statistics(core, wide(members))],
    ['conversion', () => dailyTable(wide(members), { variable, units: 'in' })],
    // To pair members takes time that grows with the cube of their number.
    ['blending', () => blend(core, [wide(400).slice(0, 3), wide(400).slice(1)], { overlaps: [2] }), 400],
    [
      'writing',
      async () => {
        for await (const _ of encodeTables([wide(members)], 'arrow'));
      },
    ],
  ])('%s', async (_, work, columns = members) => {
    expect(await namesRead(() => work(core))).toBeLessThan(MAX_READS * columns);
  });
});

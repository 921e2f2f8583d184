import { type Table, tableFromIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { encodeTables } from '../../../src/files/encode-tables.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { joinTables } from '../../../src/table/build/join-tables.js';
import { tablesInSeries } from '../../../src/table/build/tables-in-series.js';
import { daysFrom, table } from '../tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

async function series(tables: readonly Table[], keepMetadata: readonly string[] = []): Promise<Table[]> {
  const all: Table[] = [];
  const given = async function* () {
    yield* tables;
  };
  for await (const one of tablesInSeries(given(), keepMetadata)) all.push(one);
  return all;
}

const rowsOf = (tables: readonly Table[]) => tables.flatMap((one) => one.toArray().map((row) => row?.toJSON()));

describe('tablesInSeries', () => {
  it('has the rows that joinTables has, and can be written to one Arrow file', async () => {
    const rain = statistics(core, table({ date: daysFrom('2024-01-01', 3), rain: [1, null, 4] }), {
      granularity: 'daily',
    });
    const unnamed = statistics(core, table({ date: daysFrom('2024-02-01', 1), v: [0.1] }), { window: 'sum' });
    const empty = statistics(core, table({ date: daysFrom('2024-02-01', 1), tas: [0.1] }), { endDate: '2023-01-01' });
    const heat = statistics(core, table({ date: daysFrom('2024-01-02', 2), tas: [20, 21] }));
    const given = [rain, unnamed, empty, heat, rain];
    const expected = rowsOf([joinTables(given)]);
    const joined = await series(given);
    expect(rowsOf(joined)).toEqual(expected);
    const pieces: Uint8Array[] = [];
    for await (const piece of encodeTables(joined, 'arrow')) pieces.push(piece);
    expect(rowsOf([tableFromIPC(Buffer.concat(pieces))])).toEqual(expected);
  });

  it('keeps the requested metadata of the first table', async () => {
    const rain = statistics(core, table({ date: daysFrom('2024-01-01', 1), rain: [1] }));
    const [one] = await series([rain], ['granularity', 'unknown']);
    expect(Object.fromEntries(one.schema.metadata)).toEqual({ granularity: 'daily' });
  });
});

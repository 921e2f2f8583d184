import { tableFromIPC, tableToIPC, type Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { joinTables, tablesInSeries } from '../../../src/table/build/join-tables.js';
import { daysFrom, float32, table } from '../tables.js';
import { encodeTables } from '../../../src/files/encode-tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('joinTables', () => {
  it('has the rows of all tables in order, and the metadata that they agree on', () => {
    const rain = statistics(core, table({ date: daysFrom('2024-01-01', 2), rain: float32(1, null) }));
    const other = statistics(core, table({ date: daysFrom('2024-02-01', 1), v: [0.1] }), { window: 'sum' });
    const empty = statistics(core, table({ date: daysFrom('2024-02-01', 1), tas: [0.1] }), { endDate: '2023-01-01' });
    const joined = tableFromIPC(tableToIPC(joinTables([rain, other, empty])));
    expect(joined.toArray().map((row) => row?.toJSON())).toEqual(
      [rain, other].flatMap((part) => part.toArray().map((row) => row?.toJSON())),
    );
    expect(String(joined.getChild('mean')?.type)).toBe('Float64');
    expect(joined.getChild('variable')?.nullCount).toBe(1);
    expect(Object.fromEntries(joined.schema.metadata)).toEqual({ granularity: 'daily' });
    expect(joinTables([rain])).toBe(rain);
  });

  it('keeps Float32 if all tables have it', () => {
    const rain = statistics(core, table({ date: daysFrom('2024-01-01', 1), rain: float32(0.1) }));
    expect(String(joinTables([rain, rain]).getChild('q50')?.type)).toBe('Float32');
  });
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

import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../../src/core/load.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { joinTables } from '../../../src/table/build/join-tables.js';
import { daysFrom, float32, table } from '../tables.js';

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

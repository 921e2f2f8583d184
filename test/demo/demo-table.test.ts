import { tableFromIPC, tableToIPC } from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { DEMO_VARIABLES, demoTable, demoTables, generateEnsemble } from '../../src/demo/index.js';

describe('demoTable', () => {
  it('has the canonical columns: place, Date32 and one Float32 column a member', () => {
    const table = demoTable('temp_mean');
    const types = table.schema.fields.map(({ name, type, nullable }) => `${name} ${type} ${nullable}`);
    expect(types.slice(0, 4)).toEqual([
      'latitude Float64 true',
      'longitude Float64 true',
      'date Date32<DAY> true',
      'member_00 Float32 true',
    ]);
    expect(types.length).toBe(34);
    expect(types[33]).toBe('member_30 Float32 true');
  });

  it('covers by default 180 days from 2 March 2026 at 37.30 N, 79.84 W', () => {
    const table = demoTable('temp_mean');
    const date = table.getChild('date')!;
    expect(table.numRows).toBe(180);
    expect(new Date(Number(date.get(0))).toISOString().slice(0, 10)).toBe('2026-03-02');
    expect(new Date(Number(date.get(179))).toISOString().slice(0, 10)).toBe('2026-08-28');
    expect([table.getChild('latitude')!.get(0), table.getChild('longitude')!.get(0)]).toEqual([37.3, -79.84]);
  });

  it('names variable, units and run in the schema metadata', () => {
    expect(Object.fromEntries(demoTable('wind_speed', { seed: 4, days: 1 }).schema.metadata)).toEqual({
      variable: 'wind_speed',
      units: 'm s-1',
      init_time: '2026-03-02T00:00:00Z',
      horizon: 'seasonal',
      version: 'demo-1',
      generation: 'demo-2026-03-02-4',
    });
    const named = { horizon: 'short-term', version: '12', generation: 'g' };
    const { metadata } = demoTable('wind_speed', { ...named, days: 1 }).schema;
    expect(Object.fromEntries(metadata)).toMatchObject(named);
  });

  it('has rows by location, day fastest, with the values of generateEnsemble', () => {
    const locations = [
      { latitude: -33.9, longitude: 151.2 },
      { latitude: 60.2, longitude: 24.9 },
    ];
    const run = { seed: 9, initDate: 20000, days: 5, members: 3 };
    const table = demoTable('precipitation', { ...run, locations });
    const column = (name: string) => Array.from(table.getChild(name)!.data[0].values);
    expect(column('latitude')).toEqual([...Array(5).fill(-33.9), ...Array(5).fill(60.2)]);
    expect(column('longitude')).toEqual([...Array(5).fill(151.2), ...Array(5).fill(24.9)]);
    expect(column('date')).toEqual([20000, 20001, 20002, 20003, 20004, 20000, 20001, 20002, 20003, 20004]);
    const ensembles = locations.map((location) => generateEnsemble({ ...run, ...location }));
    for (const member of [0, 1, 2]) {
      const expected = ensembles.flatMap(({ precipitation }) => [...precipitation[member]]);
      expect(column(`member_0${member}`)).toEqual(expected);
    }
  });

  it('pads the names of members to the largest index', () => {
    const names = (members: number) => demoTable('temp_max', { members, days: 1 }).schema.names;
    expect(names(1).at(-1)).toBe('member_00');
    expect(names(100).at(-1)).toBe('member_99');
    expect([names(101)[3], names(101).at(-1)]).toEqual(['member_000', 'member_100']);
  });

  it('survives Arrow IPC unchanged', () => {
    const table = demoTable('solar_radiation', { days: 7, members: 2 });
    const read = tableFromIPC(tableToIPC(table, 'file'));
    expect(String(read.schema)).toBe(String(table.schema));
    expect(read.schema.metadata).toEqual(table.schema.metadata);
    expect(read.toArray().map(String)).toEqual(table.toArray().map(String));
  });

  it('rejects an unknown variable and an empty list of locations', () => {
    // @ts-expect-error: dew_point is derived.
    expect(() => demoTable('dew_point')).toThrow('variable: is not made by the demo; received "dew_point"');
    expect(() => demoTable('temp_min', { locations: [] })).toThrow('locations: is empty');
    expect(() => demoTable('temp_min', { members: 1.5 })).toThrow('members: is not an integer in range; received 1.5');
  });
});

describe('demoTables', () => {
  it('returns the table of demoTable for every variable', () => {
    const tables = demoTables({ days: 4, members: 2 });
    expect(Object.keys(tables)).toEqual([...DEMO_VARIABLES]);
    for (const variable of DEMO_VARIABLES) {
      const alone = demoTable(variable, { days: 4, members: 2 });
      expect(tables[variable].toArray().map(String)).toEqual(alone.toArray().map(String));
      expect(tables[variable].schema.metadata).toEqual(alone.schema.metadata);
    }
  });
});

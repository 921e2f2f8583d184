import { Float32, type Table } from 'apache-arrow';
import { beforeAll, describe, expect, it } from 'vitest';
import { blend, pairMembers } from '../../src/blend/blend.js';
import { conditionShares } from '../../src/condition/condition-shares.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { demoTable } from '../../src/demo/index.js';
import { memberWindows } from '../../src/statistics/member-windows.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { membersOf } from '../table/tables.js';
import { horizon, long, short, today } from './horizon-table.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

describe('blend', () => {
  it('joins two tables to a canonical wide one, worked by hand', () => {
    // Overlap 1: of four members, round(4 / 2) = 2 switch on lead 4, two on lead 5. Which ones is drawn for the day.
    const { table: found, pairing, shares } = blend(core, [short, long], { overlaps: [1], names: ['near', 'far'] });
    const near = (m: number) => [0, 1, 2, 3, 4].map((lead) => 100 * m + lead);
    const far = (m: number, first: number) =>
      [4, 5, 6, 7, 8, 9].filter((d) => d >= first).map((d) => 1000 + 100 * m + d);
    const days = [...pairing.seams[0].switchDay];
    expect(days.toSorted()).toEqual([4, 4, 5, 5]);
    const joined = (m: number) => [...near(m).slice(0, days[m]), ...far(m, days[m])];
    expect(membersOf(found)).toEqual({
      member_00: joined(0),
      member_01: joined(1),
      member_02: joined(2),
      member_03: joined(3),
    });
    expect(shares.map((share) => [...share])).toEqual([
      [1, 1, 1, 1, 0.5, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0.5, 1, 1, 1, 1, 1],
    ]);
    expect(found.schema.fields.map(({ name }) => name).slice(0, 3)).toEqual(['latitude', 'longitude', 'date']);
    expect(pairing.horizons.map(({ name }) => name)).toEqual(['near', 'far']);
  });

  it('gives what other functions take in place of its table, and compute of it', () => {
    const rains = ['short-term', 'subseasonal'].map((name, h) =>
      demoTable('precipitation', { days: [15, 46][h], seed: h + 2, members: 5, horizon: name }),
    );
    const timeline = blend(core, rains);
    const rows = (table: Table) => table.toArray().map(String);
    const options = { granularity: 'weekly', window: 'max' } as const;
    expect(rows(memberWindows(core, timeline, options))).toEqual(rows(memberWindows(core, timeline.table, options)));
    const conditions = ['precipitation>5'];
    const shares = conditionShares(core, { precipitation: timeline }, conditions, { granularity: 'weekly' });
    const own = conditionShares(core, { precipitation: timeline.table }, conditions, { granularity: 'weekly' });
    expect(rows(shares)).toEqual(rows(own));
    expect(shares.numRows).toBe(6);
    expect(() => memberWindows(core, timeline, { columns: { value: 'x' } })).toThrow(/^columns: not an option/);
  });

  it('pairs equal ranks of the overlap, whatever the order of members in the tables', () => {
    const mixed = horizon({ leads: [2, 9], members: 4, value: (m, lead) => 1000 + 100 * [2, 0, 3, 1][m] + lead });
    expect(membersOf(blend(core, [short, mixed]).table)).toEqual(membersOf(blend(core, [short, long]).table));
  });

  it('splices by index, after the last day of the earlier horizon, and repeats a smaller ensemble in turn', () => {
    const two = horizon({ leads: [2, 6], members: 2, value: (m, lead) => 1000 * (m + 1) + lead });
    const { table: found, pairing } = blend(core, [short, two], { method: 'splice' });
    expect(membersOf(found).member_00).toEqual([0, 1, 2, 3, 4, 1005, 1006]);
    expect(membersOf(found).member_01).toEqual([100, 101, 102, 103, 104, 2005, 2006]);
    expect(membersOf(found).member_03.slice(4)).toEqual([304, 2005, 2006]);
    expect(pairing.seams[0].distinctMembers).toBe(2);
  });

  it('states its horizons in the metadata, and keeps what is the same in all of them', () => {
    const metadata = { variable: 'temp_mean', units: 'degC', attribution: 'them', generation: 'a', extra: 'x' };
    const of = (leads: [number, number], name: string, time: string, more = {}) =>
      horizon({ leads, members: 2, metadata: { ...metadata, horizon: name, init_time: time, ...more } });
    const tables = [
      of([0, 15], 'short-term', '2026-03-02T00:00:00Z'),
      of([-3, 42], 'subseasonal', '2026-02-27T00:00:00Z', { generation: 'b' }),
      of([-1, 60], 'seasonal', '2026-03-01T00:00:00Z', { extra: 'y' }),
    ];
    const found = Object.fromEntries(blend(core, tables).table.schema.metadata);
    expect({ ...found, horizons: JSON.parse(found.horizons) }).toEqual({
      variable: 'temp_mean',
      units: 'degC',
      attribution: 'them',
      init_time: '2026-03-02T00:00:00Z',
      member_names: '["run_0","run_1"]',
      horizon: 'blended',
      blend: 'field',
      pair_by: 'temp_mean',
      horizons: [
        { name: 'short-term', init_time: '2026-03-02T00:00:00Z', start: '2026-03-02', end: '2026-03-16', members: 2 },
        {
          name: 'subseasonal',
          init_time: '2026-02-27T00:00:00Z',
          start: '2026-03-02',
          end: '2026-04-12',
          members: 2,
          hand_over: '2026-03-14',
        },
        {
          name: 'seasonal',
          init_time: '2026-03-01T00:00:00Z',
          start: '2026-03-02',
          end: '2026-05-01',
          members: 2,
          hand_over: '2026-04-06',
        },
      ],
    });
  });

  it('returns a single table unchanged, also of one member', () => {
    const one = horizon({ leads: [0, 4], members: 1 });
    const { table: found, shares } = blend(core, [one]);
    expect(membersOf(found)).toEqual({ member_00: [0, 1, 2, 3, 4] });
    expect(shares.map((share) => [...share])).toEqual([[1, 1, 1, 1, 1]]);
  });

  it('uses spans of 14, 41 and 214 leads and overlaps of 3 and 7 days for three horizons', () => {
    const three = [
      horizon({ leads: [0, 15], members: 2 }),
      horizon({ leads: [0, 45], members: 2 }),
      horizon({ leads: [-5, 230], members: 2 }),
    ];
    const { shares, pairing } = blend(core, three);
    expect(shares[0].length).toBe(215);
    expect(pairing.seams.map(({ handOver, complete }) => [handOver - today, complete - today])).toEqual([
      [12, 15],
      [35, 42],
    ]);
    expect(pairing.horizons.map(({ name }) => name)).toEqual(['short-term', 'subseasonal', 'seasonal']);
  });

  it('uses all days of two or of four horizons', () => {
    const leads: [number, number][] = [
      [0, 20],
      [15, 50],
      [40, 300],
      [290, 400],
    ];
    const tables = leads.map((span) => horizon({ leads: span, members: 2 }));
    expect(blend(core, tables.slice(0, 2)).shares[0].length).toBe(51);
    expect(blend(core, tables).shares[0].length).toBe(401);
  });

  it('names horizons as in their metadata where these differ', () => {
    const named = (...names: string[]) => {
      const tables = names.map((name, h) =>
        horizon({ leads: [0, 5 + h], members: 2, metadata: name === '' ? {} : { horizon: name } }),
      );
      return blend(core, tables).pairing.horizons.map(({ name }) => name);
    };
    expect(named('gefs', 'seas5')).toEqual(['gefs', 'seas5']);
    expect(named('seasonal', 'seasonal')).toEqual(['horizon 1', 'horizon 2']);
    expect(named('seasonal', '', '')).toEqual(['short-term', 'subseasonal', 'seasonal']);
  });

  it('pairs a member that ends early with what is left, and keeps it with missing days', () => {
    const control = horizon({ leads: [0, 9], members: 3, value: (m, lead) => (m === 0 && lead > 5 ? null : m + lead) });
    const later = horizon({ leads: [5, 14], members: 3, value: (m, lead) => 100 + m + lead });
    const { table: found } = blend(core, [control, later]);
    const { member_00: first, member_01: second } = membersOf(found);
    // Missing on its missing days until it switches; then it continues as the member that neither of the others is like.
    expect(first.slice(0, 7)).toEqual([0, 1, 2, 3, 4, 5, Number.NaN]);
    expect(first.slice(10)).toEqual([111, 112, 113, 114, 115]);
    expect(second.slice(10)).toEqual([110, 111, 112, 113, 114]);
    const long31 = horizon({
      leads: [0, 34],
      members: 31,
      value: (m, lead) => (m === 0 && lead > 16 ? null : m + lead),
    });
    const alone = membersOf(blend(core, [horizon({ leads: [0, 9], members: 31 }), long31]).table);
    const missing = Object.values(alone).filter((values) => values.slice(17).every(Number.isNaN));
    expect(missing.length).toBe(1);
  });

  it('makes days that no horizon has missing where gaps are kept', () => {
    const later = horizon({ leads: [7, 9], members: 4 });
    const { table: found, shares } = blend(core, [short, later], { keepGaps: true });
    expect(membersOf(found).member_01).toEqual([100, 101, 102, 103, 104, Number.NaN, Number.NaN, 107, 108, 109]);
    expect(shares.map((share) => [share[5], share[6], share[7]])).toEqual([
      [0, 0, 0],
      [0, 0, 1],
    ]);
  });

  it('is Float32 where all tables are, else Float64', () => {
    const type = new Float32();
    const typeOf = (...types: (Float32 | undefined)[]) => {
      const tables = types.map((one, h) => horizon({ leads: [0, 4 + h], members: 2, type: one }));
      return readEnsemble(blend(core, tables).table).parts[0].field.type;
    };
    expect(typeOf(type, type)).toBe('float32');
    expect(typeOf(type, undefined)).toBe('float64');
  });

  it('treats calendars with real dates as one, and takes variable and unit from any table that states them', () => {
    const of = (leads: [number, number], metadata: Record<string, string>) => horizon({ leads, members: 2, metadata });
    const { table: found } = blend(core, [
      of([0, 4], {}),
      of([0, 6], { calendar: 'proleptic_gregorian', variable: 'precipitation' }),
      of([0, 8], { calendar: 'Gregorian', units: 'mm/day' }),
    ]);
    expect(found.schema.metadata.get('variable')).toBe('precipitation');
    expect(found.schema.metadata.get('units')).toBe('mm');
  });

  it('knows the place of a value in the input, for the messages of statistics', () => {
    const infinite = horizon({
      leads: [2, 19],
      members: 4,
      value: (m, lead) => (m === 1 && lead === 18 ? -1 / 0 : m + lead),
    });
    const { field, pairing } = blend(core, [short, infinite], { sources: ['a.csv', 'b.csv'] });
    const trajectory = [...pairing.seams[0].member].indexOf(1);
    expect(field.place?.(trajectory, 18)).toEqual({ source: 'b.csv', row: 17, column: 'run_1' });
    expect(field.place?.(trajectory, 1)).toEqual({ source: 'a.csv', row: 2, column: `run_${trajectory}` });
  });

  it('creates a table that statistics reads', () => {
    const found = statistics(core, blend(core, [short, long]).table, { variable: 'temp_mean', quantiles: [0.5] });
    expect(found.numRows).toBe(10);
    expect([0, 9].map((row) => found.getChild('mean')?.get(row))).toEqual([150, 1159]);
  });
});

describe('pairMembers', () => {
  it('pairs as blend does', () => {
    const { pairing } = blend(core, [short, long], { overlaps: [2] });
    expect(pairMembers(core, [short, long], { overlaps: [2] })).toEqual(pairing);
  });
});

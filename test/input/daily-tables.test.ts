import { type Table, TimestampMillisecond, tableFromIPC, tableToIPC } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dailyTables } from '../../src/input/table-ensembles.js';
import type { DailyTableOptions } from '../../src/table/daily/daily-options.js';
import { dailyTable } from '../../src/table/daily/index.js';
import { findVariable } from '../../src/variable/find-variable.js';
import { table, typed } from '../table/tables.js';
import { collected, cutTable, failureOf, rowsOf } from './location-tables.js';

const FIRST = Date.UTC(2024, 0, 5);
const options: DailyTableOptions = { variable: findVariable('temp_mean'), units: 'K', source: 'rain.csv' };

interface Steps {
  /** For each place the first time, in steps of six hours from 2024-01-05, and the number of times. */
  readonly places: readonly (readonly [number, number])[];
  readonly order: 'by location' | 'by time' | 'long';
}

/** Six-hourly temperatures of two members. */
function stepsOf({ places, order }: Steps): Table {
  const rows = places.flatMap(([first, count], place) =>
    Array.from({ length: count }, (_, i) => ({ place, time: FIRST + (first + i) * 21_600_000 })),
  );
  if (order === 'by time') rows.sort((a, b) => a.time - b.time || a.place - b.place);
  const long = order === 'long' ? rows.flatMap((row) => [row, row]) : rows;
  const value = (row: number) => (row % 11 === 4 ? null : 280 + ((row * 37) % 101) / 7);
  const columns = {
    latitude: long.map(({ place }) => 50 - place),
    longitude: long.map(() => 8),
    time: typed(
      new TimestampMillisecond(),
      long.map(({ time }) => time),
    ),
  };
  if (order === 'long')
    return table({ ...columns, member: long.map((_, i) => i % 2), value: long.map((_, i) => value(i)) });
  return table({ ...columns, m1: long.map((_, i) => value(i)), m2: long.map((_, i) => value(i + 5)) });
}

/** Tables in memory that is used for something else when the next one is read. */
async function* inTurn(tables: readonly Table[]) {
  for (const each of tables) {
    const bytes = tableToIPC(each, 'stream');
    yield tableFromIPC(bytes);
    bytes.fill(0x55);
  }
}
/** The rows of the daily tables, and what was done to them. */
async function streamed(tables: readonly Table[], requested = options) {
  const daily = await dailyTables(inTurn(tables), requested, { areViews: true });
  const made = [];
  for await (const each of daily.tables) made.push(tableFromIPC(tableToIPC(each, 'stream')));
  return { made, notes: daily.shown.notes, columns: daily.columns };
}

describe('daily tables of a stream of tables', () => {
  const examples = fc.record({
    places: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 1, max: 14 })), { minLength: 1, maxLength: 5 }),
    order: fc.constantFrom<Steps['order'][]>('by location', 'by time', 'long'),
  });

  it('equal those of the complete table, wherever it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(examples, fc.array(fc.nat(80), { maxLength: 6 }), async (made, at) => {
        // Two rows cannot show that rows go by time where places begin at different times.
        const places = made.places.map(([first, count]) => [made.order === 'by time' ? 0 : first, count] as const);
        const whole = stepsOf({ ...made, places });
        fc.pre(whole.numRows > 3 && places[0][1] > 2);
        const expected = await failureOf(() => dailyTable(whole, options));
        const cut = cutTable(whole, at);
        if (expected === 'no error') {
          const { made: found, notes } = await streamed(cut);
          const { table: daily, conversions } = dailyTable(whole, options);
          expect(rowsOf(found)).toEqual(rowsOf([daily]));
          expect(notes).toEqual(conversions);
        } else expect(await failureOf(() => streamed(cut))).toBe(expected);
      }),
      { numRuns: 25, seed: 20_261_121 },
    );
  });

  it.each(['since-start', undefined] as const)(
    'of daily amounts that grow (option: %s) equal those of the complete table, wherever it is divided',
    async (accumulation) => {
      const rain = { variable: findVariable('precipitation'), source: 'rain.csv', accumulation };
      const days = [5, 1, 8, 3];
      const rows = days.flatMap((count, place) => Array.from({ length: count }, (_, day) => ({ place, day })));
      const columns = {
        latitude: rows.map(({ place }) => 50 - place),
        longitude: rows.map(() => 8),
        time: typed(
          new TimestampMillisecond(),
          rows.map(({ day }) => FIRST + day * 86_400_000),
        ),
        m1: rows.map(({ day }) => day * (day + 1)),
        m2: rows.map(({ place, day }) => place * day),
      };
      const whole = table(columns, accumulation === undefined ? { GRIB_startStep: '0' } : {});
      const { table: daily, conversions } = dailyTable(whole, rain);
      expect(conversions.join()).toContain('amounts since the start of the run');
      expect(daily.numRows).toBeGreaterThan(10);
      for (let at = 1; at < whole.numRows; at++) {
        const { made, notes } = await streamed(cutTable(whole, [at, 2 * at]), rain);
        expect(rowsOf(made)).toEqual(rowsOf([daily]));
        expect(notes).toEqual(conversions);
      }
    },
  );

  it('come location by location if rows do', async () => {
    const places = Array.from({ length: 4 }, () => [0, 8] as const);
    const { made } = await streamed(cutTable(stepsOf({ places, order: 'by location' }), [9, 12, 20]));
    expect(made.map(({ numRows }) => numRows)).toEqual([2, 2, 2, 2]);
  });

  it('are passed on unchanged if values are daily and in the unit of their variable', async () => {
    const days = table({ date: ['2024-01-05', '2024-01-06', '2024-01-07'], t2m: [1, 2, 3] }, { units: 'degC' });
    const { made, notes, columns } = await streamed(cutTable(days, [2]), { columns: { date: 'date' } });
    expect(made.map(({ numRows }) => numRows)).toEqual([2, 1]);
    expect([notes, columns]).toEqual([[], { date: 'date' }]);
  });

  it('are converted one by one if they are in other units, which must not change between tables', async () => {
    const of = (units: string) => table({ date: ['2024-01-05', '2024-01-06'], t2m: [280, 290], units: [units, units] });
    const { made, notes } = await streamed([of('K'), of('kelvin')], {});
    expect(rowsOf(made)).toEqual(rowsOf([dailyTable(of('K')).table, dailyTable(of('K')).table]));
    expect(notes).toEqual(['K to degC']);
    expect(await failureOf(() => streamed([of('K'), of('degC')], { source: 'rain.csv' }))).toBe(
      'DataError: rain.csv, row 3, column units: mixed units; received "degC"; allowed: K, as in the rows before: convert it, no option does',
    );
  });

  it('count rows in errors over the stream', async () => {
    const places = [
      [0, 8],
      [0, 8],
      [0, 8],
    ] as const;
    const whole = stepsOf({ places, order: 'by location' });
    (whole.getChild('m2')?.data[0].values as Float64Array)[19] = Number.POSITIVE_INFINITY;
    const expected = await failureOf(() => dailyTable(whole, options));
    expect(expected).toMatch('rain.csv, row 20, column m2: infinite value');
    for (const at of [[], [5], [9, 17], [19, 21]])
      expect(await failureOf(() => streamed(cutTable(whole, at)))).toBe(expected);
  });

  it('close their source if the caller stops early, or the first table cannot be read', async () => {
    let closed = 0;
    async function* source(first: Table) {
      try {
        yield first;
        yield first;
      } finally {
        closed++;
      }
    }
    const hooks = { areViews: false, report: () => {} };
    const days = table({ date: ['2024-01-05', '2024-01-06'], t2m: [1, 2] });
    const { tables } = await dailyTables(source(days), {}, hooks);
    for await (const _ of tables) break;
    await failureOf(() => dailyTables(source(table({ date: ['2024-01-05'], name: ['a'] })), {}, hooks));
    expect(closed).toBe(2);
    expect(await collected((await dailyTables(inTurn([]), {}, hooks)).tables)).toEqual([]);
  });
});

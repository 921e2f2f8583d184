import {
  Table as ArrowTable,
  type Float64,
  makeData,
  RecordBatch,
  Struct,
  type Table,
  tableFromIPC,
  tableToIPC,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { ensemblesOfTables, TableCollector } from '../../src/input/table-ensembles.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../../src/statistics/options.js';
import { statistics } from '../../src/statistics/statistics.js';
import { StatisticsRun } from '../../src/statistics/statistics-plan.js';
import { daysFrom, table } from '../table/tables.js';
import {
  collected,
  cutTable,
  failureOf,
  type LocationTableOptions,
  locationTable,
  locationTables,
  rowsOf,
} from './location-tables.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const granularities = fc.constantFrom('daily' as const, 'weekly' as const, 'monthly' as const);
const cuts = fc.array(fc.nat(120), { maxLength: 8 });

/** Tables in memory that is used for something else when the next one is read. */
async function* inTurn(tables: readonly Table[]) {
  for (const each of tables) {
    const bytes = tableToIPC(each, 'stream');
    yield tableFromIPC(bytes);
    bytes.fill(0x55);
  }
}
const streamed = (tables: readonly Table[], options: StatisticsOptions = {}) =>
  collected(statisticsInTurn(tables, checkStatisticsOptions(options)));

async function* statisticsInTurn(tables: readonly Table[], checked: CheckedStatisticsOptions) {
  const run = new StatisticsRun(core, checked);
  const collect = () => new TableCollector(undefined, true);
  for await (const { ensemble } of ensemblesOfTables(inTurn(tables), checked, { collect })) yield* run.add(ensemble);
  yield* run.end();
}

const three: LocationTableOptions = {
  seed: 1,
  spans: [
    [0, 14],
    [0, 14],
    [3, 9],
  ],
  form: 'wide',
  values: 'float32',
  coordinates: 'float64',
  gaps: 0,
  nulls: 0.1,
};

describe('statistics of a stream of tables', () => {
  it('equal those of the complete table, to the last bit, wherever it is divided', async () => {
    await fc.assert(
      fc.asyncProperty(locationTables, cuts, granularities, fc.boolean(), async (made, at, granularity, partial) => {
        const whole = locationTable(made);
        const options = { granularity, partial, spread: true, thresholds: ['>10'] };
        const parts = await streamed(cutTable(whole, at), options);
        expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, whole, options)]));
      }),
      { numRuns: 25, seed: 20_261_121 },
    );
  });

  it('are the same for a division at any row, and for tables of a single row', async () => {
    const whole = locationTable(three);
    const expected = rowsOf([statistics(core, whole, { granularity: 'weekly', partial: true })]);
    for (let row = 2; row < whole.numRows; row++) {
      const parts = await streamed(cutTable(whole, [row]), { granularity: 'weekly', partial: true });
      expect(rowsOf(parts)).toEqual(expected);
    }
    const every = Array.from({ length: whole.numRows }, (_, row) => row);
    expect(rowsOf(await streamed(cutTable(whole, every), { granularity: 'weekly', partial: true }))).toEqual(expected);
  });

  it('are the same for a single series without coordinates', async () => {
    const whole = table(
      { date: daysFrom('2026-01-05', 30), m1: Array.from({ length: 30 }, (_, i) => i), m2: Array(30).fill(2) },
      { variable: 'precipitation', latitude: '37.3', longitude: '-80.1' },
    );
    const parts = await streamed(cutTable(whole, [3, 4, 19]), { granularity: 'weekly' });
    expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, whole, { granularity: 'weekly' })]));
  });

  it('are a table without rows if no window is complete', async () => {
    const whole = locationTable({
      ...three,
      spans: [
        [1, 3],
        [1, 3],
      ],
    });
    const parts = await streamed(cutTable(whole, [4]), { granularity: 'monthly' });
    expect(rowsOf(parts)).toEqual(rowsOf([statistics(core, whole, { granularity: 'monthly' })]));
    expect(parts.map(({ numRows }) => numRows)).toEqual([0]);
  });

  it('share one growing dictionary if locations cover different days', async () => {
    const whole = locationTable({
      ...three,
      spans: [
        [0, 2],
        [5, 2],
        [1, 3],
      ],
      nulls: 0,
    });
    const parts = await streamed(cutTable(whole, [2, 4]));
    const texts = parts.map((part) => part.getChild('period')?.data[0].dictionary?.toArray() as string[]);
    expect(texts.map((all) => Array.from(all))).toEqual([
      ['2026-01-01', '2026-01-02'],
      ['2026-01-01', '2026-01-02', '2026-01-06', '2026-01-07'],
      ['2026-01-01', '2026-01-02', '2026-01-06', '2026-01-07', '2026-01-03', '2026-01-04'],
    ]);
  });
});

describe('errors in a stream of tables', () => {
  const change = (source: Table, name: string, row: number, value: number | null): Table => {
    const [batch] = source.batches;
    const children = batch.data.children.map((data, i) => {
      if (source.schema.fields[i].name !== name) return data;
      if (name === 'date' && value !== null) {
        const days = (data.values as Int32Array).slice();
        days[row] = value < 0 ? days[row + value] : value;
        return makeData({ type: data.type, data: days } as never);
      }
      const cells = [...(source.getChild(name) as Iterable<number | null>)];
      cells[row] = value;
      return vectorFromArray(cells, data.type as Float64).data[0];
    });
    const struct = makeData({
      type: new Struct(source.schema.fields),
      length: batch.numRows,
      nullCount: 0,
      children: children as never,
    });
    return new ArrowTable(source.schema, [new RecordBatch(source.schema, struct)]);
  };
  const faults = {
    'a day that comes twice': ['date', -1],
    'a day out of order': ['date', 0],
    'a day of another century': ['date', 100_000],
    'an infinite value': ['m01', Number.POSITIVE_INFINITY],
    'a latitude out of range': ['latitude', 97],
    'a missing coordinate': ['longitude', null],
    'a location that comes again': ['latitude', 37.3],
  } as const;

  it.each(Object.entries(faults))(
    'of %s are those of the whole table, its row counted over the stream',
    async (_, [name, value]) => {
      const whole = locationTable({ ...three, nulls: 0 });
      for (const row of [1, 5, 13, 15, 20, 28, 33, 36]) {
        const faulty = change(whole, name, row, value);
        const expected = await failureOf(() => statistics(core, faulty));
        for (const at of [[], [row], [row + 1], [row - 1], [3, 9, 14, 22, 30], [7, row, row + 1]]) {
          expect(await failureOf(() => streamed(cutTable(faulty, at))), `row ${row}, cut at ${at}`).toBe(expected);
        }
      }
    },
  );

  it('name the difference between two rows of one day, also across tables', async () => {
    const date = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-07', '2026-01-08'];
    const whole = table(
      { date, run: ['00Z', '00Z', '00Z', '06Z', '06Z'], m1: [1, 2, 3, 4, 5], m2: [2, 3, 4, 5, 6] },
      { variable: 'precipitation' },
    );
    const expected = await failureOf(() => statistics(core, whole));
    expect(expected).toMatch('row 4, column date: day given twice, in rows that differ in run');
    for (const row of [2, 3, 4]) expect(await failureOf(() => streamed(cutTable(whole, [row])))).toBe(expected);
  });

  it('say that tables have several variables or units', async () => {
    const of = (variable: string, units: string, first: string) =>
      table({
        date: daysFrom(first, 3),
        variable: Array(3).fill(variable),
        units: Array(3).fill(units),
        m1: [1, 2, 3],
        m2: [2, 3, 4],
      });
    const rain = of('precipitation', 'mm', '2026-01-01');
    expect(await failureOf(() => streamed([rain, of('temp_mean', 'degC', '2026-01-04')], { source: 'a.arrow' }))).toBe(
      'OptionError: a.arrow, variable: the table holds several; received "precipitation, temp_mean"; allowed: one of them, by the option variable',
    );
  });
});

describe('rows that have to be read together', () => {
  const byDay = table(
    {
      latitude: [1, 2, 1, 2],
      longitude: [0, 0, 0, 0],
      date: ['2026-01-01', '2026-01-01', '2026-01-02', '2026-01-02'],
      m1: [1, 2, 3, 4],
      m2: [2, 3, 4, 5],
    },
    { variable: 'precipitation' },
  );

  it('give no statistics without a collector', async () => {
    const options = checkStatisticsOptions({});
    const found = ensemblesOfTables(inTurn([byDay]), options);
    expect(await found.next()).toEqual({ done: true, value: undefined });
  });
});

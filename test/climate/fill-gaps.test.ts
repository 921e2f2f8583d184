import { Float64, type Table, type Vector } from 'apache-arrow';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillGaps } from '../../src/climate/index.js';
import { type Core, loadCore } from '../../src/core/load.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { formatDate } from '../../src/period/day.js';
import { statistics } from '../../src/statistics/statistics.js';
import { readEnsemble } from '../../src/table/rows/read-ensemble.js';
import { findVariable } from '../../src/variable/index.js';
import { holds } from '../property/fuzz.js';
import { type FilledDay, type Series, twinFillGaps } from '../reference/fill-gaps.js';
import { dates, daysFrom, float32, messageOf, read, table, typed } from '../table/tables.js';

const rain = { variable: 'precipitation', units: 'mm' };

/** Rain from a day on, at one place without coordinates. */
function source(name: string, first: string, ...values: (number | null)[]) {
  return { name, table: table({ date: daysFrom(first, values.length), value: typed(new Float64(), values) }, rain) };
}

const column = (result: Table, name: string) => [...(result.getChild(name) as Vector)];
const dayNumbers = (result: Table): number[] => [...(result.getChild('date') as Vector).data[0].values];

describe('fillGaps', () => {
  it('takes each day from the first source that has it, and names that source', () => {
    const filled = fillGaps([
      source('reanalysis', '2024-01-01', 1, null, 3),
      source('analysis', '2024-01-02', 20, 30, 40, null),
      source('forecast', '2024-01-05', 500, 600),
    ]);
    expect(column(filled, 'value')).toEqual([1, 20, 3, 40, 500, 600]);
    expect(column(filled, 'origin')).toEqual([
      'reanalysis',
      'analysis',
      'reanalysis',
      'analysis',
      'forecast',
      'forecast',
    ]);
  });

  it('has every day from the first to the last of any source, null where none has a value', () => {
    const filled = fillGaps([source('a', '2024-01-05', 5), source('b', '2024-01-01', 1, null)]);
    expect(dayNumbers(filled)).toEqual([19_723, 19_724, 19_725, 19_726, 19_727]);
    expect(column(filled, 'value')).toEqual([1, null, null, null, 5]);
    expect(column(filled, 'origin')).toEqual(['b', null, null, null, 'a']);
  });

  it('treats NaN as a missing value', () => {
    const filled = fillGaps([source('a', '2024-01-01', Number.NaN, 2), source('b', '2024-01-01', 10, 20)]);
    expect(column(filled, 'value')).toEqual([10, 2]);
  });

  it('fills each location separately, for any order of locations', () => {
    const at = (latitude: number[], values: (number | null)[]) =>
      table({ latitude, longitude: [5, 5], date: dates('2024-01-01', '2024-01-01'), value: values }, rain);
    const filled = fillGaps([
      { name: 'a', table: at([60, 50], [1, null]) },
      { name: 'b', table: at([50, 60], [10, 20]) },
    ]);
    expect(column(filled, 'latitude')).toEqual([60, 50]);
    expect(column(filled, 'value')).toEqual([1, 10]);
    expect(column(filled, 'origin')).toEqual(['a', 'b']);
  });

  it('keeps metadata that are the same in all sources, with the variable and its units', () => {
    const one = (name: string, version: string) => ({
      name,
      table: table({ date: daysFrom('2024-01-01', 1), 'precip (mm)': [1] }, { attribution: 'x', version }),
    });
    const filled = fillGaps([one('a', '1'), one('b', '2')]);
    expect(Object.fromEntries(filled.schema.metadata)).toEqual({ ...rain, attribution: 'x' });
  });

  it('is Float32 where all sources are, else Float64', () => {
    const single = { name: 'a', table: table({ date: daysFrom('2024-01-01', 1), value: float32(0.1) }, rain) };
    expect(fillGaps([single]).getChild('value')?.toArray()).toEqual(Float32Array.of(0.1));
    const mixed = fillGaps([single, source('b', '2024-01-02', 0.1)]);
    expect(column(mixed, 'value')).toEqual([Math.fround(0.1), 0.1]);
  });
});

describe('a filled history', () => {
  let core: Core;
  beforeAll(async () => {
    core = await loadCore();
  });

  const filled = fillGaps([
    source('reanalysis', '2024-01-01', 1, 2, null, 4, 5, 6, 7),
    source('analysis', '2024-01-03', 3, 0, 0, 0, 0, null, 9),
  ]);

  it('is read as a single series, directly and from Arrow, Parquet and CSV', async () => {
    const values = [1, 2, 3, 4, 5, 6, 7, Number.NaN, 9];
    for (const format of ['arrow', 'parquet', 'csv'] as const) {
      const written = await readTable(await encodeTable(filled, format));
      const [part] = read(written, { variable: findVariable('precipitation') }).parts;
      expect(part.firstDay).toBe(19_723);
      expect(part.members).toEqual({ value: values });
      expect(column(written, 'origin').slice(1, 4)).toEqual(['reanalysis', 'analysis', 'reanalysis']);
    }
    const { variable, units } = readEnsemble(filled);
    expect([variable?.slug, units]).toEqual(['precipitation', 'mm']);
    expect(read(filled).parts[0].members).toEqual({ value: values });
  });

  it('has window statistics', () => {
    const weeks = statistics(core, filled, { granularity: 'weekly' });
    expect(column(weeks, 'period')).toEqual(['2024-W01']);
    expect(column(weeks, 'mean')).toEqual([28]);
  });
});

describe('fillGaps keeps its promises', () => {
  const value = fc.option(fc.integer({ min: 0, max: 500 }), { freq: 3 });
  const series: fc.Arbitrary<Series> = fc
    .tuple(fc.integer({ min: 19_700, max: 19_715 }), fc.array(value, { minLength: 1, maxLength: 20 }))
    .map(([first, values]) => new Map(values.map((x, i) => [first + i, x])));
  const several = fc.array(series, { minLength: 1, maxLength: 4 });

  const named = (list: readonly Series[]) => list.map((days, i) => ({ name: `source ${i}`, series: days }));
  const fill = (sources: { name: string; series: Series }[]) => rowsOf(fillGaps(sources.map(toSource)));

  holds('equals its twin', 200, several, (list) => {
    expect(fill(named(list))).toEqual(twinFillGaps(named(list)));
  });

  holds('keeps every value of the first source, and says so', 200, several, (list) => {
    const filled = fill(named(list));
    for (const [day, x] of list[0]) {
      if (x !== null) expect(filled).toContainEqual({ day, value: x, origin: 'source 0' });
    }
  });

  holds('changes nothing where a history is filled from itself', 100, series, (days) => {
    expect(fill(named([days, days]))).toEqual(fill(named([days])));
  });

  holds('has a value on a day where any source has one', 100, several, (list) => {
    for (const { day, value: x } of fill(named(list))) {
      expect(x !== null).toBe(list.some((days) => (days.get(day) ?? null) !== null));
    }
  });

  it('and does not change its sources', () => {
    const first = source('a', '2024-01-01', 1, null);
    fillGaps([first, source('b', '2024-01-01', 10, 20)]);
    expect(column(first.table, 'value')).toEqual([1, null]);
  });

  function toSource({ name, series: days }: { name: string; series: Series }) {
    const date = dates(...[...days.keys()].map((day) => formatDate(day)));
    return { name, table: table({ date, value: typed(new Float64(), [...days.values()]) }, rain) };
  }

  function rowsOf(filled: Table): FilledDay[] {
    const [values, origins] = [column(filled, 'value'), column(filled, 'origin')];
    return dayNumbers(filled).map((day, i) => ({ day, value: values[i], origin: origins[i] }));
  }
});

describe('fillGaps rejects', () => {
  const one = source('a', '2024-01-01', 1);

  it('an empty list', () => {
    expect(messageOf(() => fillGaps([]))).toBe(
      'OptionError sources: none given; received "an empty list"; allowed: a list of { name, table }, the preferred one first',
    );
  });

  it('a name that is empty or occurs twice', () => {
    expect(messageOf(() => fillGaps([one, { ...one }]))).toBe(
      'OptionError source 2: has the name of another one; received "a"; allowed: a different name for each source',
    );
    expect(messageOf(() => fillGaps([{ ...one, name: '' }]))).toMatch(/^OptionError source 1: has no name/);
    expect(messageOf(() => fillGaps([{ name: 'a' }] as never))).toMatch(/^OptionError a, table: cannot be used/);
    expect(messageOf(() => fillGaps(one.table as never))).toMatch(/^OptionError sources: none given/);
    expect(messageOf(() => fillGaps([one], { variabel: 'precipitation' } as never))).toMatch(/the nearest is variable/);
  });

  it('another variable, or an unknown one', () => {
    const other = (metadata: Record<string, string>) => ({
      name: 'b',
      table: table({ date: daysFrom('2024-01-01', 1), value: [1] }, metadata),
    });
    expect(messageOf(() => fillGaps([one, other({ variable: 'temp_mean', units: 'degC' })]))).toBe(
      'DataError b: another variable; received "temp_mean"; allowed: precipitation, as in a',
    );
    expect(messageOf(() => fillGaps([one, other({})]))).toMatch(
      /^DataError b: another variable; received "none that is known"; allowed: precipitation, as in a; or the variable named for all$/,
    );
    expect(column(fillGaps([one, other({})], { variable: 'precipitation' }), 'value')).toEqual([1]);
  });

  it('other units', () => {
    const named = (name: string, units: string) => ({
      name,
      table: table({ date: daysFrom('2024-01-01', 1), value: [1] }, { units }),
    });
    expect(messageOf(() => fillGaps([named('a', 'hPa'), named('b', 'kPa')]))).toBe(
      'DataError b: another unit; received "kPa"; allowed: hPa, as in a',
    );
  });

  it('other locations', () => {
    const at = (name: string, latitude: number) => ({
      name,
      table: table({ latitude: [latitude], longitude: [0], date: daysFrom('2024-01-01', 1), value: [1] }, rain),
    });
    expect(messageOf(() => fillGaps([at('a', 50), at('b', 51)]))).toMatch(/^DataError b: other locations/);
  });

  it('a source of several members', () => {
    const wide = table({ date: daysFrom('2024-01-01', 1), member_00: [1], member_01: [2] }, rain);
    expect(messageOf(() => fillGaps([one, { name: 'b', table: wide }]))).toBe(
      'DataError b: has several members; received 2; allowed: one value a day: a history, not an ensemble',
    );
  });

  it('an infinite value, naming its place', () => {
    expect(messageOf(() => fillGaps([one, source('b', '2024-01-01', 1, Infinity)]))).toMatch(
      /^DataError b, row 2, column value: infinite value; received Infinity/,
    );
  });
});

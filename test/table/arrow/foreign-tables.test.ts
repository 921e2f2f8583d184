import * as own from 'apache-arrow';
import * as version15 from 'apache-arrow-15';
import * as version18 from 'apache-arrow-18';
import * as copy from 'apache-arrow-21';
import { describe, expect, it } from 'vitest';
import { blend, deriveVariable } from '../../../src/blend/index.js';
import { climatology, climatologyTable, fillGaps, readClimatology } from '../../../src/climate/index.js';
import { loadCore } from '../../../src/core/load.js';
import { demoTable } from '../../../src/demo/index.js';
import { resultCube } from '../../../src/files/cf/content/table-results.js';
import { tableNetcdf } from '../../../src/files/cf/table-ensemble.js';
import { encodeTable, readTable } from '../../../src/files/index.js';
import { memberWindows, statistics } from '../../../src/index.js';
import { streamStatistics } from '../../../src/input/stream-statistics.js';
import { statisticsJson } from '../../../src/respond/v2/statistics-json.js';
import { isMadeBy, ownTable } from '../../../src/table/arrow/own-table.js';
import { dailyTable } from '../../../src/table/daily/index.js';
import { columnsOf, typesOf } from '../../files/table-rows.js';

/** Copies of apache-arrow that know nothing of ours: two other major versions, and the same one once more. */
const copies = { 'version 15': version15, 'version 18': version18, 'another copy': copy } as unknown as Record<
  string,
  typeof own
>;
const names = Object.keys(copies);

const core = await loadCore();
const run = {
  days: 20,
  members: 5,
  locations: [
    { latitude: 37.25, longitude: -80 },
    { latitude: 40, longitude: 10 },
  ],
};
const rain = demoTable('precipitation', run);
const past = demoTable('temp_mean', { ...run, initDate: 8400, days: 3 * 366, members: 1 });
const temperature = demoTable('temp_mean', run);
const kelvin = new own.Table(
  new own.Schema(temperature.schema.fields, new Map(temperature.schema.metadata).set('units', 'K')),
  temperature.batches,
);
const humidity = demoTable('relative_humidity', run);

/** The same rows, made by another copy. */
function foreign(name: string, table: own.Table): own.Table {
  return copies[name].tableFromIPC(own.tableToIPC(table));
}

/** All cells, those of lists and structs as text. */
function cellsOf(table: own.Table) {
  const plain = (cell: unknown) => (typeof cell === 'object' && cell !== null ? String(cell) : cell);
  return Object.entries(columnsOf(table)).map(([name, cells]) => [name, cells.map(plain)]);
}

function rowsOf(tables: own.Table | readonly own.Table[]) {
  return [tables].flat().map((table) => {
    // Of this copy, so that the program's own functions can do something with it.
    expect(isMadeBy(own.Table, table)).toBe(true);
    return [typesOf(table), cellsOf(table), [...table.schema.metadata]];
  });
}

const weekly = { granularity: 'weekly', thresholds: ['>5'], quantiles: [0.1, 0.5] } as const;
const reference = { reference: '1993-1994', quantiles: [0.9], granularity: 'monthly' } as const;

type Convert = (table: own.Table) => own.Table;
const computations: Record<string, (of: Convert) => own.Table | own.Table[] | Promise<own.Table | own.Table[]>> = {
  statistics: (of) => statistics(core, of(rain), weekly),
  'member windows': (of) => memberWindows(core, of(rain), { granularity: 'weekly' }),
  blending: (of) =>
    blend(core, [of(rain), of(demoTable('precipitation', { ...run, initDate: 20_521 }))], { overlaps: [2] }).table,
  'a climatology': (of) => climatologyTable(climatology(core, of(past), reference)),
  'a climatology that is read': (of) =>
    climatologyTable(readClimatology(of(climatologyTable(climatology(core, past, reference))))),
  'statistics against a climatology': (of) =>
    statistics(core, of(temperature), {
      anomaly: true,
      granularity: 'monthly',
      partial: true,
      climatology: climatology(core, of(past), reference),
    }),
  'a derived variable': (of) =>
    deriveVariable('dew_point', { temp_mean: of(temperature), relative_humidity: of(humidity) }),
  'filled gaps': (of) => fillGaps([{ name: 'a', table: of(past) }]),
  'daily values in other units': (of) => dailyTable(of(kelvin)).table,
  'statistics of batches': async (of) => {
    const tables = [];
    for await (const table of streamStatistics(core, of(rain).batches, weekly)) tables.push(table);
    return tables;
  },
};

describe.each(names)('tables of %s of apache-arrow', (name) => {
  it.each(Object.keys(computations))('give %s as tables of ours do', async (what) => {
    const expected = rowsOf(await computations[what]((table) => table));
    expect(rowsOf(await computations[what]((table) => foreign(name, table)))).toEqual(expected);
  });

  it('are written in all formats as tables of ours are', async () => {
    const table = statistics(core, rain, weekly);
    for (const format of ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'] as const) {
      const expected = await encodeTable(table, format);
      expect(Buffer.compare(await encodeTable(foreign(name, table), format), expected), format).toBe(0);
    }
    const onePlace = statistics(core, rain, { ...weekly, point: { latitude: 40, longitude: 10 } });
    expect(statisticsJson(foreign(name, onePlace))).toEqual(statisticsJson(onePlace));
    const results = resultCube(table);
    const others = resultCube(foreign(name, table));
    expect(others.columns).toEqual(results.columns);
    results.columns.forEach((_, i) => {
      expect(others.read(i, 0, results.windows.count)).toEqual(results.read(i, 0, results.windows.count));
    });
    expect(tableNetcdf(foreign(name, rain)).attributes).toEqual(tableNetcdf(rain).attributes);
  });

  it('are converted without copying values, with their types, nulls, chunks, slices and dictionaries', async () => {
    const { Table, vectorFromArray, makeVector, ...types } = copies[name];
    const days = [0, 1, 2, 3].map((i) => new Date(Date.UTC(2026, 2, 2 + i)));
    const given = new Table({
      date: vectorFromArray(days, new types.DateDay()),
      instant: vectorFromArray(days, new types.DateMillisecond()),
      time: vectorFromArray(days, new types.TimestampMicrosecond('UTC')),
      second: vectorFromArray(days, new types.TimestampSecond()),
      name: vectorFromArray(['rain', null, 'snow', 'rain']),
      text: vectorFromArray(['a', null, 'c', 'd'], new types.Utf8()),
      half: vectorFromArray([0.5, null, -2, 1], new types.Float16()),
      single: vectorFromArray([0.1, null, 2, 1], new types.Float32()),
      double: makeVector(Float64Array.of(0.1, 2, Number.NaN, 4)),
      int: vectorFromArray([1, null, -3, 4], new types.Int16()),
      big: vectorFromArray([1n, null, -3n, 4n], new types.Int64()),
      flag: vectorFromArray([true, null, false, true]),
      list: vectorFromArray(
        [[1, 2], null, [3, 4], [5, 6]],
        new types.List(new types.Field('item', new types.Float64())),
      ),
      pair: vectorFromArray(
        [[1, 2], null, [3, 4], [5, 6]],
        new types.FixedSizeList(2, new types.Field('item', new types.Float32())),
      ),
      struct: vectorFromArray([{ a: 1 }, { a: 2 }, { a: 3 }, { a: 4 }]),
    });
    const chunked = given.concat(given).slice(1, 7);
    for (const table of [given, chunked]) {
      const taken = ownTable(table);
      expect(ownTable(table)).toBe(taken);
      expect(taken.schema.fields.map(String)).toEqual(table.schema.fields.map(String));
      expect(taken.batches.map(({ numRows }) => numRows)).toEqual(table.batches.map(({ numRows }) => numRows));
      const bytes = new copies[name].Table(table.schema, table.batches);
      expect(cellsOf(taken)).toEqual(cellsOf(own.tableFromIPC(copies[name].tableToIPC(bytes))));
      expect(taken.getChild('double')?.data[0].values.buffer).toBe(table.getChild('double')?.data[0].values.buffer);
    }
    const written = await readTable(await encodeTable(chunked, 'arrow'));
    expect(cellsOf(written)).toEqual(cellsOf(ownTable(chunked)));
    const simple = chunked.select(['date', 'time', 'name', 'text', 'half', 'double', 'int', 'flag']);
    expect(await encodeTable(simple, 'csv')).toEqual(await encodeTable(ownTable(simple), 'csv'));
    expect(columnsOf(await readTable(await encodeTable(simple, 'parquet'))).half).toEqual([null, -2, 1, 0.5, null, -2]);
  });

  it('may be mixed with tables of ours', () => {
    const both = [rain, foreign(name, demoTable('precipitation', { ...run, initDate: 20_521 }))];
    expect(blend(core, both, { overlaps: [2] }).table.numRows).toBeGreaterThan(rain.numRows);
  });
});

it.each(names)('float16 of %s gives float64, as all but float32 does', (name) => {
  const { Table, vectorFromArray, Float16, DateDay } = copies[name];
  const halves = [0.1, 0.2, 0.3].map((m) => Array.from({ length: 7 }, (_, i) => m + i));
  const days = Array.from({ length: 7 }, (_, i) => new Date(Date.UTC(2026, 2, 2 + i)));
  const table = (type: own.DataType, values: number[][]) =>
    new Table({
      date: vectorFromArray(days, new DateDay()),
      ...Object.fromEntries(values.map((of, m) => [`m0${m + 1}`, vectorFromArray(of, type)])),
    });
  const given = table(new Float16(), halves);
  const rounded = [1, 2, 3].map((m) => [...(given.getChildAt(m) as own.Vector)]);
  const found = statistics(core, given, { granularity: 'weekly', variable: 'precipitation' });
  expect(typesOf(found).mean).toBe('Float64');
  expect(columnsOf(found)).toEqual(
    columnsOf(
      statistics(core, table(new copies[name].Float64(), rounded), {
        granularity: 'weekly',
        variable: 'precipitation',
      }),
    ),
  );
});

import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  Float32,
  Float64,
  Int8,
  Int32,
  Int64,
  List,
  makeData,
  makeVector,
  Schema,
  Table,
  type Timestamp,
  TimestampMicrosecond,
  TimestampSecond,
  tableFromArrays,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataError, OptionError } from '../../src/errors.js';
import { shortestFloat32 } from '../../src/files/csv/shortest-number.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { columnsOf, typesOf } from './table-rows.js';

const timestamps = (values: bigint[], type: Timestamp) =>
  makeVector(makeData({ type, data: BigInt64Array.from(values) }));
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const statistics = new Table({
  variable: vectorFromArray(['rain, "wet"', null, '#x'], new Utf8()),
  start: vectorFromArray([day('2024-02-29'), null, day('1969-12-31')], new DateDay()),
  complete: vectorFromArray([true, false, null], new Bool()),
  n_days: vectorFromArray([7, 6, null], new Int32()),
  mean: vectorFromArray([0.1, Number.NaN, -0], new Float32()),
  q50: vectorFromArray([0.1 + 0.2, null, 1e21], new Float64()),
});
const text = async (table: Table, format: 'csv' | 'json') => new TextDecoder().decode(await encodeTable(table, format));

describe('encodeTable as CSV', () => {
  test('writes shortest numbers of each type, dates, 1 and 0, and nothing for missing values', async () => {
    expect(await text(statistics, 'csv')).toBe(
      [
        'variable,start,complete,n_days,mean,q50',
        '"rain, ""wet""",2024-02-29,1,7,0.1,0.30000000000000004',
        ',,0,6,,',
        '"#x",1969-12-31,,,0,1e+21',
        '',
      ].join('\n'),
    );
  });

  test('quotes line ends and names that need it, and nothing else', async () => {
    const table = tableFromArrays({ 'a,b': ['x\ny', 'x\ry', "it's; fine"], n: [1, 2, 3] });
    expect(await text(table, 'csv')).toBe('"a,b",n\n"x\ny",1\n"x\ry",2\nit\'s; fine,3\n');
  });

  test('writes timestamps as ISO 8601 in UTC with the decimals that they need', async () => {
    const table = new Table({
      s: timestamps([0n, -1n], new TimestampSecond()),
      us: timestamps([1_500_000n, -1n], new TimestampMicrosecond()),
    });
    expect(await text(table, 'csv')).toBe(
      's,us\n1970-01-01T00:00:00Z,1970-01-01T00:00:01.5Z\n1969-12-31T23:59:59Z,1969-12-31T23:59:59.999999Z\n',
    );
  });

  test('writes dictionary columns and whole numbers of 64 bits', async () => {
    const table = new Table({
      name: vectorFromArray(['a', null, 'b'], new Dictionary(new Utf8(), new Int8())),
      big: vectorFromArray([2n ** 53n + 1n, null, -1n], new Int64()),
    });
    expect(await text(table, 'csv')).toBe('name,big\na,9007199254740993\n,\nb,-1\n');
  });

  test('writes the rows of a slice, in every kind of column', async () => {
    const twice = new Table([...statistics.batches, ...statistics.batches]);
    const lines = (await text(twice, 'csv')).split('\n');
    expect((await text(twice.slice(1, 5), 'csv')).split('\n')).toEqual([lines[0], ...lines.slice(2, 6), '']);
  });

  test('writes a header alone for a table without rows', async () => {
    expect(await text(statistics.slice(0, 0), 'csv')).toBe('variable,start,complete,n_days,mean,q50\n');
  });

  test('writes the ends of every type of integer', async () => {
    const table = new Table({
      i8: makeVector(Int8Array.of(-128, 127)),
      u8: makeVector(Uint8Array.of(0, 255)),
      i16: makeVector(Int16Array.of(-32768, 32767)),
      u16: makeVector(Uint16Array.of(0, 65535)),
      i32: makeVector(Int32Array.of(-(2 ** 31), 2 ** 31 - 1)),
      u32: makeVector(Uint32Array.of(10, 2 ** 32 - 1)),
      i64: makeVector(BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n)),
      u64: makeVector(BigUint64Array.of(0n, 2n ** 64n - 1n)),
    });
    expect((await text(table, 'csv')).split('\n').slice(1, -1)).toEqual([
      '-128,0,-32768,0,-2147483648,10,-9223372036854775808,0',
      '127,255,32767,65535,2147483647,4294967295,9223372036854775807,18446744073709551615',
    ]);
  });

  test('writes each float32 as the text of its shortest number', async () => {
    const float = fc.oneof(
      fc.float({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ max: 2e9 }).map((m) => m / 1e4),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(float, { minLength: 1, maxLength: 300 }), async (values) => {
        const floats = Float32Array.from(values);
        const cells = (await text(new Table({ a: makeVector(floats) }), 'csv')).split('\n').slice(1, -1);
        expect(cells).toEqual(Array.from(floats, (value) => String(shortestFloat32(value))));
      }),
    );
  });

  test('writes more different dates than are remembered', async () => {
    const days = Int32Array.from({ length: 25_000 }, (_, row) => (row * 7919) % 12_000);
    const table = new Table({ day: makeVector(makeData({ type: new DateDay(), data: days })) });
    const expected = Array.from(days, (number) => new Date(number * 86_400_000).toISOString().slice(0, 10));
    expect((await text(table, 'csv')).split('\n').slice(1, -1)).toEqual(expected);
  });

  test('writes a number again where it comes in runs, with missing ones between', async () => {
    const table = new Table({ a: vectorFromArray([0.1, 0.1, null, 0.1, Number.NaN, 0.1, -0, 0, 1e21], new Float64()) });
    expect(await text(table, 'csv')).toBe('a\n0.1\n0.1\n\n0.1\n\n0.1\n0\n0\n1e+21\n');
  });

  test('writes a float64 of windows that ties with a decimal of ten digits as that one, and no other', async () => {
    const numbers = [
      0.1 + 0.2,
      1.0999999999999999,
      -0.9999999999999999,
      280 - 273.15,
      1 / 3,
      2 / 3,
      0.1000000000123456,
    ];
    const more = [99.90000000000005, 1.00000000012345, 1e22 / 3, 1.1000000000000001e-7, 123456789012.00003, 5e-324];
    const values = Float64Array.from([...numbers, ...more]);
    const lines = async (table: Table) => (await text(table, 'csv')).trim().split('\n').slice(1);
    const days = vectorFromArray(
      Array.from(values, () => 7),
      new Int32(),
    );
    const windows = new Table({ mean: vectorFromArray([...values], new Float64()), n_days: days, period: days });
    const written = await lines(windows);
    expect(written.map((line) => line.split(',')[0])).toEqual(
      [0.3, 1.1, -1, 6.85, 1 / 3, 2 / 3, 0.1000000000123456, 99.9]
        .concat([1.00000000012345, 1e22 / 3, 1.1e-7, 123456789000 + 12.00003, 5e-324])
        .map(String),
    );
    const json = await text(windows, 'json');
    expect(JSON.parse(json).map(({ mean }: { mean: number }) => String(mean))).toEqual(
      written.map((line) => line.split(',')[0]),
    );
    // In order, and nearer than what ties.
    const near = fc.tuple(fc.integer({ min: -99_999, max: 99_999 }), fc.integer({ min: -3000, max: 3000 }));
    const decimals = fc.array(near, { minLength: 2, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(decimals, async (drawn) => {
        const sorted = drawn.map(([whole, off]) => (whole / 1000) * (1 + off * 1e-15)).sort((a, b) => a - b);
        const mean = vectorFromArray(sorted, new Float64());
        const weeks = vectorFromArray(
          sorted.map(() => 7),
          new Int32(),
        );
        const read = (await lines(new Table({ mean, n_days: weeks, period: weeks }))).map((line) =>
          Number(line.split(',')[0]),
        );
        expect([...read].sort((a, b) => a - b)).toEqual(read);
        read.forEach((x, i) => {
          expect(Math.abs(x - sorted[i])).toBeLessThanOrEqual(1e-12 * Math.abs(sorted[i]));
        });
      }),
      { numRuns: 200 },
    );
    // Other tables hold data: their numbers come back bit for bit.
    expect(await lines(new Table({ mean: vectorFromArray([...values], new Float64()), n: days }))).toEqual(
      Array.from(values, (value) => `${value},7`),
    );
  });

  test('writes output of many megabytes', async () => {
    const values = Float64Array.from({ length: 300_000 }, (_, row) => row / 7);
    const lines = (await text(tableFromArrays({ a: values, b: values }), 'csv')).split('\n');
    expect(lines.length).toBe(300_002);
    expect(lines[300_000]).toBe(`${299_999 / 7},${299_999 / 7}`);
  });
});

describe('encodeTable as JSON', () => {
  test('writes an array with a row a line, null for missing values', async () => {
    const json = await text(statistics, 'json');
    expect(json.split('\n')[1]).toBe(
      '{"variable":"rain, \\"wet\\"","start":"2024-02-29","complete":true,"n_days":7,"mean":0.1,"q50":0.30000000000000004},',
    );
    expect(JSON.parse(json)[1]).toEqual({
      variable: null,
      start: null,
      complete: false,
      n_days: 6,
      mean: null,
      q50: null,
    });
    expect(json.split('\n').length).toBe(statistics.numRows + 3);
  });

  test('writes an empty array for a table without rows', async () => {
    expect(JSON.parse(await text(statistics.slice(0, 0), 'json'))).toEqual([]);
  });

  test('escapes what JSON asks to be escaped, in texts and dictionaries', async () => {
    const names = ['a"b', 'c\\d', 'e\u0001f', 'g, h#', 'é😀', ''];
    const table = new Table({
      utf8: vectorFromArray(names, new Utf8()),
      dictionary: vectorFromArray(names, new Dictionary(new Utf8(), new Int8())),
    });
    expect(JSON.parse(await text(table, 'json'))).toEqual(names.map((name) => ({ utf8: name, dictionary: name })));
  });

  test('rejects an infinity, and names its row and column', async () => {
    const table = tableFromArrays({ m01: [1, 2], m02: [1, Number.NEGATIVE_INFINITY] });
    await expect(encodeTable(new Table([...table.batches, ...table.batches]), 'json')).rejects.toThrow(
      new DataError({
        row: 2,
        column: 'm02',
        problem: 'cannot be written as JSON',
        received: Number.NEGATIVE_INFINITY,
        allowed: 'finite numbers',
      }),
    );
  });
});

describe('encodeTable as Parquet and Arrow', () => {
  const metadata = new Map([
    ['variable', 'precipitation'],
    ['units', 'mm'],
  ]);
  const table = new Table(new Schema(statistics.schema.fields, metadata), statistics.batches);

  test.each(['parquet', 'arrow'] as const)('keeps types, nulls, NaN and metadata in %s', async (format) => {
    const read = await readTable(await encodeTable(table, format));
    expect(typesOf(read)).toEqual(typesOf(table));
    expect(columnsOf(read)).toEqual(columnsOf(table));
    expect(read.schema.metadata).toEqual(metadata);
  });

  test.each(['parquet', 'arrow'] as const)('keeps the rows of a slice in %s', async (format) => {
    const slice = new Table([...table.batches, ...table.batches]).slice(1, 5);
    expect(columnsOf(await readTable(await encodeTable(slice, format)))).toEqual(columnsOf(slice));
  });

  test('writes more rows than a Parquet row group holds', async () => {
    const values = Float32Array.from({ length: 40_000 }, (_, row) => row / 8);
    const read = await readTable(await encodeTable(tableFromArrays({ m01: values }), 'parquet'));
    expect(read.batches.map((batch) => batch.numRows)).toEqual([32_768, 7_232]);
    expect(columnsOf(read).m01).toEqual(Array.from(values));
  });

  test('rejects a table without columns in Parquet', async () => {
    await expect(encodeTable(new Table(), 'parquet')).rejects.toThrow(
      'table: has no columns; allowed: at least one column',
    );
  });
});

test('encodeTable names a column that the format cannot hold', async () => {
  const list = vectorFromArray([[1, 2]], new List(new Field('item', new Float64())));
  for (const format of ['csv', 'json', 'parquet'] as const) {
    await expect(encodeTable(new Table({ members: list }), format)).rejects.toThrow(
      new OptionError({
        subject: 'column members',
        problem: 'has a type that this format cannot be written with',
        received: 'List<Float64>',
        allowed: 'numbers, dates, timestamps, texts and booleans; the format arrow holds all types',
      }),
    );
  }
});

test('encodeTable names an unknown format', async () => {
  await expect(encodeTable(statistics, 'xml' as 'csv')).rejects.toThrow(
    'format: is unknown; received "xml"; allowed: csv, json, jsonl, arrow, arrow-stream, parquet, geoparquet, xlsx; NetCDF and Zarr by writeNetcdf and writeZarr',
  );
});

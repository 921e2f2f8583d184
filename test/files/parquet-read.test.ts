import { existsSync, readFileSync } from 'node:fs';
import { tableFromArrays } from 'apache-arrow';
import type { SchemaElement } from 'hyparquet';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { DataError, isPlumecastError } from '../../src/errors.js';
import { encodeTable, readTable } from '../../src/files/index.js';
import { fixtures } from './pyarrow-fixtures.js';
import { columnsOf, typesOf } from './table-rows.js';

const failure = (bytes: Uint8Array) =>
  readTable(bytes, { source: 'f.parquet' }).then(
    () => undefined,
    (error: unknown) => error,
  );
const leapDay = Date.UTC(2024, 1, 28) / 86_400_000;

describe('readTable of Parquet', () => {
  test('keeps types, nulls, NaN, lists and metadata of a file by pyarrow, a record batch for each row group', async () => {
    const table = await readTable(fixtures.TYPES_PARQUET);
    expect(table.batches.map((batch) => batch.numRows)).toEqual([2, 1]);
    expect(typesOf(table)).toEqual({
      date: 'Date32<DAY>',
      time: 'Timestamp<MICROSECOND, UTC>',
      ns: 'Timestamp<NANOSECOND>',
      members: 'FixedSizeList[3]<Float32>',
      ragged: 'List<Float64>',
      name: 'Utf8',
      count: 'Int16',
      big: 'Int64',
      ok: 'Bool',
      value: 'Float64',
    });
    const { members, ragged, ...single } = columnsOf(table);
    expect(single).toEqual({
      date: [leapDay, null, leapDay + 2],
      time: [BigInt(Date.UTC(2024, 1, 28, 6)) * 1000n, null, -1n],
      ns: [1n, null, -1n],
      name: ['rain', null, 'snow'],
      count: [-5, null, 7],
      big: [2n ** 53n + 1n, null, -(2n ** 63n)],
      ok: [true, null, false],
      value: [1.25, Number.NaN, -0],
    });
    const lists = (cells: unknown[]) => cells.map((cell) => cell && Array.from(cell as Iterable<unknown>));
    expect(lists(members)).toEqual([[1.5, 2.5, null], null, [0.1, 0.2, 0.3].map(Math.fround)]);
    expect(lists(ragged)).toEqual([[1], [], null]);
    expect(table.schema.metadata).toEqual(new Map([['variable', 'precipitation']]));
    expect(table.schema.fields[3].metadata).toEqual(new Map([['units', 'mm']]));
  });

  test.each(['ZSTD_PARQUET', 'GZIP_PARQUET', 'BROTLI_PARQUET', 'LZ4_PARQUET', 'PLAIN_PARQUET'] as const)(
    'decompresses %s',
    async (name) => {
      expect(columnsOf(await readTable(fixtures[name]))).toEqual({
        date: [leapDay, null, leapDay + 2],
        value: [1.25, Number.NaN, -0],
      });
    },
  );

  test('reads many row groups of a file by hyparquet-writer', async () => {
    const values = Float32Array.from({ length: 2500 }, (_, row) => row / 3);
    const bytes = parquetWriteBuffer({
      columnData: [
        { name: 'm01', data: values, type: 'FLOAT', nullable: false },
        { name: 'm02', data: Array.from(values, (value, row) => (row % 5 ? value : null)), type: 'DOUBLE' },
      ],
      rowGroupSize: 1000,
    });
    const table = await readTable(new Uint8Array(bytes));
    expect(table.batches.map((batch) => batch.numRows)).toEqual([1000, 1000, 500]);
    expect(table.schema.fields.map((field) => field.nullable)).toEqual([false, true]);
    expect(columnsOf(table)).toEqual({
      m01: Array.from(values),
      m02: Array.from(values, (value, row) => (row % 5 ? value : null)),
    });
  });

  test('never reads a file that is cut, wherever it is', async () => {
    for (const bytes of [fixtures.PLAIN_PARQUET, fixtures.ZSTD_PARQUET]) {
      for (let length = 0; length < bytes.length; length++) {
        const error = await failure(bytes.slice(0, length));
        expect(isPlumecastError(error, 'format'), `${length} bytes: ${error}`).toBe(true);
      }
    }
    expect(String(await failure(fixtures.PLAIN_PARQUET.slice(0, -1)))).toBe(
      'FormatError: f.parquet: is a truncated Parquet file; allowed: a file that ends with its footer and PAR1',
    );
  });

  test('rejects a file that only its end magic makes look whole', async () => {
    const cut = fixtures.PLAIN_PARQUET.slice(0, 200);
    cut.set([0x50, 0x41, 0x52, 0x31], 196);
    expect(String(await failure(cut))).toBe(
      'FormatError: f.parquet: has a corrupt Parquet footer: a footer of 1008272405 bytes in a file of 200',
    );
  });

  test('names the column and row group of corrupt data', async () => {
    const bytes = fixtures.ZSTD_PARQUET.slice();
    const magic = [0x28, 0xb5, 0x2f, 0xfd];
    const at = bytes.findIndex((_, index) => magic.every((byte, i) => bytes[index + i] === byte));
    bytes.fill(0xff, at, at + 8);
    expect(String(await failure(bytes))).toBe(
      'FormatError: f.parquet: holds corrupt Parquet data in column date, row group 1: not a Zstandard frame',
    );
  });

  test('reads what is neither a number nor a text as bytes', async () => {
    const bytes = parquetWriteBuffer({
      columnData: [{ name: 'where', data: [{ type: 'Point', coordinates: [1, 2] }], type: 'GEOMETRY' }],
    });
    const { schema } = await readTable(new Uint8Array(bytes));
    expect(String(schema.fields[0])).toBe('where: Binary');
  });

  test('leaves out structs with a note; alone, they are an error that names them', async () => {
    const struct = (...others: SchemaElement[]): SchemaElement[] => [
      { name: 'root', num_children: 1 + others.length },
      { name: 'place', num_children: 1, repetition_type: 'OPTIONAL' },
      { name: 'name', type: 'INT32', repetition_type: 'OPTIONAL' },
      ...others,
    ];
    const place = { name: 'place', data: [{ name: 7 }] };
    const value = { name: 'value', data: [1.5] };
    const both = struct({ name: 'value', type: 'DOUBLE', repetition_type: 'REQUIRED' });
    const notes: string[] = [];
    const report = (note: string) => notes.push(note);
    const bytes = new Uint8Array(parquetWriteBuffer({ columnData: [place, value], schema: both }));
    const table = await readTable(bytes, { report });
    expect(table.toArray().map((row) => ({ ...row }))).toEqual([{ value: 1.5 }]);
    expect(notes).toEqual(['column left out: place (a struct)']);
    expect(String(await failure(new Uint8Array(parquetWriteBuffer({ columnData: [place], schema: struct() }))))).toBe(
      'FormatError: f.parquet, column place: has a Parquet type that is not read; received "a struct"; allowed: numbers, dates, timestamps, texts, booleans, and lists of them',
    );
  });

  test('rejects a file without rows', async () => {
    const empty = tableFromArrays({ m01: new Float32Array() });
    expect(await failure(await encodeTable(empty, 'parquet'))).toEqual(
      new DataError({ source: 'f.parquet', problem: 'has no rows', allowed: 'at least one row' }),
    );
  });
});

const folder = `${process.env.PLUMECAST_REFERENCE_DATA ?? '../shared/data'}/gefs-fcre-2022/raw`;
const present = existsSync(folder);
if (!present) console.log(`skipped: no reference data in ${folder}`);

describe.skipIf(!present)('readTable of the GEFS reference files', () => {
  // First and last rows as pyarrow 26.0.1 prints them.
  test('reads the forecast as pyarrow does', async () => {
    const table = await readTable(readFileSync(`${folder}/st2_part-0.parquet`));
    expect([table.numRows, table.batches.length]).toEqual([208_568, 7]);
    expect(typesOf(table)).toMatchObject({ prediction: 'Float64', variable: 'Utf8', parameter: 'Int32' });
    expect(table.get(0)?.toJSON()).toEqual({
      prediction: 94475.08984375,
      variable: 'air_pressure',
      height: 'surface',
      horizon: 717,
      parameter: 20,
      family: 'ensemble',
      reference_datetime: Date.UTC(2022, 9, 2),
      forecast_valid: '717 hour fcst',
      datetime: Date.UTC(2022, 9, 31, 21),
      longitude: -79.837217,
      latitude: 37.303153,
    });
    expect(table.get(208_567)?.toJSON()).toMatchObject({
      prediction: 94473.27864583333,
      forecast_valid: '716 hour fcst',
    });
  });

  test('reads the history as pyarrow does', async () => {
    const table = await readTable(readFileSync(`${folder}/stage3_part-0.parquet`));
    expect([table.numRows, table.batches.length]).toEqual([362_824, 1]);
    expect(table.get(2)?.toJSON()).toMatchObject({ parameter: 3, prediction: 95765.30208333333 });
    expect(table.get(362_823)?.toJSON()).toMatchObject({
      datetime: Date.UTC(2022, 10, 14, 23),
      parameter: 31,
      variable: 'surface_downwelling_shortwave_flux_in_air',
      prediction: 16,
    });
  });
});

import {
  Field,
  Float32,
  Float64,
  makeData,
  makeVector,
  Null,
  Schema,
  Table,
  tableFromArrays,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DataError, OptionError } from '../../src/errors.js';
import { encodeTable, encodeTables, readTable } from '../../src/files/index.js';
import { blocksOf, encoded, weather } from './encoded-tables.js';
import { columnsOf, typesOf } from './table-rows.js';

const FORMATS = ['csv', 'json', 'jsonl', 'arrow', 'arrow-stream', 'parquet'] as const;
const BLOCK_BYTES = 131_072;

function slices(table: Table, starts: readonly number[]): Table[] {
  const ends = [...starts.slice(1), table.numRows];
  return starts.map((start, index) => table.slice(start, ends[index]));
}

describe('encodeTables', () => {
  const table = weather(3000, new Map([['variable', 'precipitation']]));

  test.each(['csv', 'json', 'jsonl', 'parquet'] as const)(
    'writes the same %s however the rows are parted into tables',
    async (format) => {
      const whole = await encodeTable(table, format);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 12 }), async (cuts) => {
          const parts = slices(table, [0, ...cuts.sort((a, b) => a - b)]);
          expect(Buffer.compare(await encoded(parts, format), whole)).toBe(0);
        }),
        { numRuns: 12 },
      );
    },
  );

  test.each(['arrow', 'arrow-stream'] as const)(
    'writes a record batch of %s for each table that has rows',
    async (format) => {
      const read = await readTable(await encoded(slices(table, [0, 0, 1, 700, 700, 2999]), format));
      expect(read.batches.map(({ numRows }) => numRows)).toEqual([1, 699, 2299, 1]);
      expect(columnsOf(read)).toEqual(columnsOf(table));
      expect(typesOf(read)).toEqual(typesOf(table));
      expect(read.schema.metadata).toEqual(table.schema.metadata);
    },
  );

  test.each(FORMATS)('takes tables of one row, from an asynchronous source, in %s', async (format) => {
    const small = weather(60);
    async function* rows() {
      for (let row = 0; row < 60; row++) yield small.slice(row, row + 1);
    }
    const bytes = await encoded(rows(), format);
    if (format === 'json') expect(JSON.parse(Buffer.from(bytes).toString()).length).toBe(60);
    else if (format === 'csv' || format === 'jsonl')
      expect(Buffer.from(bytes).toString().split('\n').length).toBe(format === 'csv' ? 62 : 61);
    else expect(columnsOf(await readTable(bytes))).toEqual(columnsOf(small));
  });

  test.each(FORMATS)(
    'hands %s over in blocks of 128 KiB, the last one shorter, each with its own bytes',
    async (format) => {
      const long = tableFromArrays({ a: Float64Array.from({ length: 50_000 }, (_, row) => Math.sqrt(row)) });
      const blocks = await blocksOf([long, long], format);
      expect(blocks.length).toBeGreaterThan(3);
      expect(blocks.slice(0, -1).every(({ length }) => length === BLOCK_BYTES)).toBe(true);
      expect(blocks.at(-1)?.length).toBeLessThanOrEqual(BLOCK_BYTES);
      expect(new Set(blocks.map(({ buffer }) => buffer)).size).toBe(blocks.length);
    },
  );

  test.each(['csv', 'json', 'arrow'] as const)(
    'asks for a table only when the blocks of %s before it are taken, and closes the source when left early',
    async (format) => {
      let requested = 0;
      let closed = false;
      function* source() {
        try {
          for (;;) {
            requested++;
            yield tableFromArrays({ a: new Float64Array(50_000).fill(1 / 3) });
          }
        } finally {
          closed = true;
        }
      }
      for await (const _ of encodeTables(source(), format)) {
        if (requested === 3) break;
        expect(closed).toBe(false);
      }
      expect([requested, closed]).toEqual([3, true]);
    },
  );

  test('does not look at a table again once the next one is read, in any format', async () => {
    for (const format of FORMATS) {
      const values = new Float64Array(1000);
      function* reused() {
        for (let part = 0; part < 4; part++) yield tableFromArrays({ a: values.fill(part + 0.5) });
      }
      function* fresh() {
        for (let part = 0; part < 4; part++) yield tableFromArrays({ a: new Float64Array(1000).fill(part + 0.5) });
      }
      expect(Buffer.compare(await encoded(reused(), format), await encoded(fresh(), format)), format).toBe(0);
    }
  });

  test('gathers small tables into Parquet row groups of 32,768 rows, and cuts large ones', async () => {
    const ramp = Float32Array.from({ length: 75_000 }, (_, row) => row % 64);
    const values = tableFromArrays({ a: ramp });
    const read = await readTable(await encoded(slices(values, [0, 1250, 2250, 35_000, 72_500]), 'parquet'));
    expect(read.batches.map(({ numRows }) => numRows)).toEqual([32_768, 32_768, 9_464]);
    expect(read.getChild('a')?.toArray()).toEqual(ramp);
  });

  test('keeps nulls in their row group of Parquet', async () => {
    const values = Array.from({ length: 65_550 }, (_, row) => (row === 32_780 ? null : row % 4));
    const table = new Table({ a: vectorFromArray(values, new Float32()) });
    const read = await readTable(await encoded(slices(table, [0, 32_766, 32_771]), 'parquet'));
    expect(read.batches.map(({ data }) => data.children[0].nullCount)).toEqual([0, 1, 0]);
    expect(read.getChild('a')?.toJSON()).toEqual(values);
  });

  test('writes tables without rows as a file without rows', async () => {
    const empty = table.slice(0, 0);
    expect(Buffer.from(await encoded([empty, empty], 'csv')).toString()).toBe('name,place,day,complete,mean,q50\n');
    expect(JSON.parse(Buffer.from(await encoded([empty, empty], 'json')).toString())).toEqual([]);
    const expected = new DataError({ source: 'input', problem: 'has no rows', allowed: 'at least one row' });
    expect((await encoded([empty, empty], 'jsonl')).length).toBe(0);
    for (const format of ['arrow', 'arrow-stream', 'parquet'] as const) {
      await expect(readTable(await encoded([empty, empty], format))).rejects.toMatchObject({ tag: 'data' });
      await expect(readTable(await encoded([empty], format))).rejects.toThrow(expected.message);
    }
  });

  test.each(FORMATS)('rejects no tables at all in %s', async (format) => {
    await expect(encoded([], format)).rejects.toThrow(
      new OptionError({ subject: 'tables', problem: 'has no tables', allowed: 'at least one, with or without rows' }),
    );
  });

  test.each(FORMATS)('passes on what the source of tables throws, in %s', async (format) => {
    const failure = new Error('the disk is gone');
    async function* source() {
      yield weather(10);
      throw failure;
    }
    await expect(encoded(source(), format)).rejects.toBe(failure);
  });

  test('counts the rows of all tables where it names an infinity in JSON', async () => {
    const finite = tableFromArrays({ a: [1, 2, 3] });
    const infinite = tableFromArrays({ a: [4, Number.POSITIVE_INFINITY] });
    await expect(encoded([finite, finite, infinite], 'json')).rejects.toMatchObject({ row: 8, column: 'a' });
  });

  test('rejects a table whose columns differ from the first one in name, type or number', async () => {
    const of = (...fields: Field[]) => new Table(new Schema(fields));
    const first = of(new Field('m01', new Float32(), true));
    for (const [other, received, allowed] of [
      [of(new Field('m02', new Float32(), true)), 'm02: Float32', 'm01: Float32'],
      [of(new Field('m01', new Float64(), true)), 'm01: Float64', 'm01: Float32'],
      [of(), 'no such column', 'm01: Float32'],
    ] as const) {
      await expect(encoded([first, first, other], 'arrow')).rejects.toThrow(
        new OptionError({ subject: 'table 3', problem: 'differs from the first table in column 1', received, allowed }),
      );
    }
    await expect(encoded([of(), first], 'csv')).rejects.toThrow('received "m01: Float32"; allowed: no such column');
  });

  test.each(['csv', 'json', 'jsonl'] as const)('writes floats of other widths as each needs, in %s', async (format) => {
    const single = new Table({ a: vectorFromArray([0.1], new Float32()) });
    const double = new Table({ a: vectorFromArray([0.1 + 0.2, null], new Float64()) });
    const text = new TextDecoder().decode(await encoded([single, double], format));
    expect(text.match(/[\d.]+/g)).toEqual(['0.1', '0.30000000000000004']);
    const words = new Table({ a: vectorFromArray(['b']) });
    await expect(encoded([single, words], format)).rejects.toThrow('differs from the first table in column 1');
  });

  test('writes a column of nothing as empty cells', async () => {
    const nothing = makeVector(makeData({ type: new Null(), length: 2 }));
    const text = await encoded([new Table({ a: vectorFromArray([1, 2], new Float64()), nothing })], 'csv');
    expect(new TextDecoder().decode(text)).toBe('a,nothing\n1,\n2,\n');
  });

  test('takes a column that is never null after a nullable one, but not a nullable one after it', async () => {
    const gap = new Table({ a: vectorFromArray([1, null], new Float64()) });
    const full = tableFromArrays({ a: Float64Array.of(2, 3) });
    for (const format of ['arrow', 'parquet'] as const) {
      expect(columnsOf(await readTable(await encoded([gap, full], format)))).toEqual({ a: [1, null, 2, 3] });
      await expect(encoded([full, gap], format)).rejects.toThrow(
        'table 2: differs from the first table in column 1; received "a: Float64"; allowed: a: Float64, never null',
      );
    }
  });
});

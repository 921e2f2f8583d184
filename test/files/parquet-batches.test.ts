import { type RecordBatch, Table } from 'apache-arrow';
import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { describe, expect, test } from 'vitest';
import { parquetBatches, readParquet } from '../../src/files/parquet/parquet-batches.js';
import { collected, failureOf, rowsOf } from '../input/location-tables.js';
import { fixtures } from './pyarrow-fixtures.js';
import { columnsOf } from './table-rows.js';

/** A file in memory, and how many bytes of it were read. */
function bufferOf(bytes: Uint8Array) {
  const buffer = {
    byteLength: bytes.length,
    read: 0,
    slice(start: number, end = bytes.length) {
      buffer.read += end - start;
      return bytes.slice(start, end).buffer as ArrayBuffer;
    },
  };
  return buffer;
}

interface Layout {
  readonly rows: number;
  readonly rowGroupSize: number;
  readonly pageSize: number;
  /** Whether the file says where pages are. Default true. */
  readonly offsetIndex?: boolean;
}

/** Texts, and numbers of which some are null, in groups and pages of the given sizes. */
function fileOf({ rows, rowGroupSize, pageSize, offsetIndex = true }: Layout): Uint8Array {
  const numbers = Array.from({ length: rows }, (_, i) => (i % 7 === 3 ? null : i / 3));
  const buffer = parquetWriteBuffer({
    columnData: [
      { name: 'name', data: numbers.map((_, i) => `cell ${Math.floor(i / 5)}`), type: 'STRING', offsetIndex },
      { name: 'm01', data: numbers, type: 'DOUBLE', nullable: true, offsetIndex },
      { name: 'm02', data: Float32Array.from(numbers, (_, i) => i * 0.1), type: 'FLOAT', offsetIndex },
      { name: 'day', data: Int32Array.from(numbers, (_, i) => i), type: 'INT32', offsetIndex },
    ],
    rowGroupSize,
    pageSize,
  });
  return new Uint8Array(buffer);
}

const batchesOf = (
  bytes: Uint8Array,
  options: { bytes: number; columns?: readonly string[]; kernelsFrom?: number; keptBytes?: number },
) => collected(parquetBatches(bufferOf(bytes), 'f.parquet', options));
const tablesOf = (batches: readonly RecordBatch[]) => batches.map((batch) => new Table([batch]));

describe('parquetBatches', () => {
  test('gives the rows of readParquet to the last bit, whatever the sizes of row groups, pages and batches', async () => {
    const layout = fc.record({
      rows: fc.integer({ min: 1, max: 120 }),
      rowGroupSize: fc.integer({ min: 1, max: 130 }),
      pageSize: fc.constantFrom(40, 200, 1_000_000),
      kernelsFrom: fc.constantFrom(1, 1_000),
      keptBytes: fc.constantFrom(0, 1_000_000),
      offsetIndex: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(layout, fc.integer({ min: 1, max: 5_000 }), async (made, bytes) => {
        const file = fileOf(made);
        const { kernelsFrom, keptBytes } = made;
        const batches = await batchesOf(file, { bytes, kernelsFrom, keptBytes });
        expect(rowsOf(tablesOf(batches))).toEqual(rowsOf([await readParquet(file, 'f.parquet')]));
      }),
      { numRuns: 50, seed: 20_261_121 },
    );
  });

  test('cuts row groups that take more than requested into ranges of equal size, and others not at all', async () => {
    const file = fileOf({ rows: 100, rowGroupSize: 60, pageSize: 100 });
    const sizes = async (bytes: number) => (await batchesOf(file, { bytes })).map(({ numRows }) => numRows);
    // A row takes 8 + 4 + 4 bytes, and 24 at least for a text.
    expect(await sizes(40 * 25)).toEqual([20, 20, 20, 20, 20]);
    expect(await sizes(1_000_000)).toEqual([60, 40]);
  });

  test('reads the pages of a row group that it cuts once, or where they take too much memory again', async () => {
    const file = fileOf({ rows: 5_000, rowGroupSize: 5_000, pageSize: 2_000, offsetIndex: false });
    const read = async (keptBytes: number) => {
      const buffer = bufferOf(file);
      await collected(parquetBatches(buffer, 'f.parquet', { bytes: 40 * 500, keptBytes }));
      return buffer.read / file.length;
    };
    expect(await read(file.length)).toBeLessThan(1.1);
    expect(await read(1_000)).toBeGreaterThan(1.6);
  });

  test('never cuts row groups with lists', async () => {
    const batches = await batchesOf(fixtures.TYPES_PARQUET, { bytes: 1 });
    expect(batches.map(({ numRows }) => numRows)).toEqual([2, 1]);
  });

  test('reads only the columns requested, in the order of the file', async () => {
    const file = fileOf({ rows: 5_000, rowGroupSize: 1_000, pageSize: 100_000 });
    const buffer = bufferOf(file);
    const batches = await collected(parquetBatches(buffer, 'f.parquet', { columns: ['day', 'm02'], bytes: 1e9 }));
    expect(batches[0].schema.fields.map(({ name }) => name)).toEqual(['m02', 'day']);
    expect(columnsOf(new Table([batches[4]])).day.slice(0, 2)).toEqual([4_000, 4_001]);
    const all = bufferOf(file);
    await collected(parquetBatches(all, 'f.parquet', { bytes: 1e9 }));
    expect(buffer.read).toBeLessThan(all.read - 20_000);
  });

  test('names columns that the file does not have', async () => {
    const file = fileOf({ rows: 3, rowGroupSize: 3, pageSize: 100 });
    expect(await failureOf(() => batchesOf(file, { bytes: 100, columns: ['day', 'rain'] }))).toBe(
      'OptionError: f.parquet, columns: not in the file; received "rain"; allowed: name, m01, m02, day',
    );
  });

  test('names the column and the row group where data are corrupt, after the rows before', async () => {
    const file = fileOf({ rows: 40, rowGroupSize: 20, pageSize: 1_000_000 });
    const whole = file.slice();
    // The second row group lies behind the first, before the footer.
    const footer = new DataView(file.buffer).getUint32(file.length - 8, true) + 8;
    file.fill(0xff, Math.floor((file.length - footer) * 0.55), file.length - footer);
    const seen: number[] = [];
    const failure = await failureOf(async () => {
      for await (const { numRows } of parquetBatches(bufferOf(file), 'f.parquet', { bytes: 1e9 })) seen.push(numRows);
    });
    expect(failure).toMatch(/^FormatError: f.parquet: holds corrupt Parquet data in column \w+, row group 2/);
    expect(seen).toEqual([20]);
    expect(rowsOf(tablesOf(await batchesOf(whole, { bytes: 1e9 })))).toBeDefined();
  });
});

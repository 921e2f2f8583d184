import {
  Bool,
  type DataType,
  Dictionary,
  Field,
  Float64,
  Int32,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableFromArrays,
  Uint32,
  Uint64,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { beforeAll, expect, test } from 'vitest';
import { loadTableKernels, type TableKernels } from '../../../src/core/table-kernels.js';
import { decompressSnappy } from '../../../src/files/codecs/snappy.js';
import { encodeTable, encodeTables } from '../../../src/files/index.js';
import { decodeRuns } from '../../../src/files/parquet/page-codecs.js';
import { readTable } from '../../../src/files/read-table.js';
import { isFullCheck } from '../../full-check.js';
import { columnsOf } from '../table-rows.js';

const SEED = 20_261_123;
let tools: TableKernels;
beforeAll(async () => {
  tools = await loadTableKernels();
});

/** Runs a kernel on bytes in its memory, and returns as many bytes of its output as it says. */
function runKernel(bytes: Uint8Array, capacity: number, kernel: (at: number, out: number) => number): Uint8Array {
  const { memory } = tools;
  const mark = memory.mark();
  const at = memory.scratch(bytes.length + 64);
  memory.bytes(at, bytes.length).set(bytes);
  const out = memory.scratch(capacity);
  const result = memory.bytes(out, kernel(at, out)).slice();
  memory.release(mark);
  return result;
}

/** Bytes that repeat at many distances, of more than one fragment. */
const repetitive = fc
  .record({
    seed: fc.nat(),
    length: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 200_000 })),
    distinct: fc.constantFrom(1, 2, 5, 256),
    repeats: fc.constantFrom(0, 0.3, 0.95),
  })
  .map(({ seed, length, distinct, repeats }) => {
    let state = seed;
    const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; ) {
      const run = 1 + Math.floor(random() * 90);
      const back = 1 + Math.floor(random() * at);
      const isCopy = at > 0 && random() < repeats;
      for (let i = 0; i < run && at < length; i++, at++) {
        bytes[at] = isCopy ? bytes[at - back] : Math.floor(random() * distinct);
      }
    }
    return bytes;
  });

test('Snappy comes back to the last byte, and never takes more than it may', () => {
  fc.assert(
    fc.property(repetitive, (bytes) => {
      const { memory, kernels } = tools;
      const capacity = bytes.length + Math.ceil(bytes.length / 6) + 64;
      const block = runKernel(bytes, capacity, (at, out) =>
        kernels.compressSnappy(at, bytes.length, out, memory.scratch(65_536)),
      );
      expect(block.length).toBeLessThanOrEqual(32 + bytes.length + bytes.length / 6);
      expect(Buffer.compare(decompressSnappy(block, bytes.length), bytes)).toBe(0);
    }),
    { numRuns: isFullCheck ? 200 : 66, seed: SEED },
  );
  const zeros = runKernel(new Uint8Array(100_000), 200_000, (at, out) =>
    tools.kernels.compressSnappy(at, 100_000, out, tools.memory.scratch(65_536)),
  );
  expect(zeros.length).toBeLessThan(5_000);
});

test('runs come back, whatever is repeated', () => {
  const codes = fc
    .array(fc.tuple(fc.nat(), fc.constantFrom(1, 2, 7, 8, 9, 100, 5_000)), { minLength: 1, maxLength: 30 })
    .map((runs) => runs.flatMap(([value, count]) => new Array<number>(count).fill(value)));
  fc.assert(
    fc.property(codes, fc.constantFrom(1, 2, 3, 7, 8, 9, 15, 24, 31, 32), (given, width) => {
      const numbers = Uint32Array.from(given, (value) => value % 2 ** width);
      const runs = runKernel(new Uint8Array(numbers.buffer), 8 * numbers.length + 64, (at, out) =>
        tools.kernels.writeRuns(at, numbers.length, width, out),
      );
      const read = new Uint32Array(numbers.length);
      decodeRuns(runs, 0, runs.length, width, read);
      expect(read.every((number, i) => number === numbers[i])).toBe(true);
    }),
    { numRuns: isFullCheck ? 300 : 100, seed: SEED },
  );
});

test('another reader gives every value of groups with repeated, distinct and missing ones', async () => {
  const columns = fc.record({
    rows: fc.constantFrom(1, 5, 40_000),
    distinct: fc.constantFrom(1, 3, 700, 100_000),
    run: fc.constantFrom(1, 9, 500),
    gaps: fc.constantFrom(0, 0.2, 1),
    batches: fc.integer({ min: 1, max: 4 }),
    compression: fc.constantFrom('none' as const, 'snappy' as const),
  });
  await fc.assert(
    fc.asyncProperty(columns, async ({ rows, distinct, run, gaps, batches, compression }) => {
      const value = (row: number) => (Math.imul(Math.floor(row / run), 40_503) >>> 0) % distinct;
      const isNull = (row: number) => (row * 7_919) % 1_000 < gaps * 1_000;
      const cells = <T>(of: (value: number) => T) =>
        Array.from({ length: rows }, (_, row) => (isNull(row) ? null : of(value(row))));
      const expected = {
        f8: cells((v) => v / 3),
        i4: cells((v) => v - 2 ** 31),
        u4: cells((v) => 2 ** 32 - 1 - v),
        u8: cells((v) => 2n ** 64n - 1n - BigInt(v)),
        text: cells((v) => `place ${v}`),
        dry: cells((v) => v % 2 === 1),
      };
      const types: Record<string, DataType> = {
        f8: new Float64(),
        i4: new Int32(),
        u4: new Uint32(),
        u8: new Uint64(),
        text: new Utf8(),
        dry: new Bool(),
      };
      const whole = new Table(
        Object.fromEntries(Object.entries(expected).map(([name, v]) => [name, vectorFromArray(v, types[name])])),
      );
      const step = Math.ceil(rows / batches);
      const parts = Array.from({ length: Math.ceil(rows / step) }, (_, i) => whole.slice(i * step, (i + 1) * step));
      const pieces: Uint8Array[] = [];
      for await (const piece of encodeTables(parts, 'parquet', { compression })) pieces.push(piece);
      const file = new Uint8Array(await new Blob(pieces as BlobPart[]).arrayBuffer());
      const read = await parquetReadObjects({ file: file.buffer as ArrayBuffer });
      const isEqual = (name: keyof typeof expected) =>
        read.every((row, i) => Object.is(row[name] ?? null, expected[name][i]));
      expect(read).toHaveLength(rows);
      expect(Object.keys(expected).filter((name) => !isEqual(name as keyof typeof expected))).toEqual([]);
      expect(columnsOf(await readTable(file))).toEqual(columnsOf(whole));
    }),
    { numRuns: 6, seed: SEED },
  );
});

test('bounds compare as types do, without NaN, and with both zeros', async () => {
  const column = (values: unknown[], type: DataType) => vectorFromArray(values, type);
  const table = new Table({
    f8: makeVector(Float64Array.of(Number.NaN, 0, 5)),
    below: makeVector(Float64Array.of(-3, -0, Number.NaN)),
    none: makeVector(Float64Array.of(Number.NaN, Number.NaN, Number.NaN)),
    u4: column([4_000_000_000, 3, null], new Uint32()),
    u8: column([2n ** 63n, 9n, 1n], new Uint64()),
    text: column(['b', 'ab', 'é'], new Utf8()),
    long: column(['x'.repeat(65), 'a', 'b'], new Utf8()),
    gone: column([null, null, null], new Int32()),
  });
  const bytes = await encodeTable(table, 'parquet');
  const { columns } = parquetMetadata(bytes.buffer as ArrayBuffer).row_groups[0];
  const bounds = columns.map(({ meta_data: meta }) => {
    const { min_value: least, max_value: most, null_count: nulls } = meta?.statistics ?? {};
    return [meta?.path_in_schema[0], least, most, nulls];
  });
  expect(bounds).toEqual([
    ['f8', -0, 5, 0n],
    ['below', -3, 0, 0n],
    ['none', undefined, undefined, 0n],
    ['u4', 3, 4_000_000_000, 1n],
    ['u8', 1n, 2n ** 63n, 0n],
    ['text', 'ab', 'é', 0n],
    ['long', undefined, undefined, 0n],
    ['gone', undefined, undefined, 3n],
  ]);
});

test('entries of dictionaries that are null are missing, and a group without texts has no dictionary', async () => {
  const dictionary = vectorFromArray(['a', null, 'b'], new Utf8());
  const type = new Dictionary(new Utf8(), new Int32());
  const nullBitmap = Uint8Array.of(0b0111);
  const coded = makeData({ type, length: 4, nullCount: 1, nullBitmap, data: Int32Array.of(0, 1, 2, 0), dictionary });
  const only = makeData({
    type,
    length: 4,
    nullCount: 0,
    data: new Int32Array(4),
    dictionary: vectorFromArray([null], new Utf8()),
  });
  const table = new Table({ coded: makeVector(coded), only: makeVector(only) });
  for (const compression of ['none', 'snappy', 'lz4'] as const) {
    const file = await encodeTable(table, 'parquet', { compression });
    expect(columnsOf(await readTable(file))).toEqual({ coded: ['a', null, 'b', null], only: [null, null, null, null] });
    const { columns } = parquetMetadata(file.buffer as ArrayBuffer).row_groups[0];
    // Some readers refuse to decompress a page without bytes.
    expect(columns[1].meta_data?.dictionary_page_offset).toBeUndefined();
  }
});

test('a null where the schema allows none is an error that names the column', async () => {
  const [{ data }] = tableFromArrays({ a: Int32Array.of(1, 2) }).batches;
  const field = new Field('a', new Int32(), false);
  const child = makeData({
    type: new Int32(),
    length: 2,
    nullCount: 1,
    nullBitmap: Uint8Array.of(1),
    data: data.children[0].values,
  });
  const schema = new Schema([field]);
  const struct = makeData({ type: new Struct([field]), length: 2, nullCount: 0, children: [child] });
  await expect(encodeTable(new Table(schema, [new RecordBatch(schema, struct)]), 'parquet')).rejects.toThrow(
    'column a: missing value',
  );
});

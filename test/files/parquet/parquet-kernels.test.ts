import fc from 'fast-check';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { loadEncoder } from '../../../src/files/codecs/load-encoder.js';
import { lz4Block } from '../../../src/files/codecs/lz4-block.js';
import { isFullCheck } from '../../full-check.js';
import { expectSame, outcome } from './read-outcome.js';

const SEED = 20_261_123;
const encodeZstd = await loadEncoder('zstd', 'test');

const bytesPerBatch = fc.constantFrom(200, 1_500, 1e9);

/** Columns of all stored types, with runs, dictionaries and nulls. */
const made = fc
  .record({
    rows: fc.integer({ min: 1, max: 400 }),
    distinct: fc.constantFrom(1, 2, 7, 300),
    run: fc.constantFrom(1, 3, 40),
    gaps: fc.constantFrom(0, 0.1, 0.9, 1),
    rowGroupSize: fc.constantFrom(60, 150, 1_000),
    pageSize: fc.constantFrom(64, 500, 100_000),
    codec: fc.constantFrom('SNAPPY' as const, 'UNCOMPRESSED' as const, 'ZSTD' as const, 'LZ4_RAW' as const),
    seed: fc.nat(),
  })
  .map(({ rows, distinct, run, gaps, seed, ...layout }) => {
    let state = seed;
    const random = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) / 2 ** 32;
    const pool = Array.from({ length: distinct }, () => (random() - 0.5) * 2e9);
    const numbers: number[] = [];
    for (let row = 0; row < rows; row++) {
      numbers.push(row % run === 0 ? pool[Math.floor(random() * distinct)] : numbers[row - 1]);
    }
    const present = numbers.map(() => random() >= gaps);
    const some = <T>(value: (number: number) => T) => numbers.map((n, row) => (present[row] ? value(n) : null));
    const buffer = parquetWriteBuffer({
      columnData: [
        { name: 'f4', data: some(Math.fround), type: 'FLOAT', nullable: true },
        { name: 'f8', data: some(Number), type: 'DOUBLE', nullable: true },
        { name: 'i4', data: some(Math.trunc), type: 'INT32', nullable: true },
        { name: 'i8', data: some((n) => BigInt(Math.trunc(n)) * 4_000_000n), type: 'INT64', nullable: true },
        { name: 'text', data: some((n) => `place ${n}`), type: 'STRING', nullable: true },
        { name: 'full', data: Float64Array.from(numbers), type: 'DOUBLE', nullable: false },
      ],
      compressors: { ZSTD: encodeZstd, LZ4_RAW: lz4Block },
      ...layout,
    });
    return new Uint8Array(buffer);
  });

test('kernels read what is read without them, in any ranges of rows', async () => {
  await fc.assert(
    fc.asyncProperty(made, bytesPerBatch, fc.boolean(), async (file, bytes, codedTexts) => {
      const expected = await outcome(file, { kernelsFrom: Number.POSITIVE_INFINITY, bytes });
      expect(typeof expected).toBe('object');
      expectSame(await outcome(file, { kernelsFrom: 0, bytes, codedTexts }), expected);
    }),
    { numRuns: isFullCheck ? 60 : 20, seed: SEED },
  );
});

test('kernels read corrupt files as they are read without them, with the same errors', async () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  let faults = 0;
  await fc.assert(
    fc.asyncProperty(made, changes, bytesPerBatch, async (file, mutations, bytes) => {
      // The footer, of some thousand bytes, has other readers.
      const end = file.length - 8 - new DataView(file.buffer).getUint32(file.length - 8, true);
      for (const [at, byte] of mutations) file[4 + (at % (end - 4))] = byte;
      const expected = await outcome(file, { kernelsFrom: Number.POSITIVE_INFINITY, bytes });
      if (typeof expected === 'string') faults++;
      const found = await outcome(file, { kernelsFrom: 0, bytes });
      const areFaults = typeof expected === 'string' && typeof found === 'string';
      // Of several faults of a column, each reader names the one that it meets first.
      if (areFaults && mutations.length > 1) expect(columnOf(found)).toBe(columnOf(expected));
      else expectSame(found, expected);
    }),
    { numRuns: isFullCheck ? 200 : 66, seed: SEED },
  );
  expect(faults).toBeGreaterThan(33);
});

/** The words of an error up to those for the fault itself. */
function columnOf(error: string): string {
  return error.replace(/(in column \w+, row group \d+): .*/s, '$1');
}

import { DateDay, Float32, Float64, Int32, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeTable, readTable } from '../../src/files/index.js';
import { columnsOf, typesOf } from './table-rows.js';

interface Row {
  name: string | null;
  day: number | null;
  count: number | null;
  single: number | null;
  double: number | null;
}

const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 4 });
const rowArbitrary: fc.Arbitrary<Row> = fc.record({
  name: nullable(fc.string({ unit: 'grapheme', minLength: 1 })),
  day: nullable(fc.integer({ min: -719_162, max: 2_932_896 })),
  count: nullable(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })),
  single: nullable(fc.float()),
  double: nullable(fc.double()),
});
const batches = fc.array(fc.array(rowArbitrary, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });

function tableOf(groups: Row[][]): Table {
  return new Table(
    groups.flatMap((rows) => {
      const column = <K extends keyof Row>(key: K) => rows.map((row) => row[key]);
      return new Table({
        name: vectorFromArray(column('name'), new Utf8()),
        day: vectorFromArray(
          column('day').map((day) => (day === null ? null : new Date(day * 86_400_000))),
          new DateDay(),
        ),
        count: vectorFromArray(column('count'), new Int32()),
        single: vectorFromArray(column('single'), new Float32()),
        double: vectorFromArray(column('double'), new Float64()),
      }).batches;
    }),
  );
}

test.each(['arrow', 'parquet'] as const)(
  'any table comes back from %s with its types, nulls and NaN',
  async (format) => {
    await fc.assert(
      fc.asyncProperty(batches, async (groups) => {
        const table = tableOf(groups);
        const read = await readTable(await encodeTable(table, format));
        expect(typesOf(read)).toEqual(typesOf(table));
        expect(columnsOf(read)).toEqual(columnsOf(table));
      }),
      { numRuns: 60 },
    );
  },
);

test('any table comes back from an Arrow stream', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (groups) => {
      const table = tableOf(groups);
      const read = await readTable(tableToIPC(table, 'stream'));
      expect(read.batches.length).toBe(groups.length);
      expect(columnsOf(read)).toEqual(columnsOf(table));
    }),
    { numRuns: 60 },
  );
});

test('numbers come back bit for bit from CSV, but for -0 and NaN, which are 0 and missing', async () => {
  const cell = (value: number | null, round: (value: number) => number) =>
    value === null || Number.isNaN(value) ? null : round(value) + 0;
  await fc.assert(
    fc.asyncProperty(batches, async (groups) => {
      const { count, single, double } = columnsOf(await readTable(await encodeTable(tableOf(groups), 'csv')));
      const rows = groups.flat();
      expect(count).toEqual(rows.map((row) => row.count));
      expect(double).toEqual(rows.map((row) => cell(row.double, Number)));
      expect(single.map((value) => value && Math.fround(Number(value)))).toEqual(
        rows.map((row) => cell(row.single, Number)),
      );
    }),
    { numRuns: 100 },
  );
});

test('texts and dates come back from CSV', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (groups) => {
      // A cell that is text in each column keeps the column text, whatever the others look like.
      const withText = [[{ name: 'text', day: 0, count: 1, single: 1, double: 1 }], ...groups];
      const { name, day } = columnsOf(await readTable(await encodeTable(tableOf(withText), 'csv')));
      const rows = withText.flat();
      expect(name).toEqual(rows.map((row) => row.name?.replace(/\r\n?/g, '\n') ?? null));
      expect(day.map((text) => text && Date.parse(`${text}T00:00:00Z`) / 86_400_000)).toEqual(
        rows.map((row) => row.day),
      );
    }),
    { numRuns: 100 },
  );
});

test('JSON holds the values of any table without infinities', async () => {
  await fc.assert(
    fc.asyncProperty(batches, async (groups) => {
      const finite = groups.map((rows) =>
        rows.map((row) => ({
          ...row,
          single: Math.abs(row.single ?? 0) === Number.POSITIVE_INFINITY ? null : row.single,
          double: Math.abs(row.double ?? 0) === Number.POSITIVE_INFINITY ? null : row.double,
        })),
      );
      const parsed: Record<string, unknown>[] = JSON.parse(
        new TextDecoder().decode(await encodeTable(tableOf(finite), 'json')),
      );
      const missing = (value: number | null) => (value === null || Number.isNaN(value) ? null : value + 0);
      expect(
        parsed.map((row) => ({
          name: row.name,
          count: row.count,
          single: row.single === null ? null : Math.fround(Number(row.single)),
          double: row.double,
        })),
      ).toEqual(
        finite.flat().map(({ name, count, single, double }) => ({
          name,
          count,
          single: missing(single),
          double: missing(double),
        })),
      );
    }),
    { numRuns: 60 },
  );
});

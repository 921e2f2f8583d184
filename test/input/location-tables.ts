import {
  DateDay,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { columnsOf } from '../files/table-rows.js';
import { seeded } from '../reference/fields.js';

/** What a table of rows by location is made from. */
export interface LocationTableOptions {
  readonly seed: number;
  /** For each location its first day, counted from 2026-01-01, and number of days. */
  readonly spans: readonly (readonly [number, number])[];
  readonly form: 'wide' | 'list' | 'series';
  readonly values: 'float32' | 'float64';
  readonly coordinates: 'float32' | 'float64';
  /** The share of days that lack, and of values that are null and NaN. */
  readonly gaps: number;
  readonly nulls: number;
}

const FIRST_DAY = 20_454;
const MEMBERS = 3;

/** Tables of one to six locations that cover days of their own. */
export const locationTables = fc.record<LocationTableOptions>({
  seed: fc.nat(),
  spans: fc.array(fc.tuple(fc.nat(3), fc.integer({ min: 2, max: 20 })), { minLength: 1, maxLength: 6 }),
  form: fc.constantFrom('wide', 'list', 'series'),
  values: fc.constantFrom('float32', 'float64'),
  coordinates: fc.constantFrom('float32', 'float64'),
  gaps: fc.constantFrom(0, 0.2),
  nulls: fc.constantFrom(0, 0.15),
});

/** Rain by location in one record batch. */
export function locationTable(options: LocationTableOptions): Table {
  const random = seeded(options.seed);
  const rows: { north: number; east: number; day: number }[] = [];
  options.spans.forEach(([first, days], cell) => {
    for (let day = 0; day < days; day++) {
      const isEnd = day === 0 || day === days - 1;
      if (isEnd || random() >= options.gaps)
        rows.push({ north: 37.3 - cell / 10, east: -80.1, day: FIRST_DAY + first + day });
    }
  });
  const value = () => {
    const kind = random();
    return kind < options.nulls ? null : kind < 1.3 * options.nulls ? Number.NaN : random() * 30;
  };
  const number = (type: 'float32' | 'float64') => (type === 'float32' ? new Float32() : new Float64());
  const degrees = number(options.coordinates);
  const column = (values: readonly (number | null)[]) => vectorFromArray(values, number(options.values)).data[0];
  const columns: [string, ReturnType<typeof column>][] = [
    [
      'latitude',
      vectorFromArray(
        rows.map(({ north }) => north),
        degrees,
      ).data[0] as never,
    ],
    [
      'longitude',
      vectorFromArray(
        rows.map(({ east }) => east),
        degrees,
      ).data[0] as never,
    ],
    ['date', makeData({ type: new DateDay(), data: Int32Array.from(rows, ({ day }) => day) }) as never],
  ];
  if (options.form === 'list') {
    const child = column(rows.flatMap(() => Array.from({ length: MEMBERS }, value)));
    const type = new FixedSizeList(MEMBERS, new Field('item', child.type, true));
    columns.push(['rain', makeData({ type, length: rows.length, nullCount: 0, child: child as never }) as never]);
  } else {
    const names = options.form === 'series' ? ['rain'] : Array.from({ length: MEMBERS }, (_, m) => `m0${m}`);
    for (const name of names) columns.push([name, column(rows.map(value))]);
  }
  const fields = columns.map(([name, data]) => new Field(name, data.type, true));
  const schema = new Schema(fields, new Map([['variable', 'precipitation']]));
  const children = columns.map(([, data]) => data as never);
  const struct = makeData({ type: new Struct(fields), length: rows.length, nullCount: 0, children });
  return new Table(schema, [new RecordBatch(schema, struct)]);
}

/** The table in pieces that begin at the rows given; the first of them has two rows at least. */
export function cutTable(table: Table, at: readonly number[]): Table[] {
  const cuts = [...new Set(at.map((row) => row % table.numRows))].filter((row) => row > 1).sort((a, b) => a - b);
  return [0, ...cuts].map((row, i) => table.slice(row, cuts[i] ?? table.numRows));
}

/** All cells of tables one after the other, with the schema of the first. */
export function rowsOf(tables: readonly Table[]) {
  const [{ schema }] = tables;
  const all = tables.map(columnsOf);
  return {
    fields: schema.fields.map((field) => String(field)),
    metadata: schema.metadata,
    rows: Object.fromEntries(schema.fields.map(({ name }) => [name, all.flatMap((columns) => columns[name])])),
  };
}

export async function collected<T>(items: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** What was thrown, as text. */
export async function failureOf(run: () => unknown): Promise<string> {
  try {
    await run();
    return 'no error';
  } catch (error) {
    return String(error);
  }
}

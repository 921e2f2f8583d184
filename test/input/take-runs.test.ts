import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Int16,
  Int64,
  List,
  Struct,
  Table,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { takeRuns } from '../../src/input/rows-of-variable.js';

const item = new Field('item', new Float32(), true);
const TYPES = {
  numbers: [new Float32(), (i: number) => i / 4],
  short: [new Int16(), (i: number) => i - 50],
  long: [new Int64(), (i: number) => BigInt(i) * 10_000_000_000n],
  days: [new DateDay(), (i: number) => new Date(i * 86_400_000)],
  times: [new TimestampMillisecond(), (i: number) => i * 1000],
  texts: [new Utf8(), (i: number) => `text ${i % 7}`],
  coded: [new Dictionary(new Utf8(), new Int16()), (i: number) => `code ${i % 5}`],
  flags: [new Bool(), (i: number) => i % 3 === 0],
  members: [new FixedSizeList(2, item), (i: number) => [i, i + 0.5]],
  lists: [new List(item), (i: number) => Array.from({ length: i % 4 }, () => i)],
  objects: [new Struct([new Field('a', new Float32(), true)]), (i: number) => ({ a: i })],
} as const;

/** A table with a column of each type, of which some rows are null. */
function tableOf(rows: number, from: number, nulls: boolean): Table {
  const columns = Object.entries(TYPES).map(([name, [type, valueAt]]) => {
    const values = Array.from({ length: rows }, (_, i) => (nulls && (i * 7) % 5 === 2 ? null : valueAt(from + i)));
    return [name, vectorFromArray(values as never[], type as never)] as const;
  });
  return new Table(Object.fromEntries(columns) as never);
}

it('runs of rows are those rows, in all types, batches and slices', () => {
  const examples = {
    batches: fc.array(fc.tuple(fc.integer({ min: 1, max: 20 }), fc.boolean()), { minLength: 1, maxLength: 3 }),
    cut: fc.tuple(fc.nat(10), fc.nat(10)),
    steps: fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 9 })), { minLength: 1 }),
  };
  fc.assert(
    fc.property(fc.record(examples), ({ batches, cut, steps }) => {
      const tables = batches.map(([rows, nulls], i) => tableOf(rows, 100 * i, nulls));
      const [first, ...others] = tables;
      const whole = first.concat(...others);
      const table = whole.slice(Math.min(cut[0], whole.numRows - 1), whole.numRows - cut[1]);
      const runs: { from: number; to: number }[] = [];
      let at = 0;
      for (const [gap, length] of steps) {
        if (at + gap >= table.numRows) break;
        runs.push({ from: at + gap, to: Math.min(table.numRows, at + gap + length) });
        at += gap + length + 1;
      }
      const rows = table
        .toArray()
        .map((row) => JSON.stringify(row?.toJSON(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
      const taken = takeRuns(table, runs);
      const found = taken
        .toArray()
        .map((row) => JSON.stringify(row?.toJSON(), (_, value) => (typeof value === 'bigint' ? `${value}n` : value)));
      expect(found).toEqual(runs.flatMap(({ from, to }) => rows.slice(from, to)));
      expect(taken.schema).toBe(table.schema);
    }),
  );
});

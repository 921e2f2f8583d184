import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  Int64,
  List,
  Table,
  TimestampMillisecond,
  tableFromIPC,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { expect, it } from 'vitest';
import { packTables, unpackTable } from '../../src/files/packed-table.js';

const LENGTH = 70;
const each = <T>(value: (row: number) => T) =>
  Array.from({ length: LENGTH }, (_, row) => (row % 7 === 3 ? null : value(row)));

const words = vectorFromArray(
  each((row) => `word ${row % 5}`),
  new Dictionary(new Utf8(), new Int32()),
);
const table = new Table({
  double: vectorFromArray(
    each((row) => row / 3),
    new Float64(),
  ),
  single: vectorFromArray(
    each((row) => row / 4),
    new Float32(),
  ),
  whole: vectorFromArray(
    each((row) => BigInt(row)),
    new Int64(),
  ),
  yes: vectorFromArray(
    each((row) => row % 2 === 0),
    new Bool(),
  ),
  text: vectorFromArray(
    each((row) => `é${row}`),
    new Utf8(),
  ),
  word: words,
  day: vectorFromArray(
    each((row) => row * 86_400_000),
    new DateDay(),
  ),
  time: vectorFromArray(
    each((row) => row * 3_600_000),
    new TimestampMillisecond(),
  ),
  list: vectorFromArray(
    each((row) => [row, row + 1].slice(row % 3)),
    new List(new Field('item', new Float64(), true)),
  ),
  pair: vectorFromArray(
    each((row) => [row, -row]),
    new FixedSizeList(2, new Field('item', new Float32(), true)),
  ),
});

/** Sends tables to another thread and back, as far as that moves and copies them. */
function sent(tables: readonly Table[]): Table[] {
  const { schema } = tableFromIPC(tableToIPC(new Table(tables[0].schema), 'stream'));
  const { packed, transfer } = packTables(tables);
  return structuredClone(packed, { transfer }).map((each) => unpackTable(each, schema));
}

it('tables of any types come back as they were: slices, several batches, dictionaries of their own or shared', () => {
  const other = table.setChild(
    'word',
    vectorFromArray(
      each((row) => `other ${row}`),
      words.type,
    ),
  );
  const tables = [table, table.slice(5, 40), table.slice(40), new Table([...other.batches, ...table.batches])];
  const before = tables.map((each) => JSON.stringify(each.toArray(), bigIntText));
  const back = sent(tables);
  expect(back.map((each) => JSON.stringify(each.toArray(), bigIntText))).toEqual(before);
  expect(String(back[0].schema)).toBe(String(table.schema));
});

function bigIntText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

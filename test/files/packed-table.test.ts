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
import { TablePacker, TableUnpacker } from '../../src/files/packed-table.js';

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

/** Sends tables to another thread and back, as far as their copies go. */
function sent(tables: readonly Table[]): Table[] {
  const packer = new TablePacker();
  const unpacker = new TableUnpacker(tableFromIPC(tableToIPC(new Table(tables[0].schema), 'stream')).schema);
  return tables.map((each) => {
    const { packed, transfer } = packer.pack(each);
    return unpacker.unpack(structuredClone(packed, { transfer }));
  });
}

it('a table of any types comes back as it was, and its own buffers stay', () => {
  const rows = JSON.stringify(table.toArray(), bigIntText);
  const [back] = sent([table]);
  expect(String(back.schema)).toBe(String(table.schema));
  expect(JSON.stringify(back.toArray(), bigIntText)).toBe(rows);
  expect(JSON.stringify(table.toArray(), bigIntText)).toBe(rows);
});

it('slices, several batches, and tables that share a dictionary or have another come back in their order', () => {
  const other = table.setChild(
    'word',
    vectorFromArray(
      each((row) => `other ${row}`),
      words.type,
    ),
  );
  const tables = [table.slice(5, 40), table.slice(40), new Table([...other.batches, ...table.batches])];
  const back = sent(tables);
  back.forEach((each, i) => {
    expect(JSON.stringify(each.toArray(), bigIntText)).toBe(JSON.stringify(tables[i].toArray(), bigIntText));
  });
});

function bigIntText(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

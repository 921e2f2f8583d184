import {
  type Data,
  Dictionary,
  Field,
  Int32,
  List,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { OptionError } from '../../src/errors.js';
import { readTable } from '../../src/files/index.js';
import { encoded, weather } from './encoded-tables.js';
import { columnsOf } from './table-rows.js';

const FORMATS = ['csv', 'json', 'arrow', 'parquet'] as const;

/** A table of a dictionary column alone, as its parts are given. */
function ofDictionary(
  dictionary: Vector<Utf8>,
  indices: number[],
  type = new Dictionary(new Utf8(), new Int32()),
): Table {
  const data: Data = makeData({ type, data: Int32Array.from(indices), dictionary });
  const schema = new Schema([new Field('id', type, true)]);
  const struct = makeData({ type: new Struct(schema.fields), length: indices.length, nullCount: 0, children: [data] });
  return new Table(schema, [new RecordBatch(schema, struct)]);
}

const texts = (...values: string[]) => vectorFromArray(values, new Utf8());

describe('encodeTables of dictionary columns', () => {
  const ab = texts('a', 'b');

  test('writes a dictionary that all tables share once', async () => {
    const dictionary = texts('x'.repeat(100_000), 'y');
    const tables = Array.from({ length: 20 }, () => ofDictionary(dictionary, [1, 0, 1]));
    const bytes = await encoded(tables, 'arrow');
    expect(bytes.length).toBeLessThan(120_000);
    expect((await readTable(bytes)).getChild('id')?.toArray()[59]).toBe('y');
  });

  test.each(FORMATS)('takes equal dictionaries that are not the same object, in %s', async (format) => {
    const parts = [ofDictionary(ab, [0, 1]), ofDictionary(texts('a', 'b'), [1, 1])];
    const bytes = await encoded(parts, format);
    if (format === 'csv') expect(Buffer.from(bytes).toString()).toBe('id\na\nb\nb\nb\n');
    else if (format === 'json') expect(JSON.parse(Buffer.from(bytes).toString())[2]).toEqual({ id: 'b' });
    else expect(columnsOf(await readTable(bytes)).id).toEqual(['a', 'b', 'b', 'b']);
  });

  test('keeps nulls and slices where it puts the first dictionary in place of an equal one', async () => {
    const other = weather(40).slice(7, 31);
    const read = await readTable(await encoded([weather(40), other], 'arrow'));
    expect(columnsOf(read).name).toEqual([...columnsOf(weather(40)).name, ...columnsOf(other).name]);
  });

  test('gives the same bytes of the same content, however many dictionaries were made before', async () => {
    const two = () => [ofDictionary(texts('a', 'b'), [0, 1]), ofDictionary(texts('a', 'b'), [1])];
    expect(await encoded(two(), 'arrow')).toEqual(await encoded(two(), 'arrow'));
    const nested = vectorFromArray(
      [['a'], ['b', 'a']],
      new List(new Field('item', new Dictionary(new Utf8(), new Int32(), 0))),
    );
    const both = new Table({ id: ofDictionary(ab, [0, 1]).getChild('id') as Vector, nested });
    expect(columnsOf(await readTable(await encoded([both], 'arrow'))).id).toEqual(['a', 'b']);
  });

  test('takes dictionaries that grow by chunks, in any order', async () => {
    const grown = ab.concat(texts('c')) as Vector<Utf8>;
    const parts = [ofDictionary(ab, [0]), ofDictionary(grown, [2]), ofDictionary(ab, [1]), ofDictionary(grown, [2, 0])];
    expect(columnsOf(await readTable(await encoded(parts, 'arrow'))).id).toEqual(['a', 'c', 'b', 'c', 'a']);
  });

  test.each(['csv', 'json', 'parquet'] as const)(
    'writes each row by its own table’s dictionary in %s',
    async (format) => {
      const bytes = await encoded([ofDictionary(ab, [0, 1]), ofDictionary(texts('z', 'a', 'b'), [0, 1])], format);
      const ids =
        format === 'csv'
          ? Buffer.from(bytes).toString().split('\n').slice(1, -1)
          : format === 'json'
            ? JSON.parse(Buffer.from(bytes).toString()).map((row: { id: string }) => row.id)
            : columnsOf(await readTable(bytes)).id;
      expect(ids).toEqual(['a', 'b', 'z', 'a']);
    },
  );

  test('rejects another dictionary in Arrow, and names the column', async () => {
    for (const other of [texts('z', 'a', 'b'), texts('b', 'a')]) {
      await expect(encoded([ofDictionary(ab, [0, 1]), ofDictionary(other, [0, 1])], 'arrow')).rejects.toThrow(
        new OptionError({
          subject: 'column id',
          problem: 'has another dictionary than in the batches before, which an Arrow file cannot hold',
          received: `${other.length} entries after 2`,
          allowed: 'one dictionary for all batches, or a column of type Utf8',
        }),
      );
    }
  });
});

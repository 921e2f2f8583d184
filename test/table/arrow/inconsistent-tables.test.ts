import {
  type Data,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  List,
  makeData,
  makeVector,
  RecordBatch,
  Schema,
  Struct,
  Table,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { isPlumecastError } from '../../../src/errors.js';
import { encodeTable } from '../../../src/files/encode-tables.js';
import { readTable } from '../../../src/files/read-table.js';
import { statistics } from '../../../src/statistics/statistics.js';
import { dailyTable } from '../../../src/table/daily/daily-table.js';
import { daysFrom, messageOf, table } from '../tables.js';

const core = await loadCore();
const days = daysFrom('2024-01-01', 4).data[0] as Data;
const numbers = (length: number, of = length) => makeData({ type: new Float64(), length, data: new Float64Array(of) });

/** A table of a column of days and `column`, put together without apache-arrow's own checks. */
function byHand(column: Data, name: unknown = 'rain', metadata: unknown = new Map()): Table {
  const fields = [new Field('date', days.type, true), new Field(name as string, column.type, true)];
  const schema = new Schema(fields);
  const data = makeData({ type: new Struct(fields), length: 4, nullCount: 0, children: [days, column] });
  const batch = new RecordBatch(schema, data);
  Object.defineProperties(batch, { data: { value: data }, schema: { value: schema } });
  const made = new Table(schema, [batch]);
  Object.assign(schema, { metadata });
  return made;
}

const columnsOf = (of: Table) => Object.fromEntries(of.schema.names.map((name) => [name, of.getChild(name) as Vector]));

const list = (type: List | FixedSizeList, offsets: number[], items: number) =>
  makeData({
    type,
    length: 4,
    nullCount: 0,
    valueOffsets: Int32Array.from(offsets),
    child: numbers(items),
  } as never) as Data;
const item = new Field('item', new Float64(), true);

describe('a table that contradicts itself is an error, whatever is done with it', () => {
  it.each<[string, Table, RegExp]>([
    ['a column shorter than the table', byHand(numbers(2)), /column rain: columns of another length than the table/],
    ['a column longer than the table', byHand(numbers(6)), /column rain: columns of another length than the table/],
    ['fewer values than the column says', byHand(numbers(4, 2)), /column rain: fewer values than rows/],
    [
      'texts beyond their bytes',
      byHand(
        makeData({
          type: new Utf8(),
          length: 4,
          nullCount: 0,
          valueOffsets: Int32Array.of(0, 1, 2, 3, 99),
          data: new Uint8Array(3),
        }) as Data,
      ),
      /column rain: fewer values than rows/,
    ],
    [
      'lists beyond their items',
      byHand(list(new List(item), [0, 2, 4, 6, 99], 6)),
      /column rain: fewer values than rows/,
    ],
    [
      'lists of a size with too few items',
      byHand(list(new FixedSizeList(2, item), [], 3)),
      /column rain: fewer values/,
    ],
    ['a name that is null', byHand(numbers(4), null), /column 2: has no name; received null/],
    ['a name that is a number', byHand(numbers(4), 5), /column 2: has no name; received 5/],
    ['metadata that are no map', byHand(numbers(4), 'rain', { variable: 'rain' }), /metadata cannot be used/],
    ['metadata that are no texts', byHand(numbers(4), 'rain', new Map([['variable', 5]])), /metadata cannot be used/],
  ])('%s', async (_, wrong, message) => {
    expect(messageOf(() => statistics(core, wrong, { variable: 'precipitation' }))).toMatch(message);
    expect(messageOf(() => dailyTable(wrong))).toMatch(message);
    for (const format of ['csv', 'arrow', 'parquet', 'json'] as const) {
      const error = await encodeTable(wrong, format).catch((cause: unknown) => cause);
      expect(isPlumecastError(error)).toBe(true);
      expect(String(error)).toMatch(message);
    }
  });

  it('other values than tables', () => {
    for (const wrong of [null, undefined, {}, [], 'table', { schema: { fields: [] } }, makeVector(days)]) {
      expect(messageOf(() => statistics(core, wrong as never))).toMatch(/^OptionError table: cannot be used/);
    }
  });

  it('a complete one is read', () => {
    expect(statistics(core, table({ date: daysFrom('2024-01-01', 2), rain: [1, 2] })).numRows).toBe(2);
    expect(statistics(core, byHand(numbers(4))).numRows).toBe(4);
  });

  it.each([
    ['missing', [null, null]],
    ['empty', ['', '']],
  ])('one whose texts are all %s, as Parquet keeps them without a byte, is read', async (_, texts) => {
    const note = vectorFromArray(texts, new Utf8());
    const whole = new Table({ ...columnsOf(table({ date: daysFrom('2024-01-01', 2), rain: [1, 2] })), note });
    const read = await readTable(await encodeTable(whole, 'parquet'));
    expect(read.getChild('note')?.data[0].values.length).toBe(0);
    expect(statistics(core, read).numRows).toBe(2);
  });

  it('one in memory of the core that has grown since is not', () => {
    const values = core.memory.float32(core.memory.allocate(16), 4);
    const inCore = byHand(makeData({ type: new Float32(), length: 4, data: values }));
    expect(statistics(core, inCore).numRows).toBe(4);
    core.memory.allocate(core.memory.float32(0, 0).buffer.byteLength);
    expect(messageOf(() => statistics(core, inCore))).toMatch(/allowed: columns of a new table/);
  });
});

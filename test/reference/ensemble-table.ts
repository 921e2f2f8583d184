import {
  type Data,
  DateDay,
  Field,
  FixedSizeList,
  Float32,
  Float64,
  Int32,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
} from 'apache-arrow';
import type { RowOrder } from '../../src/core/field.js';
import type { FloatArray } from '../../src/core/number-arrays.js';

/** Daily values of an ensemble: that of (cell, day) is at `cell * days + day` of a member; NaN where missing. */
export interface EnsembleValues {
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  readonly members: readonly FloatArray[];
}

/** How a table says it. */
export interface TableLayout {
  readonly form: 'wide' | 'long' | 'list';
  readonly order?: RowOrder;
  /**
   * A missing value is NaN, or an Arrow null, or has no row in a long table. The first member has all its rows, and the
   * first day of the first cell those of all members, which show their order.
   */
  readonly missing?: 'nan' | 'null' | 'no row';
  /** Rows that record batches begin with, beside the first; ascending. */
  readonly breaks?: readonly number[];
}

type Column = [name: string, data: Data];

interface Row {
  readonly cell: number;
  readonly day: number;
  /** In long tables. */
  readonly member: number;
}

/** The same ensemble as a table; with coordinates where it has several cells. */
export function ensembleTable(values: EnsembleValues, layout: TableLayout): Table {
  const { members, days, cells } = values;
  const byDay = layout.order === 'cell-fastest';
  const rows: Row[] = Array.from({ length: days * cells }, (_, i) => ({
    cell: byDay ? i % cells : Math.floor(i / days),
    day: byDay ? Math.floor(i / cells) : i % days,
    member: 0,
  }));
  const valueAt = (member: number, { cell, day }: Row) => members[member][cell * days + day];
  const isThere = (row: Row) => !Number.isNaN(valueAt(row.member, row));
  const numbers = (length: number, value: (i: number) => number) =>
    numberData(floats(members[0], length, value), layout.missing === 'null');
  if (layout.form === 'wide') {
    const columns = members.map((_, m): Column => [`m${m + 1}`, numbers(rows.length, (i) => valueAt(m, rows[i]))]);
    return tableOf([...places(values, rows), ...columns], layout.breaks);
  }
  if (layout.form === 'list') {
    const size = members.length;
    const child = numbers(rows.length * size, (i) => valueAt(i % size, rows[Math.floor(i / size)]));
    const type = new FixedSizeList(size, new Field('item', child.type, true));
    const list = makeData({ type, length: rows.length, nullCount: 0, child });
    return tableOf([...places(values, rows), ['value', list]], layout.breaks);
  }
  const long = rows
    .flatMap((row) => members.map((_, member) => ({ ...row, member })))
    .filter((row, i) => layout.missing !== 'no row' || i < members.length || row.member === 0 || isThere(row));
  const member = makeData({ type: new Int32(), data: Int32Array.from(long, (row) => row.member) });
  const value = numbers(long.length, (i) => valueAt(long[i].member, long[i]));
  return tableOf([...places(values, long), ['member', member], ['value', value]], layout.breaks);
}

function places({ firstDay, cells }: EnsembleValues, rows: readonly Row[]): Column[] {
  const days = Int32Array.from(rows, ({ day }) => firstDay + day);
  const date: Column = ['date', makeData({ type: new DateDay(), data: days })];
  if (cells === 1) return [date];
  const coordinate = (of: (cell: number) => number) =>
    makeData({ type: new Float64(), data: Float64Array.from(rows, ({ cell }) => of(cell)) });
  return [
    ['latitude', coordinate((cell) => 50 - 0.25 * Math.floor(cell / 3))],
    ['longitude', coordinate((cell) => 0.25 * (cell % 3))],
    date,
  ];
}

function floats(like: FloatArray, length: number, value: (i: number) => number): FloatArray {
  const array = like instanceof Float32Array ? new Float32Array(length) : new Float64Array(length);
  for (let i = 0; i < length; i++) array[i] = value(i);
  return array;
}

function numberData(values: FloatArray, nanIsNull: boolean): Data {
  const type = values instanceof Float32Array ? new Float32() : new Float64();
  const nullBitmap = new Uint8Array(((values.length + 63) >> 6) * 8);
  let nullCount = 0;
  values.forEach((x, i) => {
    if (nanIsNull && Number.isNaN(x)) nullCount++;
    else nullBitmap[i >> 3] |= 1 << (i & 7);
  });
  // What lies under a null is no value of anyone's.
  const data = nullCount > 0 ? values.map((x) => (Number.isNaN(x) ? -999 : x)) : values;
  return makeData({ type, length: values.length, nullCount, nullBitmap, data: data as never }) as Data;
}

function tableOf(columns: readonly Column[], breaks: readonly number[] = []): Table {
  const fields = columns.map(([name, data]) => new Field(name, data.type, true));
  const schema = new Schema(fields);
  const [[, { length }]] = columns;
  const children = columns.map(([, data]) => data);
  const whole = new RecordBatch(schema, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
  const starts = [0, ...breaks.filter((row) => row < length)];
  return new Table(
    schema,
    starts.map((start, i) => whole.slice(start, starts[i + 1] ?? length)),
  );
}

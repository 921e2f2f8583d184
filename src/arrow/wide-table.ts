import {
  type Data,
  DateDay,
  Field,
  Float32,
  Float64,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
} from 'apache-arrow';

/** The columns of a canonical wide table, all of one length. */
export interface WideColumns {
  latitude: Float64Array;
  longitude: Float64Array;
  /** Days since 1970-01-01. */
  date: Int32Array;
  members: readonly Float32Array[];
}

/**
 * Wraps columns, without copying, as an Arrow table in the canonical wide form with one record batch. Member columns
 * are named `member_00` and so on, zero-padded to the largest index.
 */
export function wideTable(columns: WideColumns, metadata: ReadonlyMap<string, string>): Table {
  const fields = [
    new Field('latitude', new Float64()),
    new Field('longitude', new Float64()),
    new Field('date', new DateDay()),
    ...columns.members.map((_, index) => new Field(memberName(index, columns.members.length), new Float32(), true)),
  ];
  const children: Data[] = [
    makeData({ type: new Float64(), data: columns.latitude }),
    makeData({ type: new Float64(), data: columns.longitude }),
    makeData({ type: new DateDay(), data: columns.date }),
    ...columns.members.map((values) => makeData({ type: new Float32(), data: values })),
  ];
  const schema = new Schema(fields, new Map(metadata));
  const struct = makeData({ type: new Struct(fields), length: columns.date.length, nullCount: 0, children });
  return new Table(schema, new RecordBatch(schema, struct));
}

/** The name of a member's column in output: `member_00`, padded to the largest index of `count` members. */
export function memberName(index: number, count: number): string {
  return `member_${String(index).padStart(Math.max(2, String(count - 1).length), '0')}`;
}

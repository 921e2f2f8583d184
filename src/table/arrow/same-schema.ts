import { DataType, type Field, makeData, RecordBatch, type Schema, Struct, util } from 'apache-arrow';
import { OptionError } from '../../errors.js';

/** A batch of columns of the same types with a schema: each dictionary has an id, which distinguishes equal types. */
export function withSchema(batch: RecordBatch, schema: Schema): RecordBatch {
  if (batch.schema === schema) return batch;
  const { length, children: given } = batch.data;
  const children = given.map((column, index) => column.clone(schema.fields[index].type));
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

/**
 * Throws an OptionError unless the columns of `next` have the same names and types as those of `first`, in the same
 * order, and only columns that are nullable in `first` are nullable in `next`. Ids of dictionaries and metadata may
 * differ, and with `areTexts` the widths of floats. `table` counts from 1.
 */
export function checkSameColumns(first: Schema, next: Schema, table: number, areTexts = false): void {
  if (first === next) return;
  const count = Math.max(first.fields.length, next.fields.length);
  for (let i = 0; i < count; i++) {
    const [one, other] = [first.fields[i], next.fields[i]];
    const isSame = one?.name === other?.name && (one.nullable || !other.nullable);
    if (isSame && isSameType(one.type, other.type, areTexts)) continue;
    throw new OptionError({
      subject: `table ${table}`,
      problem: `differs from the first table in column ${i + 1}`,
      received: describe(other),
      allowed: describe(one),
    });
  }
}

function isSameType(one: DataType, other: DataType, areTexts: boolean): boolean {
  if (areTexts && DataType.isFloat(one)) return DataType.isFloat(other);
  if (!DataType.isDictionary(one) || !DataType.isDictionary(other)) return util.compareTypes(one, other);
  return util.compareTypes(one.indices, other.indices) && util.compareTypes(one.dictionary, other.dictionary);
}

function describe(field: Field | undefined): string {
  return field === undefined ? 'no such column' : `${field}${field.nullable ? '' : ', never null'}`;
}

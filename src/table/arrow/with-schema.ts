import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';

/** A batch of columns of the same types with a schema: each dictionary has an id, which distinguishes equal types. */
export function withSchema(batch: RecordBatch, schema: Schema): RecordBatch {
  if (batch.schema === schema) return batch;
  const { length, children: given } = batch.data;
  const children = given.map((column, index) => column.clone(schema.fields[index].type));
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }));
}

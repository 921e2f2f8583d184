import { Schema, Table } from 'apache-arrow';
import { withSchema } from './same-schema.js';
import { quickSchema } from './table-schema.js';

/** The same columns with more texts in the metadata of the table. */
export function withMetadata({ schema: given, batches }: Table, texts: ReadonlyMap<string, string>): Table {
  const schema = quickSchema(new Schema(given.fields, new Map([...given.metadata, ...texts])));
  return new Table(
    schema,
    batches.map((batch) => withSchema(batch, schema)),
  );
}

import { type Data, Field, makeData, RecordBatch, Schema, Struct, Table } from 'apache-arrow';
import { quickSchema } from '../table/arrow/table-schema.js';
import { textDictionary, texts } from '../table/build/create-table.js';

const STATED = ['variable', 'units'] as const;

/**
 * Tables with the variable and the units of their metadata as first columns: text has no other place for them. Tables
 * with a column of units, and tables that state neither, stay as they are. All tables have the schema of the first.
 */
export async function* withStatedColumns(tables: AsyncIterable<Table>): AsyncGenerator<Table> {
  let add: ((table: Table) => Table) | undefined;
  for await (const table of tables) {
    add ??= adderOf(table.schema);
    yield add(table);
  }
}

function adderOf({ fields, metadata }: Schema): (table: Table) => Table {
  const names = new Set(fields.map(({ name }) => name));
  const wanted = STATED.filter((key) => metadata.has(key) && !names.has(key));
  if (wanted.length === 0 || names.has('units')) return (table) => table;
  const dictionaries = wanted.map((key) => textDictionary([metadata.get(key) as string]));
  const added = wanted.map((key, i) => new Field(key, dictionaries[i].type, true));
  const schema = quickSchema(new Schema([...added, ...fields], metadata));
  return (table) => {
    const batches = table.batches.map(({ data, numRows: length }) => {
      const columns = wanted.map((key, i) => texts(key, new Int32Array(length), dictionaries[i]).data as Data);
      const type = new Struct(schema.fields);
      return new RecordBatch(
        schema,
        makeData({ type, length, nullCount: 0, children: [...columns, ...data.children] }),
      );
    });
    return new Table(schema, batches);
  };
}

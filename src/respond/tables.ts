import {
  DataType,
  Dictionary,
  type Field,
  makeData,
  RecordBatch,
  Schema,
  Struct,
  Table,
  tableToIPC,
} from 'apache-arrow';
import { quickSchema } from '../arrow/quick-schema.js';
import { writeTable } from '../formats/write-table.js';

export { historyTable } from './history-table.js';
export { membersTable } from './members-table.js';
export { statisticsTable } from './statistics-table.js';

/** A table as CSV in UTF-8, with a header line; missing values are empty, numbers the shortest that read back to the same value. */
export function tableCsv(table: Table): Promise<Uint8Array> {
  return writeTable(table, 'csv');
}

/**
 * A table as an Arrow IPC stream (`application/vnd.apache.arrow.stream`), with the schema's metadata; uncompressed. Equal tables
 * have equal bytes.
 */
export function tableArrowStream(table: Table): Uint8Array {
  return tableToIPC(withOwnDictionaryIds(table), 'stream');
}

/** Arrow counts the dictionaries of a process; here they are counted by column, as bytes must not tell what was made before. */
function withOwnDictionaryIds({ schema, batches }: Table): Table {
  const fields = schema.fields.map((field, column) => {
    const type = field.type as DataType;
    if (!DataType.isDictionary(type)) return field;
    return field.clone({ type: new Dictionary(type.dictionary, type.indices, column) }) as Field;
  });
  const renumbered = quickSchema(new Schema(fields, schema.metadata));
  return new Table(
    renumbered,
    batches.map(({ data, numRows: length }) => {
      const children = data.children.map((child, column) => child.clone(fields[column].type));
      return new RecordBatch(renumbered, makeData({ type: new Struct(fields), length, nullCount: 0, children }));
    }),
  );
}

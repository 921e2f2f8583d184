import type { Table } from 'apache-arrow';
import { createTable, textDictionary, texts } from '../table/write-table.js';

/** Puts a column before those of tables, which says the same in each row: the file that results are of. */
export function withSourceColumn(source: string): (table: Table) => Table {
  const dictionary = textDictionary([source]);
  return (table) => {
    const { schema, numRows } = table;
    const own = schema.fields.map(({ name }, i) => ({ name, data: table.getChildAt(i)?.data[0] }));
    const columns = own.flatMap(({ name, data }) => (data === undefined ? [] : [{ name, data }]));
    return createTable([texts('source', new Int32Array(numRows), dictionary), ...columns], schema.metadata);
  };
}

import type { Table } from 'apache-arrow';

/** All tables of a source, in order. */
export async function allTables(tables: Iterable<Table> | AsyncIterable<Table>): Promise<Table[]> {
  const found: Table[] = [];
  for await (const table of tables) found.push(table);
  return found;
}

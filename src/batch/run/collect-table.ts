import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { TableInput } from './input.js';
import { TableCollector } from './table-collector.js';

/**
 * Reads all rows of a table, of 1 GiB at most; `reason` says why they have to be read together. Throws as
 * `tablesOfFile` does, and DataError.
 */
export async function collectTable(core: Core, input: TableInput, reason: string): Promise<Table> {
  const collector = new TableCollector(input.source, true);
  for await (const table of input.tables(core)) collector.add(table, reason);
  return collector.table();
}

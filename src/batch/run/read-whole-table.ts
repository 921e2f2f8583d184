import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { ReadTableOptions } from '../../files/read-table.js';
import { tablesOfFile } from '../../files/tables-of-file.node.js';
import { TableCollector } from './table-collector.js';

/**
 * Reads all rows of the file of a table, of 1 GiB at most; `reason` says why they have to be read together. Throws as
 * `tablesOfFile` does, and DataError.
 */
export async function readWholeTable(
  core: Core,
  path: string,
  reading: ReadTableOptions & { source: string },
  reason: string,
): Promise<Table> {
  const collector = new TableCollector(reading.source, true);
  collector.reason = reason;
  for await (const table of tablesOfFile(core, path, reading)) collector.add(table);
  return collector.table();
}

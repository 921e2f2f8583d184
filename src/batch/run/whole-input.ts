import type { Table } from 'apache-arrow';
import type { Core } from '../../core/load.js';
import type { ReadTableOptions } from '../../files/read-table.js';
import { tablesOfFile } from '../../files/tables-of-file.node.js';
import { GatheredTables } from './gathered-tables.js';

/** All rows of a file of a table, which must be 1 GiB at most: `reason` says why they have to be together. Throws as `tablesOfFile` does, and DataError. */
export async function wholeTable(
  core: Core,
  path: string,
  reading: ReadTableOptions & { source: string },
  reason: string,
): Promise<Table> {
  const gathered = new GatheredTables(reading.source, true);
  gathered.because(reason);
  for await (const table of tablesOfFile(core, path, reading)) gathered.add(table);
  return gathered.whole();
}

import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { ReadTableOptions } from '../formats/read-table.js';
import { GatheredTables } from '../stream/gathered-tables.js';
import { tablesOfFile } from '../stream/tables-of-file.node.js';

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

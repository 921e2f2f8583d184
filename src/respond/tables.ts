import { type Table, tableToIPC } from 'apache-arrow';
import { writeTable } from '../formats/write-table.js';

export { historyTable } from './history-table.js';
export { membersTable } from './members-table.js';
export { statisticsTable } from './statistics-table.js';

/** A table as CSV in UTF-8, with a header line; missing values are empty, numbers the shortest that read back to the same value. */
export function tableCsv(table: Table): Promise<Uint8Array> {
  return writeTable(table, 'csv');
}

/** A table as an Arrow IPC stream (`application/vnd.apache.arrow.stream`), with the schema's metadata; uncompressed. */
export function tableArrowStream(table: Table): Uint8Array {
  return tableToIPC(table, 'stream');
}

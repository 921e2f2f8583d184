import type { Table } from 'apache-arrow';
import { unreadable } from '../../../disk/file-fault.js';
import { readRegularFile } from '../../../disk/regular-file.node.js';
import { readTable } from '../../../files/read-table.js';

/** Reads a small file of a store into memory. Rejects with FileError, FormatError or DataError. */
export async function readTableFile(path: string): Promise<Table> {
  const bytes = await readRegularFile(path).catch((cause) => Promise.reject(unreadable(path, cause)));
  return readTable(bytes, { source: path });
}

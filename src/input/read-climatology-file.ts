import type { Climatology } from '../climate/climatology.js';
import { readClimatology } from '../climate/read-climatology.js';
import { climatologyTables } from '../files/cf/content/climatology-tables.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { openInput } from './input.js';

/**
 * Reads a climatology from a table or a NetCDF file; `calendar` is that of its days if it does not state one. Throws
 * FileError, FormatError and DataError.
 */
export async function readClimatologyFile(path: string, calendar?: string): Promise<Climatology> {
  const input = await openInput(path, {}, () => {});
  const { source } = input;
  try {
    const table =
      input.kind === 'table' ? await input.read() : joinTables(await allTables(climatologyTables(input.arrays)));
    return readClimatology(table, { source, calendar });
  } finally {
    await input.close();
  }
}

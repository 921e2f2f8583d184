import type { Climatology } from '../../climate/climatology.js';
import { readClimatology } from '../../climate/read-climatology.js';
import { climatologyTables } from '../../files/cf/content/climatology-tables.js';
import { readTable } from '../../files/read-table.js';
import { allTables } from '../../table/all-tables.js';
import { joinTables } from '../../table/join-tables.js';
import { readInput, STANDARD, sourceName } from './input-file.js';
import { isGridPath, openGridFile } from './open-grid-file.js';

/**
 * Reads a climatology from a table or a NetCDF file; `calendar` is that of its days if it does not state one. Throws
 * FileError, FormatError and DataError.
 */
export async function readClimatologyFile(path: string, calendar?: string): Promise<Climatology> {
  const source = sourceName(path);
  if (path === STANDARD || !(await isGridPath(path))) {
    return readClimatology(await readTable(await readInput(path), { source }), { source, calendar });
  }
  const file = await openGridFile(path);
  try {
    return readClimatology(joinTables(await allTables(climatologyTables(file))), { source, calendar });
  } finally {
    await file.close();
  }
}

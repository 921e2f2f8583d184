import { allTables } from '../arrow/all-tables.js';
import { joinTables } from '../arrow/join-tables.js';
import type { Climatology } from '../climate/climatology.js';
import { readClimatology } from '../climate/read-climatology.js';
import { readTable } from '../formats/read-table.js';
import { climatologyTables } from '../stream/climatology-file.js';
import { isGridPath, openGridFile } from './open-grid-file.js';
import { readInput, STANDARD, sourceName } from './read-input.js';

/**
 * Reads the climatology of a file, a table or one that NetCDF holds; `calendar` is that of its days, where it does not state it. Throws
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

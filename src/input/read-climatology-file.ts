import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import { readClimatology } from '../climate/read-climatology.js';
import { allTables, joinTables } from '../table/build/join-tables.js';
import { type Input, openInput } from './input.js';

/**
 * Reads a climatology from a table or a NetCDF file; `calendar` is that of its days if it does not state one. Throws
 * FileError, FormatError and DataError.
 */
export async function readClimatologyFile(path: string, calendar?: string): Promise<Climatology> {
  const input = await openInput(path, {}, () => {});
  const { source } = input;
  try {
    return readClimatology(await tableOf(input), { source, calendar });
  } finally {
    await input.close();
  }
}

async function tableOf(input: Input): Promise<Table> {
  if (input.kind === 'table') return input.read();
  const { climatologyTables } = await import('./grid-door.js');
  return joinTables(await allTables(climatologyTables(input.arrays)));
}

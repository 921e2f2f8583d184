import { type Absent, orAbsent } from './absent.js';
import { cRivals } from './c.js';
import { cdoRival } from './cdo.js';
import { duckdbRival } from './duckdb.js';
import { polarsRival } from './polars.js';
import { pythonRivals } from './python.js';
import type { Rival } from './rival.js';

/** The rivals that this machine has, and why it does not have the others; only those whose names are asked for. */
export async function findRivals(
  folder: string,
  isRequested: (name: string) => boolean,
): Promise<{ rivals: Rival[]; absent: Absent[] }> {
  const found = [
    ...cRivals(folder),
    ...pythonRivals(),
    cdoRival(),
    await orAbsent('DuckDB', duckdbRival()),
    await orAbsent('Polars', polarsRival()),
  ];
  const requested = found.filter(({ name }) => isRequested(name));
  return {
    rivals: requested.filter((each): each is Rival => 'measure' in each),
    absent: requested.filter((each): each is Absent => 'reason' in each),
  };
}

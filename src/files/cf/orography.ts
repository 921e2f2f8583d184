import type { Table } from 'apache-arrow';
import { DataError } from '../../errors.js';
import { createTable, numbers } from '../../table/build/create-table.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { textAttribute } from './attribute-values.js';
import { storedPlaces } from './cells/cell-places.js';
import { readStaticField, type StaticField } from './static-field.js';

/** The geopotential of a metre, m2 s-2: standard gravity, by which weather centres divide. */
const GRAVITY = 9.80665;
/** Metres of a unit, by the standard names of the height of the surface and of its geopotential. */
const METRES: Readonly<Record<string, readonly [units: RegExp, metres: number]>> = {
  surface_altitude: [/^(m|gpm)$/, 1],
  surface_geopotential: [/^m\s?(\*\*|\^)?2\s?s(\*\*|\^)?-2$/, 1 / GRAVITY],
};
/**
 * Reads the height of the surface from a file of arrays, its orography or its geopotential at the surface, at the first
 * time and member: a table of `latitude`, `longitude` and `elevation` in metres. Throws DataError where the file does
 * not have one such array.
 */
export async function orographyTable(file: ArrayFile): Promise<Table> {
  const { grid, values } = await orographyField(file);
  const { latitude, longitude } = storedPlaces(grid, 0, values.length);
  const columns = [numbers('latitude', latitude), numbers('longitude', longitude), numbers('elevation', values)];
  return createTable(columns, new Map());
}

/** The height of the surface in metres, as `orographyTable` finds it. */
export async function orographyField(file: ArrayFile): Promise<StaticField> {
  const field = await readStaticField(file, findOrography(file));
  const [, metres] = METRES[textAttribute(field.array.attributes, 'standard_name') ?? ''];
  return { ...field, values: field.values.map((value) => value * metres) };
}

function findOrography({ arrays, source }: ArrayFile): StoredArray {
  const found = [...arrays.values()].filter(({ attributes }) => {
    const [units] = METRES[textAttribute(attributes, 'standard_name') ?? ''] ?? [];
    return units?.test(textAttribute(attributes, 'units') ?? '');
  });
  if (found.length === 1) return found[0];
  throw new DataError({
    source,
    problem: found.length === 0 ? 'has no orography' : 'has several arrays of orography',
    received: (found.length === 0 ? [...arrays.values()] : found).map(({ name }) => name).join(', '),
    allowed: 'one array of the standard name surface_altitude (m) or surface_geopotential (m2 s-2)',
  });
}

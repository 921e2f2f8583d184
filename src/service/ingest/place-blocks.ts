import type { EnsembleField } from '../../core/field.js';
import { copyFiniteRows } from '../../ensemble/finite-rows.js';

/** The values of a block. */
const BLOCK_VALUES = 1_048_576;

/**
 * Yields the values of a field, rows by location, some places at a time: in each block place after place, for each
 * place member after member, as stores keep them. Its cells may be put into another order; cells below 0 are missing.
 * Throws DataError for an infinite value.
 */
export function* placeBlocks(field: EnsembleField, order?: Int32Array): Generator<Float32Array> {
  const { days, members } = field;
  const cells = order?.length ?? field.cells;
  const valuesOfPlace = members.length * days;
  const maxPlaces = Math.max(1, Math.floor(BLOCK_VALUES / valuesOfPlace));
  for (let cell = 0; cell < cells; cell += maxPlaces) {
    const count = Math.min(maxPlaces, cells - cell);
    yield placeValues(
      field,
      Int32Array.from({ length: count }, (_, i) => cell + i),
      order,
    );
  }
}

/** The values of a field at some places, as `placeBlocks` yields them. Throws as it does. */
export function placeValues(field: EnsembleField, places: Int32Array, order?: Int32Array): Float32Array {
  const { days, members } = field;
  const values = new Float32Array(places.length * members.length * days);
  let at = 0;
  for (const place of places) {
    const own = order === undefined ? place : order[place];
    for (let member = 0; member < members.length; member++, at += days) {
      const row = values.subarray(at, at + days);
      if (own < 0) row.fill(Number.NaN);
      else copyFiniteRows(field, member, own * days, row);
    }
  }
  return values;
}

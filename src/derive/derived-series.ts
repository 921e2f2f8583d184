import { copyFiniteRows } from '../arrow/finite-rows.js';
import type { EnsembleField } from '../core/field.js';
import { type FloatArray, floatArray } from '../core/float-array.js';
import type { SeriesFormula } from './series-formula.js';
import type { DaySpan } from './shared-days.js';

/**
 * Each member's derived values, location by location and the days of the span in order. All fields have the same cells,
 * members and type, and the day is fastest. Throws DataError for an infinite input.
 */
export function derivedSeries(
  fields: readonly EnsembleField[],
  { firstDay, days }: DaySpan,
  formulas: (cell: number) => SeriesFormula,
): FloatArray[] {
  const { type, cells, members } = fields[0];
  const results = members.map(() => floatArray(type, cells * days));
  const inputs = fields.map(() => new Float64Array(days));
  const derived = new Float64Array(days);
  for (let cell = 0; cell < cells; cell++) {
    const formula = formulas(cell);
    for (let m = 0; m < members.length; m++) {
      for (const [i, field] of fields.entries()) {
        copyFiniteRows(field, m, cell * field.days + firstDay - field.firstDay, inputs[i]);
      }
      formula(inputs, derived);
      results[m].set(derived, cell * days);
    }
  }
  return results;
}

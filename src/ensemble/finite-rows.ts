import type { EnsembleField } from '../core/field.js';
import type { FloatArray } from '../core/float-array.js';
import { infiniteValue } from '../core/infinite-value.js';

/**
 * Fills `target` with the rows of a member from row `from` on; missing values become NaN. Throws a DataError for the
 * first infinite value.
 */
export function copyFiniteRows(field: EnsembleField, member: number, from: number, target: FloatArray): void {
  field.members[member].copyTo(target, 0, from, from + target.length);
  for (let i = 0; i < target.length; i++) {
    if (Math.abs(target[i]) === Number.POSITIVE_INFINITY) throw infiniteValue(field, member, from + i, target[i]);
  }
}

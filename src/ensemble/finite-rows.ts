import type { EnsembleField } from '../core/field.js';
import { infiniteValue } from '../core/infinite-value.js';
import type { FloatArray } from '../core/number-arrays.js';

/**
 * Fills `target` with rows of a member, from row `from` on and `stride` apart; missing values become NaN. Throws a
 * DataError for the first infinite value.
 */
export function copyFiniteRows(
  field: EnsembleField,
  member: number,
  from: number,
  target: FloatArray,
  stride = 1,
): void {
  const column = field.members[member];
  if (stride === 1) column.copyTo(target, 0, from, from + target.length);
  else for (let i = 0; i < target.length; i++) target[i] = column.value(from + i * stride);
  for (let i = 0; i < target.length; i++) {
    if (Math.abs(target[i]) === Number.POSITIVE_INFINITY)
      throw infiniteValue(field, member, from + i * stride, target[i]);
  }
}

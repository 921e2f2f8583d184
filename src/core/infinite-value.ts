import { DataError } from '../errors.js';
import type { EnsembleField } from './field.js';

/** The error for an infinite value in a row of a member. */
export function infiniteValue(
  { place, members }: EnsembleField,
  member: number,
  row: number,
  received: number,
): DataError {
  return new DataError({
    ...(place?.(member, row) ?? { row: row + 1, column: members[member].name }),
    problem: 'infinite value',
    received,
    allowed: 'finite numbers; NaN or null where a value is missing',
  });
}

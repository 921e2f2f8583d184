import { DataError } from '../errors.js';
import type { EnsembleField } from './field.js';

/** The error for an infinite value in a row of a member. */
export function infiniteValue(
  { place, members }: Partial<EnsembleField>,
  member: number,
  row: number,
  received: number,
  problem = 'infinite value',
  allowed = 'finite numbers; NaN or null where a value is missing',
): DataError {
  const at = place?.(member, row) ?? { row: row + 1, column: members?.[member].name };
  return new DataError({ ...at, problem, received, allowed });
}

/** The error for a sum that the type of a field cannot hold, of a member's values from a row on. */
export function overflow(field: EnsembleField, member: number, row: number, received: number): DataError {
  return infiniteValue(field, member, row, received, 'a sum from here on overflows', `sums that a ${field.type} holds`);
}

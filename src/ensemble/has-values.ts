import type { MemberColumn } from '../core/member-column.js';
import { type FloatType, floatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import type { EnsemblePart } from './ensemble.js';

/** The error for an input that has no value at all. */
export function noValues(source: string | undefined): DataError {
  return new DataError({
    source,
    problem: 'has no value: all are missing',
    allowed: 'a value of some member on some day',
  });
}

/** Whether some value is not missing. */
export function hasValues({ field: { members, type } }: Pick<EnsemblePart, 'field'>): boolean {
  return members.some((member) => hasValue(member, type));
}

/** Whether some value of a member is not missing, of the rows from `from` to `to` (exclusive). */
export function hasValue(member: MemberColumn, type: FloatType, from = 0, to = member.length): boolean {
  // Mostly the first value tells.
  let size = 16;
  while (from < to) {
    const run = floatArray(type, Math.min(size, to - from));
    member.copyTo(run, 0, from, from + run.length);
    for (let i = 0; i < run.length; i++) if (!Number.isNaN(run[i])) return true;
    from += run.length;
    size = 4096;
  }
  return false;
}

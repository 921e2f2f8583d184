import { isPlainObject } from '../check/option-checks.js';
import { type FloatArray, isFloatArray } from '../core/number-arrays.js';
import { DataError, OptionError, unusable } from '../errors.js';
import { MAX_MEMBERS } from './tally.js';

/** Forecasts of an ensemble, and what was observed. NaN is a missing value. */
export interface Cases {
  /** An array for each member, with a value for each case: all Float32Array, or all Float64Array. */
  readonly members: readonly FloatArray[];
  /** What was observed in each case. */
  readonly observations: FloatArray;
}

/** Throws OptionError for arrays that do not fit each other. */
export function assertCases(cases: Cases): void {
  if (!isPlainObject(cases) || !('observations' in cases))
    throw unusable('cases', cases, 'an object such as { members, observations }');
  const { members, observations } = cases;
  if (!isFloatArray(observations)) throw unusable('observations', observations, 'a Float32Array or Float64Array');
  assertMembers('members', members, observations.length);
}

/** Throws OptionError for what are not the arrays of members. */
export function assertMembers(subject: string, members: readonly FloatArray[], cases: number): void {
  if (!Array.isArray(members) || members.length === 0 || members.length > MAX_MEMBERS)
    throw unusable(subject, members, `a list of 1 to ${MAX_MEMBERS} arrays, one for each member`);
  members.forEach((values, m) => {
    if (!isFloatArray(values) || values.constructor !== members[0].constructor)
      throw unusable(`${subject}[${m}]`, values, 'a Float32Array or Float64Array of the same type as the first');
    assertLength(`${subject}[${m}]`, values, cases);
  });
}

/** Throws OptionError for an array that does not have a value for each case. */
export function assertLength(subject: string, values: ArrayLike<unknown>, cases: number): void {
  if (values.length === cases) return;
  throw new OptionError({
    subject,
    problem: 'does not have a value for each observation',
    received: values.length,
    allowed: `${cases} values`,
  });
}

/** Squares of such values, and sums of these, are finite. */
const MAX_VALUE = 1e100;

/** Throws DataError for a value that is infinite, or too large to be squared and added up. */
export function assertFinite(subject: string, values: FloatArray): void {
  for (let i = 0; i < values.length; i++) {
    // Not true of NaN.
    if (Math.abs(values[i]) > MAX_VALUE) {
      throw new DataError({
        subject: `${subject}[${i}]`,
        problem: Math.abs(values[i]) === Infinity ? 'is infinite' : 'is too large',
        received: values[i],
        allowed: `numbers up to ${MAX_VALUE}, and NaN for missing ones`,
      });
    }
  }
}

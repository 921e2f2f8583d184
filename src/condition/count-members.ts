import type { FloatArray, FloatType } from '../core/number-arrays.js';
import { tieBound } from '../statistics/categories.js';
import type { ThresholdOperator } from '../statistics/options.js';
import type { Condition, ConditionLimit, ConditionPart } from './condition.js';

/** The values of members by window, in which conditions are looked for. */
export interface MemberValues {
  /** The number of members, which are the same for all variables. */
  readonly members: number;
  /** The number of results: the length of each array. */
  readonly length: number;
  /** The values of a variable, an array for each member; NaN where they are missing. */
  of(variable: string | undefined): MemberRows;
  /** For each result the limit that a quantile of the climatology is; NaN where there is none. */
  limit(quantile: number, variable: string | undefined): FloatArray;
}

/** The values of one variable: an array for each member. */
export interface MemberRows {
  /** Values and limits are compared in this type. */
  readonly type: FloatType;
  readonly rows: readonly FloatArray[];
}

/** For each result the members that a condition is counted over. */
export interface MemberCounts {
  /**
   * Members of which it is known whether the condition holds; of a condition that is given another, whether both do, or
   * that the other does not.
   */
  readonly known: Int32Array;
  /** Of these, the members over which the share is: all, or those for which the given condition holds. */
  readonly of: Int32Array;
  /** Of these, those for which it holds. */
  readonly holds: Int32Array;
}

/** Whether a condition holds for a member, ordered so that `and` is the least and `or` the greatest (Kleene 1952). */
const FALSE = 0;
const UNKNOWN = 1;
const TRUE = 2;

/**
 * Counts the members for which a condition holds. A part of which the value or the limit is missing is unknown. A
 * condition is unknown only where an unknown part decides: `a and b` is false where one of them is, `a or b` true where
 * one of them is.
 */
export function countMembers(condition: Condition, values: MemberValues): MemberCounts {
  const { length, members } = values;
  const known = new Int32Array(length);
  const holds = new Int32Array(length);
  const [own, given] = condition.kind === 'given' ? [condition.condition, condition.given] : [condition];
  const test = memberTest(own, values);
  const truth = new Uint8Array(length);
  if (given === undefined) {
    for (let m = 0; m < members; m++) {
      test(m, truth);
      for (let i = 0; i < length; i++) {
        known[i] += (truth[i] & 1) ^ 1;
        holds[i] += truth[i] >> 1;
      }
    }
    return { known, of: known, holds };
  }
  const among = new Int32Array(length);
  const testGiven = memberTest(given, values);
  const isGiven = new Uint8Array(length);
  for (let m = 0; m < members; m++) {
    test(m, truth);
    testGiven(m, isGiven);
    for (let i = 0; i < length; i++) {
      if (isGiven[i] === UNKNOWN || (isGiven[i] === TRUE && truth[i] === UNKNOWN)) continue;
      known[i]++;
      if (isGiven[i] === FALSE) continue;
      among[i]++;
      holds[i] += truth[i] >> 1;
    }
  }
  return { known, of: among, holds };
}

/** How many of some members must be known, as for all statistics: a share of them, rounded up, and at least one. */
export function requiredMembers(members: number, minMemberShare: number): number {
  // 1e-9: the product may be above a whole number by its last bit, and must not be rounded up then.
  return Math.max(1, Math.ceil(minMemberShare * members - 1e-9));
}

/**
 * The share of members for which a condition holds, NaN where it is known of fewer than `required`, or where the given
 * condition holds for none.
 */
export function shareOfMembers({ known, of, holds }: MemberCounts, required: number): Float64Array {
  return Float64Array.from(known, (count, i) => (count < required || of[i] === 0 ? Number.NaN : holds[i] / of[i]));
}

/** Writes for each result whether a member fulfils a part. */
type MemberTest = (member: number, truth: Uint8Array) => void;

function memberTest(part: ConditionPart, values: MemberValues): MemberTest {
  switch (part.kind) {
    case 'comparison':
      return comparisonTest(part, part.operator, part.limit, values);
    case 'range': {
      const tests = [comparisonTest(part, '>=', part.from, values), comparisonTest(part, '<=', part.to, values)];
      return combinedTest('and', tests, values.length);
    }
    default:
      return combinedTest(
        part.kind,
        part.parts.map((one) => memberTest(one, values)),
        values.length,
      );
  }
}

function combinedTest(kind: 'and' | 'or', [first, ...others]: readonly MemberTest[], length: number): MemberTest {
  const other = new Uint8Array(length);
  return (member, truth) => {
    first(member, truth);
    for (const test of others) {
      test(member, other);
      if (kind === 'and') for (let i = 0; i < length; i++) truth[i] = truth[i] < other[i] ? truth[i] : other[i];
      else for (let i = 0; i < length; i++) truth[i] = truth[i] > other[i] ? truth[i] : other[i];
    }
  };
}

/** As kernels do, this looks which values are above an end of what ties with the limit; `<` and `<=` are the others. */
function comparisonTest(
  { variable }: { readonly variable?: string },
  operator: ThresholdOperator,
  limit: ConditionLimit,
  values: MemberValues,
): MemberTest {
  const { type, rows } = values.of(variable);
  const side = operator === '>' || operator === '<=' ? 1 : -1;
  const single = type === 'float32';
  const sign = operator === '>' || operator === '>=' ? 1 : -1;
  if (typeof limit === 'number') {
    const end = tieBound(limit, side, single);
    return (member, truth) => {
      const row = rows[member];
      for (let i = 0; i < truth.length; i++) truth[i] = UNKNOWN + sign * (Number(row[i] > end) - Number(row[i] <= end));
    };
  }
  const ends = Float64Array.from(values.limit(limit.quantile, variable), (one) => tieBound(one, side, single));
  return (member, truth) => {
    const row = rows[member];
    for (let i = 0; i < truth.length; i++)
      truth[i] = UNKNOWN + sign * (Number(row[i] > ends[i]) - Number(row[i] <= ends[i]));
  };
}

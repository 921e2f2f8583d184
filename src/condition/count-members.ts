import type { FloatArray, FloatType } from '../core/number-arrays.js';
import { tieBound } from '../statistics/categories.js';
import type { ThresholdOperator } from '../statistics/options.js';
import {
  type ComparisonPart,
  type Condition,
  type ConditionLimit,
  type ConditionPart,
  leavesOf,
  type RangePart,
} from './condition.js';

/** The values of members by window, in which conditions are looked for. */
export interface MemberValues {
  /** The number of members, which are the same for all variables. */
  readonly members: number;
  /** The number of results. */
  readonly length: number;
  /** The values of a variable. */
  of(variable: string | undefined): MemberBits;
  /** For each result the limit that a quantile of the climatology is; NaN where there is none. */
  limit(quantile: number, variable: string | undefined): FloatArray;
}

/**
 * A bit for each member of each result, 32 members to a word: words of the first members for all results, then of the next. So
 * parts of conditions are combined for 32 members at a time.
 */
export type MemberWords = Int32Array;

/** The values of one variable. */
export interface MemberBits {
  /** Values and limits are compared in this type. */
  readonly type: FloatType;
  /** Members that have a value. */
  readonly there: MemberWords;
  /** Members whose value is above an end of what ties with a limit. */
  above(bound: Bound): MemberWords;
}

/** An end of what ties with a limit: the upper one (`side` 1) or the lower. */
export interface Bound {
  readonly side: 1 | -1;
  readonly limit: ConditionLimit;
  /** One end for all results, or an end for each; NaN where there is no limit. */
  readonly end: number | Float64Array;
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

/** The members for which a part holds, and those for which it does not; of others it is unknown (three values: Kleene 1952). */
interface Truth {
  readonly yes: MemberWords;
  readonly no: MemberWords;
}

/** Words without any bit for so many members and results. */
export function memberWords(members: number, length: number): MemberWords {
  return new Int32Array(Math.ceil(members / 32) * length);
}

/** The values of one variable, an array for each member; NaN where they are missing. */
export function memberBits(type: FloatType, rows: readonly FloatArray[]): MemberBits {
  const words = (mark: (row: FloatArray, i: number) => boolean) => {
    const { length } = rows[0];
    const marked = memberWords(rows.length, length);
    for (const [m, row] of rows.entries()) {
      const at = (m >> 5) * length;
      for (let i = 0; i < length; i++) marked[at + i] |= Number(mark(row, i)) << m;
    }
    return marked;
  };
  return {
    type,
    there: words((row, i) => !Number.isNaN(row[i])),
    above: ({ end }) => words(typeof end === 'number' ? (row, i) => row[i] > end : (row, i) => row[i] > end[i]),
  };
}

/** The number of bits that are set in a word. */
function bitCount(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Counts for each result the members that have a value of every variable. */
export function countComplete([first, ...others]: readonly MemberBits[], counts: Int32Array): void {
  const all = first.there.slice();
  for (const { there } of others) for (let j = 0; j < all.length; j++) all[j] &= there[j];
  for (let j = 0; j < all.length; j++) counts[j % counts.length] += bitCount(all[j]);
}

/**
 * Counts the members for which a condition holds. A part of which the value or the limit is missing is unknown. A
 * condition is unknown only where an unknown part decides: `a and b` is false where one of them is, `a or b` true where
 * one of them is.
 */
export function countMembers(condition: Condition, values: MemberValues): MemberCounts {
  const { length } = values;
  const known = new Int32Array(length);
  const holds = new Int32Array(length);
  const [own, given] = condition.kind === 'given' ? [condition.condition, condition.given] : [condition];
  const { yes, no } = truthOf(own, values);
  if (given === undefined) {
    for (let j = 0; j < yes.length; j++) {
      known[j % length] += bitCount(yes[j] | no[j]);
      holds[j % length] += bitCount(yes[j]);
    }
    return { known, of: known, holds };
  }
  const among = new Int32Array(length);
  const of = truthOf(given, values);
  for (let j = 0; j < yes.length; j++) {
    const both = of.yes[j] & (yes[j] | no[j]);
    known[j % length] += bitCount(both | of.no[j]);
    among[j % length] += bitCount(both);
    holds[j % length] += bitCount(of.yes[j] & yes[j]);
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
  const shares = new Float64Array(known.length);
  for (let i = 0; i < shares.length; i++) {
    shares[i] = known[i] < required || of[i] === 0 ? Number.NaN : holds[i] / of[i];
  }
  return shares;
}

/** The ends of what ties with limits, at which a condition looks whether values of a variable are above; each once. */
export function boundsOf(
  conditions: readonly Condition[],
  variable: string | undefined,
  values: Pick<MemberValues, 'limit'>,
  type: FloatType,
): Bound[] {
  const bounds = new Map<string, Bound>();
  for (const leaf of conditions.flatMap(leavesOf)) {
    if (leaf.variable !== variable) continue;
    for (const [operator, limit] of comparisonsOf(leaf)) {
      const bound = boundOf(operator, limit, variable, values, type);
      bounds.set(boundKey(bound), bound);
    }
  }
  return [...bounds.values()];
}

/** What tells bounds of a variable apart. */
export function boundKey({ side, limit }: Pick<Bound, 'side' | 'limit'>): string {
  return `${side} ${typeof limit === 'number' ? limit : `q${limit.quantile}`}`;
}

/** The comparisons that a leaf is: a range is two. */
function comparisonsOf(leaf: ComparisonPart | RangePart): [ThresholdOperator, ConditionLimit][] {
  return leaf.kind === 'range'
    ? [
        ['>=', leaf.from],
        ['<=', leaf.to],
      ]
    : [[leaf.operator, leaf.limit]];
}

function boundOf(
  operator: ThresholdOperator,
  limit: ConditionLimit,
  variable: string | undefined,
  values: Pick<MemberValues, 'limit'>,
  type: FloatType,
): Bound {
  const side = operator === '>' || operator === '<=' ? 1 : -1;
  const endOf = (one: number) => tieBound(one, side, type === 'float32');
  const end =
    typeof limit === 'number' ? endOf(limit) : Float64Array.from(values.limit(limit.quantile, variable), endOf);
  return { side, limit, end };
}

function truthOf(part: ConditionPart, values: MemberValues): Truth {
  if ('parts' in part) {
    return combined(
      part.kind,
      part.parts.map((one) => truthOf(one, values)),
    );
  }
  return combined(
    'and',
    comparisonsOf(part).map(([operator, limit]) => comparisonOf(part.variable, operator, limit, values)),
  );
}

/** Combines parts in the arrays of the first. */
function combined(kind: 'and' | 'or', [{ yes, no }, ...others]: readonly Truth[]): Truth {
  const [every, any] = kind === 'and' ? [yes, no] : [no, yes];
  for (const other of others) {
    const [ofEvery, ofAny] = kind === 'and' ? [other.yes, other.no] : [other.no, other.yes];
    for (let j = 0; j < every.length; j++) {
      every[j] &= ofEvery[j];
      any[j] |= ofAny[j];
    }
  }
  return { yes, no };
}

/** As kernels do, this looks which values are above an end of what ties with the limit; `<` and `<=` are the others. */
function comparisonOf(
  variable: string | undefined,
  operator: ThresholdOperator,
  limit: ConditionLimit,
  values: MemberValues,
): Truth {
  const bits = values.of(variable);
  const bound = boundOf(operator, limit, variable, values, bits.type);
  const { end } = bound;
  // Parts are combined in these arrays.
  const above = bits.above(bound).slice();
  const others = new Int32Array(above.length);
  for (let j = 0; j < others.length; j++) others[j] = bits.there[j] & ~above[j];
  if (typeof end !== 'number')
    for (let j = 0; j < others.length; j++) if (Number.isNaN(end[j % end.length])) others[j] = 0;
  return operator === '>' || operator === '>=' ? { yes: above, no: others } : { yes: others, no: above };
}

import type { Condition } from '../condition/condition.js';
import { countMembers, memberBits } from '../condition/count-members.js';
import type { FloatArray } from '../core/number-arrays.js';
import { DataError } from '../errors.js';
import { thresholdEnd } from '../statistics/categories.js';
import { countAbove } from './case-blocks.js';
import type { Skill } from './load-skill.js';

/** Quantiles of the climatology by probability, with a value for each case. */
export type ClimateQuantiles = ReadonlyMap<number, FloatArray>;

/** For each case the members of which a condition is known, and those for which it holds. */
export interface EventCounts {
  readonly known: Int32Array;
  readonly holds: Int32Array;
}

/**
 * Counts the members for which a condition holds. Values tie with limits as in all shares of members. Throws DataError
 * where the condition needs a quantile of the climatology that is not given.
 */
export function countEvent(
  skill: Skill,
  condition: Condition,
  members: readonly FloatArray[],
  climate: ClimateQuantiles,
): EventCounts {
  const single = members[0] instanceof Float32Array;
  if (condition.kind === 'comparison' && typeof condition.limit === 'number') {
    const [end, isBelow] = thresholdEnd({ operator: condition.operator, limit: condition.limit }, single);
    const { above, others } = countAbove(skill, members, end);
    const known = above.map((count, i) => count + others[i]);
    return { known, holds: isBelow === 1 ? others : above };
  }
  const values = memberBits(single ? 'float32' : 'float64', members);
  return countMembers(condition, {
    members: members.length,
    length: members[0].length,
    of: () => values,
    limit: (quantile) => limitOf(quantile, climate),
  });
}

/** The counts of several conditions, the same ones once: the lowest category is a limit of ranked scores, too. */
export function countEvents(
  skill: Skill,
  conditions: readonly Condition[],
  members: readonly FloatArray[],
  climate: ClimateQuantiles,
): EventCounts[] {
  const counted = new Map<string, EventCounts>();
  return conditions.map((condition) => {
    const key = JSON.stringify(condition);
    const counts = counted.get(key) ?? countEvent(skill, condition, members, climate);
    counted.set(key, counts);
    return counts;
  });
}

/** The values of a quantile. */
function limitOf(quantile: number, climate: ClimateQuantiles): FloatArray {
  const found = climate.get(quantile);
  if (found !== undefined) return found;
  throw new DataError({
    subject: 'climate',
    problem: `has no quantile ${quantile}, which a condition or the categories need`,
    received: [...climate.keys()].join(', ') || 'none',
    allowed: 'a value of it for each case',
  });
}

import type { CombinedPart, Condition, ConditionLimit, GivenCondition } from '../../condition/condition.js';

/** A condition whose numbers are what `convert` gives for them and the variable that they are of. */
export function withLimits(
  condition: Condition,
  convert: (limit: number, variable: string | undefined) => number,
): Condition {
  const converted = (each: Condition): Condition => {
    const limitOf = (limit: ConditionLimit, variable: string | undefined) =>
      typeof limit === 'number' ? convert(limit, variable) : limit;
    switch (each.kind) {
      case 'given':
        return { ...each, condition: converted(each.condition), given: converted(each.given) } as GivenCondition;
      case 'range':
        return { ...each, from: limitOf(each.from, each.variable), to: limitOf(each.to, each.variable) };
      case 'comparison':
        return { ...each, limit: limitOf(each.limit, each.variable) };
      default:
        return { ...each, parts: each.parts.map(converted) } as CombinedPart;
    }
  };
  return converted(condition);
}

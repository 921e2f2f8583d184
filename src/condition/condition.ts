import type { ThresholdOperator } from '../statistics/options.js';

/** What values are compared with: a number, or a quantile of the climatology for the same place and time of the year. */
export type ConditionLimit = number | { readonly quantile: number };

/** One value against one limit; without a variable, the value of the only one that there is. */
export interface ComparisonPart {
  readonly kind: 'comparison';
  readonly variable?: string;
  readonly operator: ThresholdOperator;
  readonly limit: ConditionLimit;
}

/** One value between two limits, both inclusive. */
export interface RangePart {
  readonly kind: 'range';
  readonly variable?: string;
  readonly from: ConditionLimit;
  readonly to: ConditionLimit;
}

/** Several parts that hold all (`and`), or of which at least one does (`or`). No part is of the same kind. */
export interface CombinedPart {
  readonly kind: 'and' | 'or';
  readonly parts: readonly ConditionPart[];
}

/** What holds for a member or not. */
export type ConditionPart = ComparisonPart | RangePart | CombinedPart;

/** A part among those members for which another holds. */
export interface GivenCondition {
  readonly kind: 'given';
  readonly condition: ConditionPart;
  readonly given: ConditionPart;
}

/** A condition on the values of a member in a window, as `parseCondition` reads it. */
export type Condition = ConditionPart | GivenCondition;

/** The most comparisons and ranges of one condition. */
export const MAX_PARTS = 99;

/** The comparisons and ranges of a condition, from left to right. */
export function leavesOf(condition: Condition): (ComparisonPart | RangePart)[] {
  if (condition.kind === 'given') return [condition.condition, condition.given].flatMap(leavesOf);
  return 'parts' in condition ? condition.parts.flatMap(leavesOf) : [condition];
}

/** The limits of a comparison or a range. */
function limitsOf(leaf: ComparisonPart | RangePart): ConditionLimit[] {
  return leaf.kind === 'range' ? [leaf.from, leaf.to] : [leaf.limit];
}

/** The variables that conditions name, each once, in the order in which they name them. */
export function namedVariables(conditions: readonly Condition[]): string[] {
  return [...new Set(conditions.flatMap(leavesOf).flatMap(({ variable }) => variable ?? []))];
}

/** The quantiles of a climatology that conditions need, each once. */
export function neededQuantiles(conditions: readonly Condition[]): number[] {
  const limits = conditions.flatMap(leavesOf).flatMap(limitsOf);
  return [...new Set(limits.flatMap((limit) => (typeof limit === 'number' ? [] : limit.quantile)))];
}

/** A condition whose parts have the variables that `rename` gives for them. */
export function withVariables<Some extends Condition>(
  condition: Some,
  rename: (variable: string | undefined) => string | undefined,
): Some {
  const renamed = (part: Condition): Condition => {
    if (part.kind === 'given')
      return { kind: 'given', condition: renamed(part.condition), given: renamed(part.given) } as GivenCondition;
    if ('parts' in part) return { ...part, parts: part.parts.map(renamed) } as CombinedPart;
    const { variable: before, ...rest } = part;
    const variable = rename(before);
    return variable === undefined ? rest : { ...rest, variable };
  };
  return renamed(condition) as Some;
}

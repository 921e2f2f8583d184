import { type Condition, leavesOf, namedVariables, neededQuantiles } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { readConditions } from '../condition/sort-conditions.js';
import { mentionOption, OptionError } from '../errors.js';
import { variableByName } from '../variable/find-variable.js';
import type { BatchPlan } from './batch-plan.js';

/** Options of statistics of one variable, which shares of conditions on several have no use for. */
const OF_ONE = [
  'quantiles',
  'quantileType',
  'spread',
  'exceed',
  'anomaly',
  'bands',
] as const satisfies (keyof BatchPlan)[];

/**
 * The variables of a plan whose results are the shares of conditions that name several, in the order in which they are
 * named; undefined where results are statistics of one variable each. Throws OptionError where a plan has both.
 */
export function jointVariables(plan: Partial<BatchPlan>): readonly string[] | undefined {
  const { thresholds = [], variables } = plan;
  if (!Array.isArray(thresholds)) return undefined;
  const conditions = readConditions(thresholds);
  const several = conditions.find((condition) => slugsIn([condition]).length > 1);
  if (several === undefined && (variables !== undefined || slugsIn(conditions).length < 2)) return undefined;
  const names = namedVariables(conditions);
  const text = conditionText(several ?? conditions[0]);
  assertDefined(variables, slugsIn(conditions), text);
  assertAllNamed(conditions);
  const unused = OF_ONE.find((name) => plan[name] !== undefined);
  if (unused !== undefined) throw unusedBeside(unused, plan[unused], text);
  const { climatologies = [], name = '' } = plan;
  if (climatologies.length > 0 && neededQuantiles(conditions).length === 0)
    throw unusedBeside('climatologies', climatologies, text, 'conditions with quantiles of them, such as >q90');
  if (name.includes('{variable}')) assertNameable(names);
  return names;
}

/** What names of outputs have for the variables of shares, as their column `variable` has it. */
export function joinNames(names: readonly string[]): string {
  return names.join('+');
}

/** The slug of a variable that a condition names, or the name of one that has none. */
export function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}

function slugsIn(conditions: readonly Condition[]): string[] {
  return [...new Set(namedVariables(conditions).map(slugOf))];
}

/** Throws OptionError for variables that are requested beside conditions on several, other than definitions of these. */
function assertDefined(variables: BatchPlan['variables'], slugs: readonly string[], condition: string): void {
  const defined = (variables ?? []).map((variable) =>
    typeof variable === 'object' && variable !== null ? variable.slug : undefined,
  );
  if (defined.every((slug) => slug !== undefined && slugs.includes(slug))) return;
  throw new OptionError({
    subject: 'thresholds',
    problem: `a condition is on several variables beside ${mentionOption('variables')}, which asks for statistics of each`,
    received: condition,
    allowed:
      'two plans: one of statistics, and one without variables, whose results are the shares for such conditions',
  });
}

/** Throws OptionError for comparisons that do not say which of several variables they are about. */
function assertAllNamed(conditions: readonly Condition[]): void {
  const unnamed = conditions.flatMap(leavesOf).find(({ variable }) => variable === undefined);
  if (unnamed === undefined) return;
  throw new OptionError({
    subject: 'thresholds',
    problem: 'name several variables, and one comparison names none',
    received: conditionText(unnamed),
    allowed: `the name of its variable before it; or two plans`,
  });
}

function unusedBeside(
  subject: (typeof OF_ONE)[number] | 'climatologies',
  received: unknown,
  condition: string,
  allowed = 'to leave it out; or two plans, one of statistics',
): OptionError {
  const problem = `is not for shares of conditions on several variables, such as ${condition}`;
  return new OptionError({ subject, problem, received, allowed });
}

/** Throws OptionError for names that files cannot have everywhere. */
function assertNameable(names: readonly string[]): void {
  const odd = names.find((name) => /[\\/:*?"<>|\p{Cc}]/u.test(name));
  if (odd === undefined) return;
  throw new OptionError({
    subject: 'name',
    problem: '{variable} would be a name that not every file can have',
    received: joinNames(names),
    allowed: 'a name without {variable}',
  });
}

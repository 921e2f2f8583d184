import { type Condition, leavesOf, MAX_PARTS, namedVariables } from '../../condition/condition.js';
import { conditionStatistic, conditionText } from '../../condition/condition-text.js';
import { parseCondition } from '../../condition/parse-condition.js';
import { isPlumecastError, type OptionError } from '../../errors.js';
import { statisticName } from '../../statistics/statistic.js';
import type { Variable } from '../../variable/variable.js';
import { isDerived } from '../point/available-variables.js';
import { jointConditions, type RequestedCondition } from '../point/condition-shares.js';
import { ProblemError, shorten } from '../problem-error.js';
import { rejectSlug, variablesBySlug } from './list-parameters.js';
import type { Parameter, Reject } from './parameters.js';

/** Each item has a comparison, a range, or an amount alone before `given`; the rest of the grammar is not regular. */
const ITEM = '[^,]*(<|>|\\.\\.|[gG][iI][vV][eE][nN])[^,]*';
const EXAMPLES = 'precipitation>20, precipitation>5 and temp_mean<0, or temp_max>q90';

/** The conditions that are counted over members; `extra` are variables besides the built-in ones. */
export function thresholdParameter(
  extra: readonly Variable[],
): Parameter<'threshold', readonly RequestedCondition[] | undefined> {
  const bySlug = variablesBySlug(extra);
  return {
    name: 'threshold',
    description:
      'Conditions separated by commas. A comparison is a variable, one of `>`, `>=`, `<`, `<=`, and a plain decimal in the unit of the response; `precipitation 5..20` is a range with both ends. ' +
      'They may be joined by `and`, `or`, parentheses, and one `given`; each names its variable. In place of a number, `q90` is the quantile of the climatology of `terciles` for the same day, week or month of the year. ' +
      `All conditions together have at most ${MAX_PARTS} comparisons and ranges. ` +
      "Each condition adds the share of members whose window fulfils it to the variable's entries, rounded to 4 decimals, null where it is known of fewer than 80 % of the members: " +
      'the field of `precipitation>20` is `p_gt_20`, of `temp_max>=30` `p_ge_30`, of `temp_min<-5` `p_lt_-5`, of `precipitation 5..20` `p_5_to_20`, of `temp_max>q90` `p_gt_clim_q90`. ' +
      'A condition on several variables is in the entries of each of them, as `p_precipitation_gt_5_and_temp_mean_lt_0`, null in windows that not all of them have; these are of the blended members only. ' +
      'The order is kept, comparisons with numbers before others, and a condition given twice counts once. Each variable must be one that the answer has.',
    schema: { type: 'string', pattern: `^${ITEM}(,${ITEM}){0,${MAX_PARTS - 1}}$` },
    example: 'precipitation>20',
    required: false,
    repeatable: false,
    maxLength: Number.POSITIVE_INFINITY,
    allowed: `conditions separated by commas, such as ${EXAMPLES}: at most ${MAX_PARTS} comparisons and ranges`,
    extension: true,
    read(text, reject) {
      const found = new Map<string, RequestedCondition>();
      let rejected = false;
      const rejectItem: Reject = (detail, more) => {
        rejected = true;
        return reject(detail, more);
      };
      for (const item of text.split(',')) {
        const requested = readItem(item, bySlug, extra, rejectItem);
        if (requested !== undefined) found.set(statisticName(conditionStatistic(requested.condition)), requested);
      }
      const all = [...found.values()];
      const parts = all.flatMap(({ condition }) => leavesOf(condition)).length;
      if (parts > MAX_PARTS) return reject(`has ${parts} comparisons and ranges`);
      return rejected ? undefined : all;
    },
    against: { parameter: 'var', check: checkVariables },
  };
}

function readItem(
  item: string,
  bySlug: ReadonlyMap<string, Variable>,
  extra: readonly Variable[],
  rejectItem: Reject,
): RequestedCondition | undefined {
  const reject: Reject = (detail, more) => rejectItem(detail, { received: item, ...more });
  if (item.trim() === '') return reject('has an empty item');
  const condition = readCondition(item, reject);
  if (condition === undefined) return undefined;
  if (leavesOf(condition).some(({ variable }) => variable === undefined)) {
    return reject('has a condition with a comparison that names no variable', {
      allowed: `a variable in each comparison, such as ${EXAMPLES}`,
    });
  }
  const slugs = namedVariables([condition]);
  const unknown = slugs.find((slug) => !bySlug.has(slug));
  if (unknown !== undefined) {
    return rejectSlug(unknown, extra, (detail, more) => reject(`has a condition on a variable that ${detail}`, more));
  }
  return { condition, variables: slugs.map((slug) => bySlug.get(slug) as Variable) };
}

function readCondition(item: string, reject: Reject): Condition | undefined {
  try {
    return parseCondition(item);
  } catch (error) {
    if (!isPlumecastError(error, 'option')) throw error;
    const { problem, allowed } = error as OptionError;
    return reject(`has an item that is no condition: ${shorten(problem)}`, { allowed: allowed as string | undefined });
  }
}

/** Rejects conditions on variables that the answer does not have. */
function checkVariables(
  conditions: readonly RequestedCondition[] | undefined,
  variables: unknown,
  reject: Reject,
): void {
  const requested = variables as readonly Variable[] | undefined;
  for (const { condition, variables } of conditions ?? []) {
    const absent = variables.find((each) => (requested === undefined ? isDerived(each) : !requested.includes(each)));
    if (absent === undefined) continue;
    const why = requested === undefined ? 'is derived, so that var must name it' : 'var leaves out';
    const slugs = requested?.map(({ slug }) => slug);
    const all = slugs && [...new Set([...slugs, ...variables.map(({ slug }) => slug)])];
    const allowed = slugs && `conditions on ${slugs.join(', ')}; or var=${all?.join(',')}`;
    reject(`has a condition on a variable that ${why}`, { received: conditionText(condition), allowed });
  }
}

/**
 * Throws ProblemError for conditions on variables that the data do not have, and where all members of horizons are
 * requested on several variables: of these each horizon may have other members.
 */
export function assertConditions(
  conditions: readonly RequestedCondition[],
  chosen: readonly Variable[],
  members: 'all' | undefined,
): void {
  const absent = conditions.filter(({ variables }) => variables.some((variable) => !chosen.includes(variable)));
  const allowed = `conditions on ${chosen.map(({ slug }) => slug).join(', ')}`;
  rejectConditions(absent, 'has a condition on a variable that the data do not have', allowed);
  if (members === undefined) return;
  const detail = 'has a condition on several variables, which members=all does not have';
  rejectConditions(jointConditions(conditions), detail, 'conditions on one variable each, or members=blended');
}

/** Throws ProblemError for these conditions, if there are any. */
export function rejectConditions(conditions: readonly RequestedCondition[], detail: string, allowed: string): void {
  if (conditions.length === 0) return;
  const faults = conditions.map(({ condition }) => {
    return { parameter: 'threshold', detail, received: shorten(conditionText(condition)), allowed };
  });
  throw new ProblemError(400, 'bad-parameters', `threshold ${detail}`, { faults });
}

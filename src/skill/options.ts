import { assertKnownKeys } from '../check/option-checks.js';
import { type Condition, namedVariables } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { parseCondition } from '../condition/parse-condition.js';
import { OptionError, unusable } from '../errors.js';

/** What a verification computes besides the scores of values. */
export interface VerificationOptions {
  /** Conditions on a member, such as `>20`, `5..20` or `>q90`: events, whose probability is the share of members. */
  conditions?: readonly string[];
  /** The number of equally likely categories, 2 to 10: 3 for terciles, 5 for quintiles. Default 0: none. */
  categories?: number;
  /** Probabilities of quantiles that are scored, of type 7. Default: none. */
  quantiles?: readonly number[];
  /** Whether to decompose the CRPS (Hersbach 2000), which takes longer. Default false. */
  decomposition?: boolean;
  /** The share of members that a case must have, at least one. Default 0.8. */
  minMemberShare?: number;
}

/** An event with a name. */
interface VerifiedEvent {
  /** What the results call it. */
  readonly name: string;
  readonly condition: Condition;
}

/** The options of a verification, all of them stated. */
export interface CheckedVerification {
  readonly conditions: readonly string[];
  readonly categories: number;
  readonly quantiles: readonly number[];
  readonly decomposition: boolean;
  readonly minMemberShare: number;
}

const MAX_CATEGORIES = 10;
const KEYS = ['conditions', 'categories', 'quantiles', 'decomposition', 'minMemberShare'];

/** Throws OptionError for options that cannot be used. */
export function checkVerification(options: VerificationOptions): CheckedVerification {
  assertKnownKeys(options, KEYS);
  const { conditions = [], categories = 0, quantiles = [], decomposition = false, minMemberShare = 0.8 } = options;
  if (!Array.isArray(conditions)) throw unusable('conditions', conditions, 'a list of texts such as >20');
  const texts = conditions.map((text) => conditionText(checkCondition(text)));
  assertDifferent('conditions', texts);
  const isCount = categories === 0 || (Number.isInteger(categories) && categories >= 2 && categories <= MAX_CATEGORIES);
  if (!isCount) throw unusable('categories', categories, `a whole number from 2 to ${MAX_CATEGORIES}, or 0 for none`);
  const areShares = Array.isArray(quantiles) && quantiles.every((p) => typeof p === 'number' && p > 0 && p < 1);
  if (!areShares) throw unusable('quantiles', quantiles, 'a list of probabilities between 0 and 1');
  assertDifferent('quantiles', quantiles);
  if (typeof decomposition !== 'boolean') throw unusable('decomposition', decomposition, 'true or false');
  if (!(typeof minMemberShare === 'number' && minMemberShare >= 0 && minMemberShare <= 1))
    throw unusable('minMemberShare', minMemberShare, 'a share from 0 to 1');
  return { conditions: texts, categories, quantiles: [...quantiles], decomposition, minMemberShare };
}

/** Throws OptionError for what is no condition on the values that are verified. */
export function checkCondition(text: string, subject = 'conditions'): Condition {
  const condition = parseCondition(text);
  const allowed = 'a condition on the values that are verified, such as >20, 5..20 or >q90';
  if (condition.kind === 'given')
    throw new OptionError({
      subject,
      problem: 'has "given", of which some members are left',
      received: text,
      allowed,
    });
  if (namedVariables([condition]).length > 0)
    throw new OptionError({ subject, problem: 'names a variable', received: text, allowed });
  return condition;
}

function assertDifferent(subject: string, list: readonly unknown[]): void {
  const twice = list.find((one, k) => list.indexOf(one) < k);
  if (twice !== undefined)
    throw new OptionError({ subject, problem: 'is there twice', received: twice, allowed: 'each once' });
}

/** The events of a verification: its conditions, and then what categories are made of. */
export interface Events {
  readonly conditions: readonly VerifiedEvent[];
  /** That a value is in one of the lowest categories: one event less than there are categories. */
  readonly cumulative: readonly VerifiedEvent[];
  /** That it is in one category, from the lowest. */
  readonly categories: readonly VerifiedEvent[];
}

/** All events, in the order of tallies. */
export function allEvents({ conditions, cumulative, categories }: Events): readonly VerifiedEvent[] {
  return [...conditions, ...cumulative, ...categories];
}

/** Their conditions. */
export function conditionsOf(events: Events): Condition[] {
  return allEvents(events).map(({ condition }) => condition);
}

/** The probabilities of the limits between equally likely categories. */
function limitProbabilities(categories: number): number[] {
  return Array.from({ length: Math.max(0, categories - 1) }, (_, k) => (k + 1) / categories);
}

/**
 * The events of checked options. A value that ties with a limit of the lower half of the categories belongs to the one
 * above it, and with another limit to the one below, as in shares of climatologies: of terciles, to the middle.
 */
export function eventsOf({ conditions, categories }: CheckedVerification): Events {
  const limits = limitProbabilities(categories).map((quantile) => ({ quantile }));
  const isLower = (k: number) => k < Math.floor(categories / 2);
  const below = (k: number): Condition => ({ kind: 'comparison', operator: isLower(k) ? '<' : '<=', limit: limits[k] });
  const above = (k: number): Condition => ({ kind: 'comparison', operator: isLower(k) ? '>=' : '>', limit: limits[k] });
  const names = { 2: ['below', 'above'], 3: ['below', 'normal', 'above'] }[categories];
  return {
    conditions: conditions.map((name) => ({ name, condition: parseCondition(name) })),
    cumulative: limits.map((_, k) => ({ name: `lowest ${k + 1} of ${categories}`, condition: below(k) })),
    categories: Array.from({ length: categories }, (_, k) => {
      const parts = [...(k > 0 ? [above(k - 1)] : []), ...(k < categories - 1 ? [below(k)] : [])];
      return {
        name: names?.[k] ?? `category ${k + 1} of ${categories}`,
        condition: (parts.length === 1 ? parts[0] : { kind: 'and', parts }) as Condition,
      };
    }),
  };
}

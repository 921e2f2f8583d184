import type { GivenThreshold, Threshold } from '../statistics/options.js';
import { statisticName } from '../statistics/statistic.js';
import type { Condition } from './condition.js';
import { conditionStatistic } from './condition-text.js';
import { parseCondition } from './parse-condition.js';

/** Conditions on one variable, which they do not name, by what computes them; each once. */
export interface SortedConditions {
  /** Single comparisons with numbers, which kernels count. */
  readonly thresholds: readonly Threshold[];
  /** Quantiles of the climatology that are exceeded. */
  readonly exceed: readonly number[];
  /** All other conditions. */
  readonly conditions: readonly Condition[];
}

/** Sorts conditions on one variable by what computes them, in their order. */
export function sortConditions(all: readonly Condition[]): SortedConditions {
  const statistics = all.map((condition) => ({ condition, statistic: conditionStatistic(condition) }));
  const others = statistics.flatMap(({ condition, statistic }) => (statistic.kind === 'condition' ? condition : []));
  return {
    thresholds: statistics.flatMap(({ statistic }) => (statistic.kind === 'exceedance' ? statistic.threshold : [])),
    exceed: statistics.flatMap(({ statistic }) =>
      statistic.kind === 'climate-exceedance' ? statistic.probability : [],
    ),
    conditions: uniqueConditions(others),
  };
}

/** Conditions without those whose shares another one has in a column of the same name. */
export function uniqueConditions(conditions: readonly Condition[]): Condition[] {
  return [...new Map(conditions.map((each) => [statisticName(conditionStatistic(each)), each])).values()];
}

/**
 * Reads a list of thresholds, of which texts may be any conditions. What is no list, or no text or threshold in it, is
 * left for the check of thresholds. Throws ConditionError.
 */
export function readConditions(thresholds: readonly (string | GivenThreshold)[]): Condition[] {
  return thresholds.map((given) =>
    typeof given === 'string' ? parseCondition(given) : ({ kind: 'comparison', ...given } as Condition),
  );
}

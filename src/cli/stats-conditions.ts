import type { Command } from 'commander';
import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import { type Condition, leavesOf, namedVariables, withVariables } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { assertKnownVariables } from '../condition/known-variables.js';
import { sortConditions } from '../condition/sort-conditions.js';
import type { Threshold } from '../statistics/options.js';
import { variableByName } from '../variable/find-variable.js';
import { flagOf } from './library-options.js';

/** What the conditions of a command line ask for. */
export interface RequestedConditions {
  /** Single comparisons with numbers, which kernels count; absent where there are none. */
  readonly thresholds?: readonly Threshold[];
  /** Quantiles of the climatology that are exceeded; absent where there are none. */
  readonly exceed?: readonly number[];
  /** The variable, if one is chosen, or conditions name only one. */
  readonly variable?: StatisticsAgainstOptions['variable'];
  /** All other conditions, without the name of the variable if it is only one. */
  readonly conditions: readonly Condition[];
  /** Whether they name several variables. */
  readonly isJoint: boolean;
}

/**
 * Sorts the conditions of a command line by what computes them. Ends the command where they cannot be computed together,
 * or with other options.
 */
export function requestedConditions(
  all: readonly Condition[],
  options: StatisticsAgainstOptions,
  command: Command,
): RequestedConditions {
  const names = namedVariables(all);
  const chosen = options.variable as string | undefined;
  if (chosen === undefined) assertKnownVariables(all, options);
  const isJoint = names.some((name) => slugOf(name) !== slugOf(chosen ?? names[0]));
  if (isJoint) {
    assertJoint(all, options, command);
    return { thresholds: undefined, conditions: all, isJoint };
  }
  const own = all.map((condition) => withVariables(condition, () => undefined));
  const { thresholds, conditions, exceed: exceeded } = sortConditions(own);
  const exceed = [...(options.exceed ?? []), ...exceeded];
  return {
    ...{ thresholds: thresholds.length > 0 ? thresholds : undefined, conditions, isJoint },
    ...(exceed.length > 0 && { exceed }),
    ...(chosen === undefined && names.length > 0 && { variable: names[0] as 'precipitation' }),
  };
}

/** Options of statistics that shares of conditions on several variables have no use for. */
const OF_ONE = ['variable', 'quantiles', 'quantileType', 'spread', 'exceed', 'anomaly'] as const;

function assertJoint(all: readonly Condition[], options: StatisticsAgainstOptions, command: Command): void {
  const fail = (problem: string) => command.error(`error: ${problem}`);
  const unused = OF_ONE.find((name) => options[name] !== undefined);
  if (unused !== undefined) fail(`option ${flagOf(unused)} is not for conditions that name several variables`);
  const without = all.flatMap(leavesOf).find(({ variable }) => variable === undefined);
  if (without !== undefined)
    fail(`with conditions that name several variables, '${conditionText(without)}' has to name its own`);
}

function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}

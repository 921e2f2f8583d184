import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import { type Condition, namedVariables, withVariables } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { readConditions, sortConditions } from '../condition/sort-conditions.js';
import { OptionError } from '../errors.js';
import { GRANULARITIES } from '../period/period.js';
import { windowsOf } from '../period/windows.js';
import type { WindowOptions } from '../statistics/options.js';
import { readWindowValue } from '../statistics/window-measure.js';
import { variableByName } from '../variable/find-variable.js';

/**
 * Options of statistics whose windows, and what these hold, may be texts, as commands and JSON have them. Throws OptionError
 * for texts that are none.
 */
export function readWindowTexts<Options extends Pick<WindowOptions, 'granularity' | 'window'>>(
  options: Options,
): Options {
  const { granularity, window } = options;
  const isText = typeof granularity === 'string' && !(GRANULARITIES as readonly string[]).includes(granularity);
  return {
    ...options,
    ...(isText && { granularity: windowsOf(granularity) }),
    ...(typeof window === 'string' && { window: readWindowValue(window) ?? window }),
  };
}

/** Options of statistics, and conditions that are no thresholds. */
export interface ReadThresholds<Options> {
  readonly statistics: Options;
  readonly conditions: readonly Condition[];
}

/**
 * Options of statistics whose thresholds may be texts of any conditions on one variable, as commands and JSON have them. A
 * condition that names its variable is of that one. Throws OptionError for texts that are none, and for conditions on
 * several variables, or on another one.
 */
export function readThresholdTexts<
  Options extends Pick<StatisticsAgainstOptions, 'thresholds' | 'exceed' | 'variable'>,
>(statistics: Options): ReadThresholds<Options> {
  const { thresholds, variable } = statistics;
  if (!Array.isArray(thresholds) || thresholds.every((one) => typeof one !== 'string'))
    return { statistics, conditions: [] };
  const all = readConditions(thresholds);
  const names = namedVariables(all);
  const chosen = typeof variable === 'object' ? variable.slug : (variable ?? names[0]);
  const other = all.find((condition) => namedVariables([condition]).some((name) => slugOf(name) !== slugOf(chosen)));
  if (other !== undefined) {
    throw new OptionError({
      subject: 'thresholds',
      problem: 'have a condition on another variable',
      received: conditionText(other),
      allowed: `conditions on ${chosen}, or without the name of a variable`,
    });
  }
  const own = sortConditions(all.map((condition) => withVariables(condition, () => undefined)));
  const exceed = own.exceed.length > 0 ? [...listOf(statistics.exceed), ...own.exceed] : statistics.exceed;
  const isNamed = variable === undefined && names.length > 0;
  return {
    statistics: {
      ...statistics,
      thresholds: own.thresholds,
      ...(exceed !== undefined && { exceed }),
      ...(isNamed && { variable: names[0] }),
    },
    conditions: own.conditions,
  };
}

/** A list; nothing for what is none, which the check of options says. */
function listOf<Item>(given: readonly Item[] | undefined): readonly Item[] {
  return Array.isArray(given) ? given : [];
}

function slugOf(name: string): string {
  return variableByName(name)?.slug ?? name;
}

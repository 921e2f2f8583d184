import type { StatisticsAgainstOptions } from '../climate/against-options.js';
import { type Condition, namedVariables, withVariables } from '../condition/condition.js';
import { conditionText } from '../condition/condition-text.js';
import { assertKnownVariables } from '../condition/known-variables.js';
import { readConditions, sortConditions } from '../condition/sort-conditions.js';
import { OptionError } from '../errors.js';
import { daysFromCivil, FIRST_DAY, LAST_DAY } from '../period/day.js';
import { GRANULARITIES } from '../period/period.js';
import { windowsOf } from '../period/windows.js';
import type { WindowOptions } from '../statistics/options.js';
import { readWindowValue, spellDays } from '../statistics/window-measure.js';
import { variableByName } from '../variable/find-variable.js';

/** Whether a text says days, weeks or months. */
function isGranularity(text: string): boolean {
  return (GRANULARITIES as readonly string[]).includes(text);
}

type WindowTexts = Pick<WindowOptions, 'granularity' | 'window'>;

/**
 * Options of statistics whose windows, and what these hold, may be texts, as commands and JSON have them. Throws OptionError
 * for texts that are none, and for spells of more days than any of the windows has.
 */
export function readWindowTexts<Options extends WindowTexts>(options: Options): Options {
  const read = readAnyWindowTexts(options);
  const { granularity, window } = read;
  const least = spellDays(window);
  const longest = granularity === undefined ? Number.POSITIVE_INFINITY : longestDays(granularity);
  if (least <= longest) return read;
  throw new OptionError({
    subject: 'spellDays',
    problem: `is longer than any window, ${granularity}`,
    received: least,
    allowed: `at most ${longest} days, as the longest`,
  });
}

/** A leap year, in which windows are as long as they can be. */
const LEAP_YEAR = 2024;

/** The days of the longest of some windows, whatever the data. */
function longestDays(granularity: NonNullable<WindowOptions['granularity']>): number {
  const windows = typeof granularity === 'string' ? windowsOf(granularity) : granularity;
  if (windows.rolling !== undefined) return windows.rolling;
  const ofYear = windows.ofYear?.(LEAP_YEAR).map(([start, end]) => end - start + 1);
  // Lists, counted days and all days do not recur, and are few.
  const [first, last] = isGranularity(windows.text)
    ? [daysFromCivil(LEAP_YEAR, 1, 1), daysFromCivil(LEAP_YEAR, 12, 31)]
    : [FIRST_DAY, LAST_DAY];
  return (ofYear ?? [...windows.table(first, last).days]).reduce((most, days) => Math.max(most, days), 0);
}

/** The same, without a look at whether windows are long enough for spells: of choices that can be changed one at a time. */
export function readAnyWindowTexts<Options extends WindowTexts>(options: Options): Options {
  const { granularity, window } = options;
  const isText = typeof granularity === 'string' && !isGranularity(granularity);
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
  Options extends Pick<StatisticsAgainstOptions, 'thresholds' | 'exceed' | 'variable' | 'variables' | 'window'>,
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
      problem: 'a condition is on another variable',
      received: conditionText(other),
      allowed: `conditions on ${chosen}, or without the name of a variable`,
    });
  }
  const own = sortConditions(all.map((condition) => withVariables(condition, () => undefined)));
  const exceed = own.exceed.length > 0 ? [...listOf(statistics.exceed), ...own.exceed] : statistics.exceed;
  const isNamed = variable === undefined && names.length > 0;
  if (isNamed) assertKnownVariables(all, statistics);
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

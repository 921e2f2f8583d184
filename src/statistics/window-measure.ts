import { unusable } from '../errors.js';
import { WINDOW_RULES } from '../variable/variable.js';
import { thresholdEnd } from './categories.js';
import { checkThresholds, type GivenThreshold } from './options.js';
import type { WindowMeasure, WindowValue } from './window-value.js';

/** A condition on the value of a day, such as `">20"` or `{ operator: '>', limit: 20 }`; values tie as with thresholds. */
export type DayCondition = string | GivenThreshold;

/** The kinds in the order of their numbers, which follow the rules' numbers, with their units; `*` is the unit of the data. */
const UNITS = { days: 'd', 'longest spell': 'd', spells: '1', 'first day': 'd', excess: '* d' };

type Kind = keyof typeof UNITS;

/** A measure whose text is its name; threads have its fields alone. */
class DayMeasure implements WindowMeasure {
  readonly name!: string;
  readonly rule!: number;
  readonly units!: string;
  readonly float32!: readonly number[];
  readonly float64!: readonly number[];

  constructor(fields: WindowMeasure) {
    Object.assign(this, fields);
  }

  toString(): string {
    return this.name;
  }
}

function measure(kind: Kind, condition: DayCondition, days?: number): WindowMeasure {
  const [threshold] = checkThresholds([condition]);
  const { operator, limit } = threshold;
  const forType = (single: boolean) => [...thresholdEnd(threshold, single), limit, days ?? 0];
  return new DayMeasure({
    name: `${kind} ${operator}${limit}${days === undefined ? '' : ` of ${days} d`}`,
    rule: WINDOW_RULES.length + Object.keys(UNITS).indexOf(kind),
    units: UNITS[kind],
    ...{ float32: forType(true), float64: forType(false) },
  });
}

/**
 * The number of a window's days that fulfil a condition: `daysThat('>20')`. Throws OptionError for other conditions.
 *
 * @example
 * ```js
 * import { daysThat, loadCore, statistics } from 'plumecast';
 * import { demoTable } from 'plumecast/demo';
 *
 * const options = { window: daysThat('>10'), granularity: 'weekly', thresholds: ['>=2'] };
 * const { period, units, mean, p_ge_2 } = statistics(await loadCore(), demoTable('precipitation'), options).get(0);
 * console.log(period, mean.toFixed(2), units, p_ge_2.toFixed(2)); // days above 10 mm, and the share with two or more
 * ```
 *
 * ```text
 * 2026-W10 0.39 d 0.13
 * ```
 */
export function daysThat(threshold: DayCondition): WindowMeasure {
  return measure('days', threshold);
}

/** The length in days of the longest run of days within a window that fulfil a condition; 0 where no day does. */
export function longestSpell(threshold: DayCondition): WindowMeasure {
  return measure('longest spell', threshold);
}

/**
 * How many runs of at least `days` days that fulfil a condition a window has. Runs are cut at the ends of the window.
 * Throws OptionError unless `days` is a whole number from 1.
 */
export function spells(threshold: DayCondition, days: number): WindowMeasure {
  if (!(Number.isSafeInteger(days) && days >= 1)) throw unusable('spellDays', days, 'a whole number of days from 1');
  return measure('spells', threshold, days);
}

/**
 * The first day of a window that fulfils a condition, counted from 1, the window's first day. Missing where no day does:
 * statistics over members are then of those that have one, if these are enough.
 */
export function firstDayThat(threshold: DayCondition): WindowMeasure {
  return measure('first day', threshold);
}

/**
 * The sum of what lies beyond a limit on the days of a window: `excess('>18')` of what is above 18, `excess('<18')` of what
 * is below.
 */
export function excess(threshold: DayCondition): WindowMeasure {
  return measure('excess', threshold);
}

const FORM = /^\s*(days|longest spell|spells|first day|excess)\s*([<>].*?)\s*(?:of (.+?) d)?\s*$/;
const OTHERS = '"days >20", "longest spell <1", "spells <1 of 5 d", "first day >20", "excess >18"';

/** Reads the name of a measure, such as `days >20`. Undefined for a text that is none. Throws OptionError for its parts. */
export function parseMeasure(text: string): WindowMeasure | undefined {
  const [, kind, condition, days] = FORM.exec(text) ?? [];
  if (kind === undefined) return undefined;
  if ((kind === 'spells') !== (days !== undefined)) throw unusable('window', text, OTHERS);
  return kind === 'spells' ? spells(condition, Number(days)) : measure(kind as Kind, condition);
}

/** The days that a run has at least where windows hold numbers of spells; 0 where they hold something else. */
export function spellDays(window: unknown): number {
  const { name } = Object(window) as { readonly name?: unknown };
  const [, kind, , days] = (typeof name === 'string' && FORM.exec(name)) || [];
  return kind === 'spells' ? Number(days) : 0;
}

/** What windows hold by the metadata `window` of results; undefined where it says nothing that is known. */
export function readWindowValue(text: string | undefined): WindowValue | undefined {
  return WINDOW_RULES.find((rule) => rule === text) ?? (text === undefined ? undefined : parseMeasure(text));
}

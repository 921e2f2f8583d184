import { amountsInWords } from '../../../ensemble/accumulation.js';
import type { DailySteps } from '../../../ensemble/daily-steps.js';
import { DataError, mentionOption, OptionError } from '../../../errors.js';
import { DAY_SECONDS } from '../../../period/day.js';
import { countedConversion } from '../../../variable/counted-unit.js';
import { type UnitConversion, unitConversion } from '../../../variable/unit-conversion.js';
import type { Variable } from '../../../variable/variable.js';
import type { StoredArray } from '../../array/array-file.js';
import { arrayVariable, variableFamily } from '../array-variable.js';
import type { CheckedGridOptions } from '../grid-options.js';
import { type TimeMethod, timeMethod } from '../time/time-axis.js';
import { type ArrayAmounts, type GrowingValues, meansSinceStartError } from './growing-values.js';

/**
 * How the values of a day's steps become one: `growth` is the growth of amounts from step to step, see
 * `DailyRule.growth`.
 */
type Reduction = 'mean' | 'sum' | 'minimum' | 'maximum' | 'growth';

/** How the values of a day's steps become a daily value in the variable's unit. */
export interface DailyRule {
  readonly reduction: Reduction;
  /** The factor of each step's value; undefined where all are 1. Of growing means, the seconds of their interval. */
  readonly weights: Float64Array | undefined;
  /** The result of the reduction times `factor`, plus `offset`. */
  readonly factor: number;
  readonly offset: number;
  /** The unit of the daily values. */
  readonly units: string | undefined;
  /** Whether values are rates, whose sum over time is an amount. */
  readonly areRates?: boolean;
  /** For amounts that grow over several steps. */
  readonly growth?: Growth;
  /** Whether these are means times seconds, which `factor` divides by the seconds of a day. */
  readonly isMeanOfGrowth?: boolean;
  /**
   * The maximum stored amount of a step, where amounts were taken to be so small that it does not matter what they
   * count.
   */
  readonly negligible?: number;
  /** Notes for people on what is done. */
  readonly conversions: readonly string[];
}

/** How amounts grow over several steps. */
export interface Growth {
  /**
   * For each step 1 where its amount counts from the step's start; 0 where it includes the amount of the step before.
   */
  readonly fresh: Uint8Array;
  /**
   * The smallest amount that matters, in stored units, those of means times seconds: falls by less are rounding.
   * Undefined where amounts may really fall.
   */
  readonly smallest: number | undefined;
}

const UNCHANGED: UnitConversion = { factor: 1, offset: 0, perSecond: false, text: undefined };

/**
 * Finds how an array's values become daily values of `variable`; `units` are those that the file states: means over the
 * day, weighted by the length of the steps, minima or maxima, and sums of precipitation, evapotranspiration and
 * radiation, for which rates are multiplied by the seconds of their step. Values of an unknown variable are reduced as
 * their cell methods say, else to means, in their own unit.
 *
 * Throws DataError where units do not match, and where the variable cannot be computed from values with these cell
 * methods.
 */
export function dailyRule(
  array: StoredArray,
  source: string,
  variable: Variable | undefined,
  units: string | undefined,
  steps: DailySteps,
  counted?: GrowingValues & Partial<ArrayAmounts> & { readonly fresh: Uint8Array | undefined },
): DailyRule {
  const { method, reduction, conversion } = findReduction(array, source, variable, units);
  const areRows = steps.areRows === true;
  const isSubDaily = areRows || steps.steps.some((count, day) => count > 1 && steps.whole[day] === 1);
  assertMethod(array, source, variable, reduction, isSubDaily, conversion);
  const { fresh } = counted ?? {};
  const grows = fresh !== undefined;
  const { factor, offset, perSecond } = conversion;
  const means = counted?.seconds;
  if (means !== undefined && (reduction === 'minimum' || reduction === 'maximum'))
    throw meansSinceStartError(source, array.name, variable?.slug ?? `a ${reduction}`);
  const weights = grows ? means : stepWeights(steps, reduction, perSecond ? factor : undefined);
  // The growth of means times seconds is a sum over the day.
  const isMeanOfGrowth = means !== undefined && !perSecond;
  const ofGrowth = isMeanOfGrowth ? factor / DAY_SECONDS : factor;
  return {
    reduction: grows ? 'growth' : reduction,
    ...{ weights, factor: grows ? ofGrowth : perSecond ? 1 : factor, offset, areRates: perSecond },
    ...(isMeanOfGrowth && { isMeanOfGrowth }),
    ...(counted && fresh && { growth: { fresh, smallest: smallestGrowth(variable, counted, ofGrowth) } }),
    ...(counted?.amounts.kind === 'either' && !counted.isCertain && { negligible: counted.smallest }),
    units: variable?.units || units,
    conversions: [
      ...(conversion.text === undefined ? [] : [conversion.text]),
      ...(counted === undefined || !(isSubDaily || grows) ? [] : [inWords(counted, reduction, areRows)]),
      ...(isSubDaily && !grows && !areRows
        ? [`${stepText(steps)} ${stepNoun(method, perSecond)} to daily ${PLURALS[reduction]}`]
        : []),
    ],
  };
}

/**
 * Finds how values of an array become daily values, and what its cell methods say. Throws DataError where units do not
 * match.
 */
function findReduction(
  array: StoredArray,
  source: string,
  variable: Variable | undefined,
  units: string | undefined,
): { method: TimeMethod | undefined; reduction: Simple; conversion: UnitConversion } {
  const method = timeMethod(array.attributes);
  const reduction = reductionOf(variable, method);
  const conversion = variable?.units && units !== undefined ? countedConversion(units, variable.units) : UNCHANGED;
  if (conversion === undefined || (conversion.perSecond && reduction !== 'sum')) {
    throw new DataError({
      ...{ source, column: array.name, problem: `units are not those of ${variable?.slug}`, received: units },
      allowed: `${variable?.units}, or units that can be converted to it; or ${mentionOption('units')}, where the file states none of use`,
    });
  }
  return { method, reduction, conversion };
}

/**
 * The smallest stored amount that matters: one unit of the last decimal of the variable's daily values. Undefined for
 * means, rates and extremes, which do not accumulate. Throws as `dailyRule` does, and OptionError for the option
 * `accumulation` with rates.
 */
export function smallestAmount(
  array: StoredArray,
  source: string,
  variable: Variable | undefined,
  units: string | undefined,
  { accumulation = 'per-step' }: CheckedGridOptions,
): number | undefined {
  const { method, reduction, conversion } = findReduction(array, source, variable, units);
  if (reduction !== 'sum') return undefined;
  if (conversion.perSecond && accumulation !== 'per-step') {
    throw new OptionError({
      subject: `${source}, accumulation`,
      problem: `${array.name} holds rates, which do not accumulate`,
      received: accumulation,
      allowed: 'per-step',
    });
  }
  const isOfTime = method === undefined || method === 'sum' || method === 'point';
  if (conversion.perSecond || !isOfTime) return undefined;
  return variable === undefined ? 0 : 10 ** -variable.decimals / conversion.factor;
}

/** What growing values count and what is done with them, for people. */
function inWords({ amounts, seconds }: GrowingValues, reduction: Simple, areRows: boolean): string {
  if (seconds === undefined) return amountsInWords(amounts, areRows);
  const since = amounts.kind === 'since-start' ? 'the start of the run' : 'regular resets';
  return `means since ${since}, ${amounts.by}: differences of neighbouring steps${areRows ? '' : ` to daily ${PLURALS[reduction]}`}`;
}

/** The smallest growth that matters, in stored units; `factor` turns it into a daily value. */
function smallestGrowth(
  variable: Variable | undefined,
  { smallest, seconds }: GrowingValues & Partial<ArrayAmounts>,
  factor: number,
): number | undefined {
  if (mayFall(variable)) return undefined;
  return seconds === undefined || variable === undefined ? smallest : 10 ** -variable.decimals / factor;
}

/** Whether amounts since a start may fall: not those of a known variable that is never below 0. */
function mayFall(variable: Variable | undefined): boolean {
  return variable === undefined || variable.bounds[0] < 0;
}

const PLURALS = { mean: 'means', sum: 'sums', minimum: 'minima', maximum: 'maxima' } as const;

type Simple = keyof typeof PLURALS;

/** A total over the day is a sum; for other variables, the slug or the window rule decides. */
export function reductionOf(variable: Variable | undefined, method: TimeMethod | undefined): Simple {
  if (variable === undefined) return method === undefined || !(method in PLURALS) ? 'mean' : (method as Simple);
  if (variable.window === 'sum' || unitConversion('W m-2', variable.units)?.perSecond === true) return 'sum';
  if (variable.slug.endsWith('_min') || variable.window === 'min') return 'minimum';
  if (variable.slug.endsWith('_max') || variable.window === 'max') return 'maximum';
  return 'mean';
}

/** Whether an array holds values over a time, by its variable: amounts, rates or extremes. */
export function isOverTime(array: StoredArray, variable: Variable | undefined): boolean {
  const own = arrayVariable(array) ?? variable;
  return own !== undefined && reductionOf(own, undefined) !== 'mean';
}

function assertMethod(
  array: StoredArray,
  source: string,
  variable: Variable | undefined,
  reduction: Simple,
  isSubDaily: boolean,
  { perSecond }: UnitConversion,
): void {
  const method = timeMethod(array.attributes);
  if (variable === undefined) return;
  const isOther = method === 'other' || ((method === 'minimum' || method === 'maximum') && method !== reduction);
  const isMeanAmount = isSubDaily && reduction === 'sum' && !perSecond && method === 'mean';
  const isExtreme = reduction === 'minimum' || reduction === 'maximum';
  const { mean } = variableFamily(variable.slug) ?? {};
  const isLost = isExtreme && !isSubDaily && mean !== undefined && arrayVariable(array)?.slug === mean;
  if (!isOther && !isMeanAmount && !(isLost && method !== reduction)) return;
  throw new DataError({
    ...{ source, column: array.name, problem: `does not hold ${variable.slug}` },
    received: method === undefined ? 'daily values' : `cell method of time: ${method}`,
    allowed: reduction === 'sum' ? 'sum, or mean of rates' : `${reduction}, or values of shorter steps`,
  });
}

function stepWeights(steps: DailySteps, reduction: Simple, rate: number | undefined): Float64Array | undefined {
  const { seconds } = steps;
  if (reduction === 'minimum' || reduction === 'maximum') return undefined;
  if (reduction === 'sum' && rate === undefined) return undefined;
  if (reduction === 'mean') return seconds.every((length) => length === seconds[0]) ? undefined : seconds;
  const weights = seconds.map((length) => length * (rate as number));
  return weights.every((weight) => weight === 1) ? undefined : weights;
}

function stepNoun(method: TimeMethod | undefined, perSecond: boolean): string {
  if (perSecond) return 'rates';
  return method !== undefined && method in PLURALS ? PLURALS[method as Simple] : 'values';
}

function stepText({ seconds, firstStep, steps }: DailySteps): string {
  const last = firstStep[steps.length - 1] + steps[steps.length - 1];
  const used = seconds.slice(firstStep[0], last);
  const [shortest, longest] = [used.reduce((a, b) => Math.min(a, b)), used.reduce((a, b) => Math.max(a, b))];
  const text = (length: number) => (length % 3600 === 0 ? `${length / 3600}-hourly` : `${length / 60}-minute`);
  if (shortest === longest) return shortest === 3600 ? 'hourly' : text(shortest);
  return `${text(shortest).split('-')[0]}- to ${text(longest)}`;
}

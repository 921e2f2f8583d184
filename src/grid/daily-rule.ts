import { DataError, OptionError } from '../errors.js';
import type { StoredArray } from '../formats/array-file.js';
import type { DailySteps } from '../period/daily-steps.js';
import { type UnitConversion, unitConversion } from '../variable/unit-conversion.js';
import type { Variable } from '../variable/variable.js';
import { arrayVariable, familyOf } from './array-variable.js';
import type { GridOptions } from './grid-options.js';
import { type TimeMethod, timeMethod } from './time-method.js';

/** How the values of a day's steps become one: `growth` is what the last has more than the one before the first. */
type Reduction = 'mean' | 'sum' | 'minimum' | 'maximum' | 'growth';

/** How the values of a day's steps become a daily value in the variable's unit. */
export interface DailyRule {
  readonly reduction: Reduction;
  /** What the value of each step is multiplied by, where it is not 1. */
  readonly weights: Float64Array | undefined;
  /** The result of the reduction times `factor`, plus `offset`. */
  readonly factor: number;
  readonly offset: number;
  /** The unit of the daily values. */
  readonly units: string | undefined;
  /** For people, what is done. */
  readonly conversions: readonly string[];
}

const UNCHANGED: UnitConversion = { factor: 1, offset: 0, perSecond: false, text: undefined };

/**
 * How an array's values become daily ones of `variable`, of `units` as the file states them: means over the day, weighted by the length of the steps, minima or
 * maxima, and sums of precipitation, evapotranspiration and radiation, for which rates are multiplied by the seconds of their step.
 * Values of no known variable are reduced as their cell methods say, else to means, in their own unit.
 *
 * Throws DataError where units do not agree, and where the variable cannot be had from values of such cell methods.
 */
export function dailyRule(
  array: StoredArray,
  source: string,
  variable: Variable | undefined,
  units: string | undefined,
  steps: DailySteps,
  { accumulation = 'per-step' }: GridOptions,
): DailyRule {
  const method = timeMethod(array.attributes);
  const reduction = reductionOf(variable, method);
  const conversion = variable === undefined || units === undefined ? UNCHANGED : unitConversion(units, variable.units);
  if (conversion === undefined || (conversion.perSecond && reduction !== 'sum')) {
    throw new DataError({
      ...{ source, column: array.name, problem: `units are not those of ${variable?.slug}`, received: units },
      allowed: `${variable?.units}, or units that can be converted to it`,
    });
  }
  const isSubDaily = steps.steps.some((count, day) => count > 1 && steps.whole[day] === 1);
  refuseMethod(array, source, variable, reduction, isSubDaily, conversion);
  const grows = accumulation === 'since-start' && reduction === 'sum';
  if (grows && conversion.perSecond) {
    throw new OptionError({
      subject: `${source}, accumulation`,
      problem: `${array.name} holds rates, which do not accumulate`,
      received: accumulation,
      allowed: 'per-step',
    });
  }
  const { factor, offset, perSecond } = conversion;
  const weights = grows ? undefined : stepWeights(steps, reduction, perSecond ? factor : undefined);
  return {
    reduction: grows ? 'growth' : reduction,
    ...{ weights, factor: perSecond ? 1 : factor, offset },
    units: variable?.units ?? units,
    conversions: [
      ...(units === undefined && variable !== undefined ? [`no units in the file: taken as ${variable.units}`] : []),
      ...(conversion.text === undefined ? [] : [conversion.text]),
      ...(grows ? ['amounts since the start of the forecast to daily sums'] : []),
      ...(isSubDaily && !grows
        ? [`${stepText(steps)} ${stepNoun(method, perSecond)} to daily ${PLURALS[reduction]}`]
        : []),
    ],
  };
}

const PLURALS = { mean: 'means', sum: 'sums', minimum: 'minima', maximum: 'maxima' } as const;

type Simple = keyof typeof PLURALS;

/** A total over the day is a sum, other variables are what their slug or their family says, else their window rule. */
function reductionOf(variable: Variable | undefined, method: TimeMethod | undefined): Simple {
  if (variable === undefined) return method === undefined || !(method in PLURALS) ? 'mean' : (method as Simple);
  if (variable.window === 'sum' || unitConversion('W m-2', variable.units)?.perSecond === true) return 'sum';
  if (variable.slug.endsWith('_min') || variable.window === 'min') return 'minimum';
  if (variable.slug.endsWith('_max') || variable.window === 'max') return 'maximum';
  return 'mean';
}

function refuseMethod(
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
  const isLost = isExtreme && !isSubDaily && arrayVariable(array)?.slug === familyOf(variable.slug)?.mean;
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

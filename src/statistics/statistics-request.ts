import { type Choice, checkShare, trueOrFalse } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import { assertField } from '../core/assert-field.js';
import type { EnsembleField, GivenField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { type FloatArray, isFloatArray } from '../core/number-arrays.js';
import { unusable } from '../errors.js';
import type { WindowTable } from '../period/period.js';
import type { WindowRule } from '../variable/variable.js';
import type { Categories } from './categories.js';
import {
  assertThreshold,
  checkQuantileType,
  type GivenThreshold,
  type QuantileType,
  type Threshold,
  toWindowValue,
} from './options.js';
import type { WindowMeasure, WindowValue } from './window-value.js';

/** What to compute of each window, over members. */
export interface StatisticsRequest {
  /** How the days of a window become one value per member. */
  readonly window: WindowValue;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly thresholds: readonly Threshold[];
  /** Whether to compute the standard deviation over members. */
  readonly spread: boolean;
  /** Categories in which members are counted, with limits for each result. Default none. */
  readonly categories?: readonly Categories[];
  /** The share of members that must be valid, in [0, 1]; at least one always must. */
  readonly minMemberShare: number;
}

/** A request as callers give it: a variable that holds one of the words is of type `string`. */
export interface GivenRequest extends Omit<StatisticsRequest, 'window' | 'quantileType' | 'thresholds'> {
  readonly window: Choice<WindowRule> | WindowMeasure;
  readonly quantileType: Choice<QuantileType>;
  readonly thresholds: readonly GivenThreshold[];
}

/** Throws OptionError for what is not a request of `results` results. The kernels check nothing. */
export function assertRequest(request: GivenRequest, results: number): asserts request is StatisticsRequest {
  const { window, quantiles, quantileType, thresholds, spread, categories, minMemberShare }: Partial<GivenRequest> =
    request ?? {};
  toWindowValue(window as WindowValue);
  if (!Array.isArray(quantiles)) throw unusable('quantiles', quantiles, 'a list');
  for (const quantile of quantiles) checkShare('quantiles', quantile);
  checkQuantileType(quantileType as number);
  if (!Array.isArray(thresholds)) throw unusable('thresholds', thresholds, 'a list');
  for (const threshold of thresholds) assertThreshold(threshold);
  trueOrFalse('spread', spread);
  checkShare('minMemberShare', minMemberShare);
  if (categories === undefined) return;
  if (!Array.isArray(categories)) throw unusable('categories', categories, 'a list');
  for (const set of categories) assertCategories(set, results);
}

/**
 * Throws OptionError for what is not a core, a field or a window table. `placeWindows` checks the days of the windows.
 */
export function assertWindowed(core: Core, field: GivenField, windows: WindowTable): asserts field is EnsembleField {
  assertCore(core);
  assertField(field);
  assertWindows(windows);
}

/** Throws OptionError for what is not a window table. */
export function assertWindows(windows: WindowTable): void {
  const { count, first, days, firstDay }: Partial<WindowTable> = windows ?? {};
  if (!(first instanceof Int32Array && days instanceof Int32Array)) {
    throw unusable('windows', windows, 'Int32Arrays `first` and `days`');
  }
  if (first.length !== count || days.length !== count) {
    throw unusable('windows.count', count, 'the length of its arrays');
  }
  if (!Number.isSafeInteger(firstDay)) throw unusable('windows.firstDay', firstDay, 'a day number');
}

function assertCategories(set: Categories, results: number): void {
  const { limits, lower }: Partial<Categories> = set ?? {};
  if (!Array.isArray(limits) || !limits.every((limit) => isFloatArray(limit) && limit.length >= results)) {
    throw unusable('categories', limits, `limits: arrays of floats with an entry for each of ${results} results`);
  }
  if (!(Number.isSafeInteger(lower) && (lower as number) >= 0 && (lower as number) <= limits.length)) {
    throw unusable('categories, lower', lower, `a whole number from 0 to ${limits.length}`);
  }
  for (let k = 1; k < limits.length; k++) {
    const [below, above]: FloatArray[] = [limits[k - 1], limits[k]];
    for (let i = 0; i < results; i++) {
      if (above[i] < below[i]) throw unusable('categories, limits', `${below[i]}, ${above[i]}`, 'ascending limits');
    }
  }
}

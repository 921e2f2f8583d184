import { assertOneOf, type Checked, type Choice, type OptionSchema } from '../../check/option-checks.js';
import type { ReferenceYears } from '../../climate/climatology.js';
import { CLIMATOLOGY_OPTIONS } from '../../climate/options.js';
import { OptionError, unusable } from '../../errors.js';
import {
  type CheckedWindowOptions,
  checkRequest,
  STATISTICS_OPTIONS,
  type WindowOptions,
} from '../../statistics/options.js';
import { type CheckedVerification, checkVerification, type VerificationOptions } from '../options.js';

/** What results can be apart by. */
const LABELS = ['lead', 'window', 'month', 'season', 'year', 'start_month', 'place', 'region'] as const;

export type Label = (typeof LABELS)[number];

/** What forecasts are compared with, besides another forecast. */
export const REFERENCES = ['climatology', 'persistence', 'none'] as const;

/** How long the blocks of the bootstrap are. */
const BLOCKS = ['year', 'month', 'start', 'none'] as const;

/** How forecasts are paired with observations, and what is computed. */
export interface VerifyOptions
  extends Omit<WindowOptions, 'partial' | 'source'>,
    Omit<VerificationOptions, 'categories'> {
  /** The number of equally likely categories, 2 to 10, or 0 for none. Default: 3, terciles, where observations have enough years. */
  categories?: number;
  /**
   * What results are apart by; an empty list for all cases together. `region` is a column of the places. Default `['lead']`.
   */
  by?: readonly Choice<Label>[];
  /**
   * What forecasts are compared with: the climatology of the observations, without the year that is verified; or the
   * observation of as many days just before the start. Default: `climatology` where observations have enough years,
   * else `none`.
   */
  against?: Choice<(typeof REFERENCES)[number]>;
  /** The years of the climatology, both inclusive. Default: all years of the observations. */
  reference?: string | ReferenceYears;
  /** How many days before and after a day the climatology takes, 0 to 182. Only of days, and of rolling windows. Default 7. */
  halfWidth?: number;
  /**
   * Which starts are drawn together for intervals: all of a year, of a month, or each by itself; `none` keeps no starts apart, for
   * scores of very many places without intervals. Default `year`.
   */
  block?: Choice<(typeof BLOCKS)[number]>;
  /** Whether cells of a grid of latitudes and longitudes count by their area, or all alike. Default `area`. */
  weights?: Choice<'area' | 'equal'>;
}

/** The options of `verify`. */
export const VERIFY_OPTIONS = /* @__PURE__ */ (() => {
  const { granularity, startDate, endDate, window, minMemberShare, point } = STATISTICS_OPTIONS;
  const { variable, variables, columns, calendar } = STATISTICS_OPTIONS;
  const { halfWidth, reference } = CLIMATOLOGY_OPTIONS;
  return {
    ...{ granularity, startDate, endDate, window, minMemberShare, point, variable, variables, columns, calendar },
    conditions: { type: 'together' },
    categories: { type: 'together' },
    quantiles: { type: 'together' },
    decomposition: { type: 'flag', default: false },
    by: { check: checkLabels, default: ['lead'] },
    against: { choices: REFERENCES },
    reference: { check: reference.check },
    halfWidth,
    block: { choices: BLOCKS, default: 'year' },
    weights: { choices: ['area', 'equal'], default: 'area' },
  } satisfies OptionSchema<VerifyOptions>;
})();

/** Checked options; what depends on the observations is still undefined where it is not given. */
export interface CheckedVerify
  extends Omit<CheckedWindowOptions, 'source'>,
    Pick<
      Checked<VerifyOptions, typeof VERIFY_OPTIONS>,
      'by' | 'against' | 'reference' | 'halfWidth' | 'block' | 'weights'
    > {
  /** `categories` is 0 where it is not given. */
  readonly verification: CheckedVerification;
  readonly categories: number | undefined;
}

/** Checks options, and fills in defaults. Throws OptionError. */
export function checkVerify(options: VerifyOptions): CheckedVerify {
  const checked = checkRequest(options, VERIFY_OPTIONS);
  const { conditions, categories, quantiles, decomposition, minMemberShare, ...others } = checked;
  const verification = checkVerification({ conditions, categories, quantiles, decomposition, minMemberShare });
  return { ...others, partial: false, verification, categories };
}

function checkLabels(by: readonly string[]): void {
  if (!Array.isArray(by)) throw unusable('by', by, `a list of ${LABELS.join(', ')}`);
  for (const label of by) assertOneOf('by', label, LABELS);
  const twice = by.find((label, k) => by.indexOf(label) < k);
  if (twice !== undefined)
    throw new OptionError({ subject: 'by', problem: 'is there twice', received: twice, allowed: 'each once' });
}

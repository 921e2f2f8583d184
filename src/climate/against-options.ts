import type { Checked, OptionSchema } from '../check/option-checks.js';
import { mentionOption, OptionError } from '../errors.js';
import {
  type CheckedStatisticsOptions,
  checkRequest,
  STATISTICS_OPTIONS,
  type StatisticsOptions,
} from '../statistics/options.js';
import type { Climatology } from './climatology.js';

/** What to compute over members, and what of a climatology to compare it with besides its categories. */
export interface StatisticsAgainstOptions extends StatisticsOptions {
  /**
   * Quantiles of the climatology whose exceedance by members is counted; the climatology must have them. Default none.
   */
  exceed?: readonly number[];
  /** Whether to compute the mean minus the climatology's mean. Default false. */
  anomaly?: boolean;
}

/** The options of `statistics` with a climatology. */
export const AGAINST_OPTIONS = /* @__PURE__ */ (() =>
  ({
    ...STATISTICS_OPTIONS,
    exceed: { check: checkShares, default: [] },
    anomaly: { type: 'flag', default: false },
  }) satisfies OptionSchema<StatisticsAgainstOptions>)();

/** The options of `statistics` with a climatology, checked. */
export interface CheckedAgainstOptions
  extends CheckedStatisticsOptions,
    Omit<Checked<StatisticsAgainstOptions, typeof AGAINST_OPTIONS>, keyof StatisticsOptions> {}

/**
 * Checks the options of `statistics` with a climatology, and fills in defaults. Throws OptionError, also where there is nothing to
 * compare. `needed` are more quantiles that the climatology must have.
 */
export function checkAgainstOptions(
  climatology: Climatology,
  options: StatisticsAgainstOptions,
  needed: readonly number[] = [],
): CheckedAgainstOptions {
  const { granularity = climatology.granularity } = options;
  const checked: CheckedAgainstOptions = checkRequest({ ...options, granularity }, AGAINST_OPTIONS);
  assertQuantiles(climatology, [...checked.exceed, ...needed]);
  if (climatology.categories > 0 || checked.exceed.length + needed.length > 0 || checked.anomaly) return checked;
  throw new OptionError({
    subject: 'climatology',
    problem: 'it has no categories, and neither exceedance nor anomaly is requested, so there is nothing to compute',
    allowed: `a climatology with categories, such as 3 for terciles; or ${mentionOption('exceed')} or ${mentionOption('anomaly')}`,
  });
}

function checkShares(exceed: readonly number[]): number[] {
  const isList = Array.isArray(exceed);
  if (isList && exceed.every((p) => typeof p === 'number' && p >= 0 && p <= 1)) return [...new Set(exceed)];
  throw new OptionError({
    subject: 'exceed',
    problem: isList ? 'is not a list of shares' : 'not a list',
    received: exceed,
    allowed: 'a list such as [0.9]',
  });
}

function assertQuantiles({ quantiles }: Climatology, exceed: readonly number[]): void {
  const missing = exceed.filter((p) => !quantiles.includes(p));
  if (missing.length === 0) return;
  const has = quantiles.length > 0 ? `its quantiles, ${quantiles.join(', ')}` : 'none, as it has no quantiles';
  throw new OptionError({
    subject: 'climatology',
    problem: 'does not have these quantiles',
    received: missing,
    allowed: `${has}; or a climatology made with ${mentionOption('quantiles', missing)}`,
  });
}

import { trueOrFalse } from '../check/option-checks.js';
import { mentionOption, OptionError } from '../errors.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
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

/** The options of `statisticsAgainst`, checked. */
export interface CheckedAgainstOptions extends CheckedStatisticsOptions {
  readonly exceed: readonly number[];
  readonly anomaly: boolean;
}

/**
 * Checks the options of `statisticsAgainst`, and fills in defaults. Throws OptionError, also where there is nothing to
 * compare.
 */
export function checkAgainstOptions(
  climatology: Climatology,
  options: StatisticsAgainstOptions,
): CheckedAgainstOptions {
  const { exceed = [], anomaly = false, granularity = climatology.granularity } = options;
  trueOrFalse('anomaly', anomaly);
  const checked = {
    ...checkStatisticsOptions({ ...options, granularity }, ['exceed', 'anomaly']),
    exceed: checkExceed(climatology, exceed),
    anomaly,
  };
  if (climatology.categories > 0 || checked.exceed.length > 0 || anomaly) return checked;
  throw new OptionError({
    subject: 'climatology',
    problem: 'it has no categories, and neither exceedance nor anomaly is requested, so there is nothing to compute',
    allowed: `a climatology with categories, such as 3 for terciles; or ${mentionOption('exceed')} or ${mentionOption('anomaly')}`,
  });
}

function checkExceed({ quantiles }: Climatology, exceed: readonly number[]): number[] {
  if (!Array.isArray(exceed)) {
    throw new OptionError({
      subject: 'exceed',
      problem: 'not a list',
      received: exceed,
      allowed: 'a list such as [0.9]',
    });
  }
  const missing = exceed.filter((p) => !quantiles.includes(p));
  if (missing.length === 0) return [...new Set(exceed)];
  const has = quantiles.length > 0 ? `its quantiles, ${quantiles.join(', ')}` : 'none, as it has no quantiles';
  throw new OptionError({
    subject: 'exceed',
    problem: 'the climatology does not have these quantiles',
    received: missing,
    allowed: `${has}; or a climatology made with ${mentionOption('quantiles', missing)}`,
  });
}

import { OptionError } from '../errors.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
  trueOrFalse,
} from '../statistics/options.js';
import type { Climatology } from './climatology.js';

/** What to compute over members, and what of a climatology to set it against beside its categories. */
export interface StatisticsAgainstOptions extends StatisticsOptions {
  /** Quantiles of the climatology whose exceedance is counted; it must have them. Default none. */
  exceed?: readonly number[];
  /** Whether to take the difference of the mean from the climatology's. Default false. */
  anomaly?: boolean;
}

/** The options of `statisticsAgainst`, checked. */
export interface CheckedAgainstOptions extends CheckedStatisticsOptions {
  readonly exceed: readonly number[];
  readonly anomaly: boolean;
}

/** Checks what `statisticsAgainst` is asked, and fills in what is not. Throws OptionError. */
export function checkAgainstOptions(
  climatology: Climatology,
  options: StatisticsAgainstOptions,
): CheckedAgainstOptions {
  const { exceed = [], anomaly = false, granularity = climatology.granularity } = options;
  trueOrFalse('anomaly', anomaly);
  return {
    ...checkStatisticsOptions({ ...options, granularity }, ['exceed', 'anomaly']),
    exceed: checkExceed(climatology, exceed),
    anomaly,
  };
}

function checkExceed({ quantiles }: Climatology, exceed: readonly number[]): number[] {
  if (Array.isArray(exceed) && exceed.every((p) => quantiles.includes(p))) return [...new Set(exceed)];
  throw new OptionError({
    subject: 'exceed',
    problem: 'not only quantiles of the climatology',
    received: exceed,
    allowed: quantiles.length > 0 ? `a list of ${quantiles.join(', ')}` : 'none, as the climatology has no quantiles',
  });
}

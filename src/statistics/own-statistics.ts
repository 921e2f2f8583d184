import type { Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Opened } from '../table/rows/read-ensemble.js';
import type { CheckedStatisticsOptions, StatisticsOptions } from './options.js';
import type { EnsembleHead, Reference } from './statistics-plan.js';

/*
 * What is above this folder, and bands, bring their own code to `statistics`, so that a program that uses neither timelines,
 * climatologies nor bands does not load them. A page may have two copies of the package.
 */

/** By this, `statistics` finds that a timeline has statistics of its own. */
export const OWN_STATISTICS: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.statistics') as never;

/** By this, `statistics` finds how a climatology is compared. */
export const COMPARE: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.compare') as never;

/** By this, `statistics` finds how bands are added. */
export const BANDS: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.bands') as never;

/** Makes the reference of an ensemble's statistics that adds columns after another. */
export type AddColumns = (
  core: Core,
  ensemble: EnsembleHead,
  options: CheckedStatisticsOptions,
  inner?: Reference,
) => Reference;

/** The bands of sampling error, as `samplingBands` returns them. */
export interface Bands {
  /** The probability that a band holds the true value. */
  readonly level: number;
  /** @internal */
  readonly [BANDS]: AddColumns;
}

/** What has statistics of its own: the timeline that `blend` returns, which need not be made for them. */
export interface HasStatistics {
  /** @internal */
  [OWN_STATISTICS](core: Core, options: StatisticsOptions & Comparison): Table;
}

/** What statistics can be compared with: a climatology, as `climatology` and `readClimatology` return it. */
export interface Comparable {
  /** @internal */
  [COMPARE]?(
    core: Core,
    data: Table | Opened,
    options: StatisticsOptions & Omit<Comparison, 'climatology' | 'bands'>,
    addColumns?: AddColumns,
  ): Table;
}

/**
 * What of a climatology to compare statistics with. Columns follow all others: the shares of valid members in each
 * category (`p_below, p_normal, p_above` for terciles; `p_below, p_above` for two categories; else `p_1_of_5` and so on),
 * if requested the share of members strictly above a quantile of the climatology (`p_gt_clim_q90`), and `anomaly`, the
 * column `mean` minus the climatology's mean.
 *
 * With terciles, below and above are strict: a member equal to a limit is normal. With other categories, too, it
 * belongs to the one nearer the middle; at the middle limit, to the upper one. Members and limits are compared in the
 * type of the members and tie as with thresholds, where they differ by no more than 1e-12 times the larger of 1 and the
 * limit's size. These columns are null where the statistics are, where the climatology has no values for the period, and for incomplete
 * windows (`partial`), as a climatology has complete ones only. The metadata state `reference_period`, its
 * `reference_lacking_years` and `tercile_reference`, where known, and `degenerate_periods`: a JSON array of the periods in
 * which limits coincide at some place.
 *
 * Each place is compared with the nearest one of the climatology, within one grid step of it (one degree where that has
 * no neighbours); without coordinates both must have a single place. `statistics` throws OptionError for another
 * granularity, for quantiles that the climatology does not have, and where nothing would be added; DataError where
 * variable, units or window rule differ from the climatology's, or where it does not cover a place.
 */
export interface Comparison {
  /**
   * Adds the shares of valid members in each of its categories, such as `p_below, p_normal, p_above`. The climatology
   * decides the granularity. Default: none.
   */
  climatology?: Comparable;
  /** Quantiles of the climatology whose exceedance by members is counted; it must have them. Default none. */
  exceed?: readonly number[];
  /** Whether to compute the mean minus the climatology's mean. Default false. */
  anomaly?: boolean;
  /** Adds the bands of sampling error of the mean, quantiles and shares: `samplingBands(0.9)`. Default: none. */
  bands?: Bands;
}

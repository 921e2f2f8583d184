import type { Table } from 'apache-arrow';
import { assertObject } from '../check/option-checks.js';
import { assertCore } from '../core/assert-core.js';
import type { Core } from '../core/load.js';
import { OptionError } from '../errors.js';
import { requestedEnsemble } from '../statistics/statistics.js';
import { statisticsTable } from '../statistics/statistics-plan.js';
import { checkAgainstOptions, type StatisticsAgainstOptions } from './against-options.js';
import { assertClimatology } from './assert-climatology.js';
import { ClimateReference } from './climate-reference.js';
import type { Climatology } from './climatology.js';
import { readClimatology } from './read-climatology.js';

/**
 * Compares window statistics of an ensemble with a climatology: the table of `statistics`, followed by columns of the
 * shares of valid members in each category (`p_below, p_normal, p_above` for terciles; `p_below, p_above` for two
 * categories; else `p_1_of_5` and so on), if requested the share of members strictly above a quantile of the
 * climatology (`p_gt_clim_q90`), and `anomaly`, the column `mean` minus the climatology's mean.
 *
 * With terciles, below and above are strict: a member equal to a limit is normal. With other categories, too, it
 * belongs to the one nearer the middle; at the middle limit, to the upper one. Members and limits are compared in the
 * type of the members, as thresholds are; a member equals a limit where they differ by no more than 1e-12 times the
 * larger of 1 and the limit's size, as sums of decimals that are equal on paper differ in their last bits. These
 * columns are null where the statistics are, where the climatology has no values for the period, and for incomplete
 * windows (`partial`), as a climatology has complete ones only. The granularity is the climatology's. The metadata
 * state `reference_period`, its `reference_lacking_years` and `tercile_reference`, where known, and
 * `degenerate_periods`: a JSON array of the periods in which limits coincide at some place.
 *
 * The climatology is what `climatology` or `readClimatology` returns, or a table that the latter reads. Each place is
 * compared with the nearest one of the climatology, within one grid step of it (one degree where that has no
 * neighbours); without coordinates both must have a single place. Throws what `statistics` throws; OptionError for what
 * is not a climatology, for another granularity, for quantiles that the climatology does not have, and where nothing
 * would be added; DataError for a table that is not of a climatology, where variable, units or window rule differ from
 * the climatology's, or where it does not cover a place.
 */
export function statisticsAgainst(
  core: Core,
  table: Table,
  climatology: Climatology | Table,
  options: StatisticsAgainstOptions = {},
): Table {
  assertCore(core);
  assertObject('options', options, '{ anomaly: true }');
  const normal = toClimatology(climatology, options);
  const checked = checkAgainstOptions(normal, options);
  const ensemble = requestedEnsemble(table, checked);
  return statisticsTable(core, ensemble, checked, new ClimateReference(normal, ensemble, checked));
}

function toClimatology(
  given: Climatology | Table | null | undefined,
  { variables }: StatisticsAgainstOptions,
): Climatology {
  if (typeof given === 'object' && given !== null) {
    if ('schema' in given) return readClimatology(given, { variables, source: 'climatology' });
    if ('quantileValues' in given) {
      assertClimatology(given);
      return given;
    }
  }
  const problem = 'neither a climatology nor a table of one';
  const allowed = 'what climatology or readClimatology returns, or the table of climatologyTable';
  throw new OptionError({ subject: 'climatology', problem, received: given, allowed }, true);
}

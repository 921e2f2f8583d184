import type { WindowRule } from '../variable/variable.js';
import type { Categories } from './categories.js';
import type { QuantileType } from './quantiles.js';
import type { Threshold } from './thresholds.js';

/** What to compute of each window, over members. */
export interface StatisticsRequest {
  /** How the days of a window become one value per member. */
  readonly window: WindowRule;
  /** Numbers in [0, 1]. */
  readonly quantiles: readonly number[];
  readonly quantileType: QuantileType;
  readonly thresholds: readonly Threshold[];
  /** Whether to compute the standard deviation over members. */
  readonly spread: boolean;
  /** Categories whose limits each result has for itself, in which members are counted. Default none. */
  readonly categories?: readonly Categories[];
  /** The share of members that must be valid, in [0, 1]; at least one always must. */
  readonly minMemberShare: number;
}

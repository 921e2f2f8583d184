import { quantileName } from '../statistics/quantiles.js';

/**
 * The names of the columns that hold the shares of categories, from the lowest: `p_below, p_normal, p_above` of three,
 * `p_below, p_above` of two, else `p_1_of_5` and so on.
 */
export function categoryNames(categories: number): string[] {
  if (categories === 2) return ['p_below', 'p_above'];
  if (categories === 3) return ['p_below', 'p_normal', 'p_above'];
  return Array.from({ length: categories }, (_, k) => `p_${k + 1}_of_${categories}`);
}

/** The name of the column that holds the share of members above a quantile of the climatology: `p_gt_clim_q90`. */
export function exceedanceName(quantile: number): string {
  return `p_gt_clim_${quantileName(quantile)}`;
}

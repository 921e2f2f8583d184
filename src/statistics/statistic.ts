import { twoDigits } from '../period/day.js';
import { assertThreshold, OPERATOR_NAMES, quantileError, type Threshold, type ThresholdOperator } from './options.js';

/** What the values of a column of results are. */
export type Statistic =
  /** Over members, or over the samples of a climatology; `anomaly`: the mean minus the mean of a climatology. */
  | { readonly kind: 'mean' | 'spread' | 'anomaly' }
  /** The number of valid members or samples. */
  | { readonly kind: 'count'; readonly of: 'members' | 'samples' }
  | { readonly kind: 'quantile'; readonly probability: number }
  /** The share of members or samples that exceed the threshold. */
  | { readonly kind: 'exceedance'; readonly threshold: Threshold }
  /** A climatology's limit between equally likely categories: about `percent` % of the samples lie below it. */
  | { readonly kind: 'limit'; readonly percent: number }
  /** The share of members in a category of a climatology: the lower, middle and upper of two or three. */
  | { readonly kind: 'category'; readonly category: 'below' | 'normal' | 'above' }
  /** The same for other numbers of categories, counted from 1, the lowest. */
  | { readonly kind: 'category'; readonly category: number; readonly categories: number }
  /** The share of members above the quantile of a climatology. */
  | { readonly kind: 'climate-exceedance'; readonly probability: number }
  /** The share of members for which a condition of several parts holds, and the name of its column: `p_5_to_20`. */
  | { readonly kind: 'condition'; readonly condition: string; readonly column: string }
  /** An end of the band of sampling error of the statistic in the column `of`: a value or a share. */
  | { readonly kind: 'value-band' | 'share-band'; readonly of: string; readonly column: string };

/**
 * The name of a quantile's column: `q` and the decimals after the point, at least two: `q05`, `q50`, `q025`, `q00`,
 * `q100`.
 */
export function quantileName(p: number): string {
  if (typeof p !== 'number') throw quantileError('not a number', p);
  if (p === 1) return 'q100';
  return `q${String(p).slice(2).padEnd(2, '0')}`;
}

/** The name of the column that holds a threshold's probability: `p_gt_20`, `p_le_0.1`, `p_lt_-5`. */
export function thresholdName(threshold: Threshold): string {
  assertThreshold(threshold);
  const { operator, limit } = threshold;
  return `p_${OPERATOR_NAMES[operator]}_${limit}`;
}

/** The name of the column of a statistic in all results; each statistic has its own. */
export function statisticName(statistic: Statistic): string {
  switch (statistic.kind) {
    case 'count':
      return `n_${statistic.of}`;
    case 'quantile':
      return quantileName(statistic.probability);
    case 'exceedance':
      return thresholdName(statistic.threshold);
    case 'limit':
      return `t${twoDigits(statistic.percent)}`;
    case 'category':
      return 'categories' in statistic
        ? `p_${statistic.category}_of_${statistic.categories}`
        : `p_${statistic.category}`;
    case 'climate-exceedance':
      return `p_gt_clim_${quantileName(statistic.probability)}`;
    case 'mean':
    case 'spread':
    case 'anomaly':
      return statistic.kind;
    default:
      return statistic.column;
  }
}

const toProbability = (digits: string) => (digits === '100' ? 1 : Number(`0.${digits}`));

/** The forms of names, each with the statistic that its parts say. */
const FORMS: readonly (readonly [RegExp, (first: string, second: string) => Statistic | undefined])[] = [
  [/^(mean|spread|anomaly)$/, (kind) => ({ kind: kind as 'mean' })],
  [/^n_(members|samples)$/, (of) => ({ kind: 'count', of: of as 'members' })],
  [/^q(\d{2,})$/, (digits) => ({ kind: 'quantile', probability: toProbability(digits) })],
  [/^t(\d\d)$/, (percent) => ({ kind: 'limit', percent: Number(percent) })],
  [/^p_(below|normal|above)$/, (category) => ({ kind: 'category', category: category as 'below' })],
  [/^p_(\d+)_of_(\d+)$/, (k, n) => ({ kind: 'category', category: Number(k), categories: Number(n) })],
  [/^p_gt_clim_q(\d{2,})$/, (digits) => ({ kind: 'climate-exceedance', probability: toProbability(digits) })],
  [/^p_(gt|ge|lt|le)_(-?\d[\d.e+-]*)$/, (name, limit) => toExceedance(name, Number(limit))],
];

function toExceedance(name: string, limit: number): Statistic | undefined {
  const operator = (Object.keys(OPERATOR_NAMES) as ThresholdOperator[]).find((one) => OPERATOR_NAMES[one] === name);
  return operator !== undefined && Number.isFinite(limit)
    ? { kind: 'exceedance', threshold: { operator, limit } }
    : undefined;
}

/** The statistic whose column has this name; undefined if there is none. */
export function parseStatisticName(name: string): Statistic | undefined {
  for (const [form, create] of FORMS) {
    const found = form.exec(name);
    if (found === null) continue;
    const statistic = create(found[1], found[2]);
    // Such as `q050`, which is not how 0.05 nor 0.5 is written.
    return statistic !== undefined && statisticName(statistic) === name ? statistic : undefined;
  }
  return undefined;
}

import { quantileName, type Statistic } from './statistic.js';

/*
 * What holds for all statistics of a kind, apart from their names, which statistic.ts makes. Tables of results, their
 * attributes in NetCDF, maps and pages follow from it.
 */

/**
 * What the values of a statistic are: a `number` of members; a `value` or a `limit` in the unit of the variable; a
 * `deviation` or a signed `difference` of such values; or a `share` of members from 0 to 1.
 */
export type Measure = 'number' | 'value' | 'limit' | 'deviation' | 'difference' | 'share';

/** The statistics of a kind. */
type OfKind<Kind extends Statistic['kind'], One = Statistic> = One extends { readonly kind: infer Own }
  ? Kind extends Own
    ? One
    : never
  : never;

interface StatisticKind<One> {
  readonly measure: Measure;
  /** Whether it compares with a climatology. */
  readonly isCompared: boolean;
  /** What it is, as a map says; `units` are the unit of the variable. */
  words(statistic: One, units: string): string;
  /**
   * What the `long_name` of its array in NetCDF says, statistics of members or of the samples of a climatology; `column`
   * is the name of its column in tables.
   */
  longName(statistic: One, of: 'members' | 'samples', units: string, column: string): string;
}

/** All kinds, in the order of their columns in tables. */
export const STATISTIC_KINDS: { readonly [Kind in Statistic['kind']]: StatisticKind<OfKind<Kind>> } = {
  count: {
    ...{ measure: 'number', isCompared: false },
    words: ({ of }) => `number of valid ${of}`,
    longName: (_, of) => `number of ${of} with a value`,
  },
  mean: {
    ...{ measure: 'value', isCompared: false },
    words: () => 'mean of members',
    longName: (_, of) => `mean of ${of}`,
  },
  quantile: {
    ...{ measure: 'value', isCompared: false },
    words: ({ probability }) =>
      probability === 0.5 ? 'median of members' : `${percent(probability)} quantile of members`,
    longName: (_, of) => `quantiles of ${of}`,
  },
  limit: {
    ...{ measure: 'limit', isCompared: false },
    words: (statistic) => `${statistic.percent} % limit of the climatology`,
    longName: (statistic, of, _, column) =>
      of === 'members'
        ? column
        : `limit between equally likely categories: about ${statistic.percent} % of samples lie below it`,
  },
  spread: {
    ...{ measure: 'deviation', isCompared: false },
    words: () => 'standard deviation of members',
    longName: (_, of) => `standard deviation over ${of}`,
  },
  exceedance: {
    ...{ measure: 'share', isCompared: false },
    words({ threshold: { operator, limit } }, units) {
      const unit = units === 'd' ? (limit === 1 ? 'day' : 'days') : units;
      return `share of members with ${COMPARISONS[operator]} ${limit} ${unit}`.trim();
    },
    longName: ({ threshold: { operator, limit } }, of, units) => `share of ${of} ${operator} ${limit} ${units}`.trim(),
  },
  condition: {
    ...{ measure: 'share', isCompared: false },
    words: ({ condition }) => `share of members with ${condition}`,
    longName: ({ condition }, of) => `share of ${of} with ${condition}`,
  },
  category: {
    ...{ measure: 'share', isCompared: true },
    words: (statistic) =>
      'categories' in statistic
        ? `share of members in category ${statistic.category} of ${statistic.categories}`
        : `share of members ${CATEGORIES[statistic.category]}`,
    longName: (statistic, of) =>
      'categories' in statistic
        ? `share of ${of} in category ${statistic.category} of ${statistic.categories} of the climatology`
        : `share of ${of} ${statistic.category} by the categories of the climatology`,
  },
  'climate-exceedance': {
    ...{ measure: 'share', isCompared: true },
    words: ({ probability }) => `share of members above the ${percent(probability)} quantile of the climatology`,
    longName: ({ probability }, of) => `share of ${of} above ${quantileName(probability)} of the climatology`,
  },
  anomaly: {
    ...{ measure: 'difference', isCompared: true },
    words: () => 'mean of members minus that of the climatology',
    longName: (_, of) => `mean of ${of} less that of the climatology`,
  },
  'value-band': {
    ...{ measure: 'value', isCompared: false },
    words: ({ column }) => `end of the band of sampling error, ${column}`,
    longName: ({ column }) => `end of the band of sampling error, ${column}`,
  },
  'share-band': {
    ...{ measure: 'share', isCompared: false },
    words: ({ column }) => `end of the band of sampling error, ${column}`,
    longName: ({ column }) => `end of the band of sampling error, ${column}`,
  },
};

const COMPARISONS = { '>': 'more than', '>=': 'at least', '<': 'less than', '<=': 'at most' } as const;
const CATEGORIES = { below: 'below normal', normal: 'near normal', above: 'above normal' } as const;

function percent(share: number): string {
  return `${Number((100 * share).toFixed(4))} %`;
}

/** What holds for all statistics of the kind of this one. */
export function kindOf(statistic: Statistic): StatisticKind<Statistic> {
  return STATISTIC_KINDS[statistic.kind];
}

/** What the values of a column of results are; undefined for columns that are not statistics. */
export function measureOf(statistic: Statistic | undefined): Measure | undefined {
  return statistic && kindOf(statistic).measure;
}

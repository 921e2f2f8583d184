import { OptionError, unusable } from '../errors.js';
import { tieBound } from '../statistics/categories.js';
import type { Statistic } from '../statistics/statistic.js';
import type { Climatology } from './climatology.js';

/** Names of limits are whole percentages: with many more categories, two limits would have the same name. */
export const MAX_CATEGORIES = 20;

/** Throws OptionError where `categories` is not a number of categories; 0 means no categories. */
export function checkCategories(categories: number): number {
  const isCount = Number.isInteger(categories) && categories >= 2 && categories <= MAX_CATEGORIES;
  if (isCount || categories === 0) return categories;
  throw new OptionError({
    subject: 'categories',
    problem: 'not a number of categories',
    received: categories,
    allowed: `a whole number from 2 to ${MAX_CATEGORIES}, such as 3 for terciles, or 0 for none`,
  });
}

/** The probabilities of the limits between equally likely categories: 1/3 and 2/3 for terciles, none for none. */
export function limitProbabilities(categories: number): number[] {
  return Array.from({ length: Math.max(0, categories - 1) }, (_, k) => (k + 1) / categories);
}

/** The columns that hold the limits: `t33` and `t67` for terciles, `t20` to `t80` for quintiles. */
export function limitStatistics(categories: number): Statistic[] {
  return limitProbabilities(categories).map((p) => ({ kind: 'limit', percent: Math.round(100 * p) }));
}

/**
 * Whether limits of an entry coincide, as in a dry season: a category between them is empty then. False where limits
 * are missing.
 */
export function isDegenerate(climatology: Climatology, entry: number): boolean {
  const { limits }: Partial<Climatology> = climatology ?? {};
  if (!Array.isArray(limits) || limits.some((values: unknown) => !ArrayBuffer.isView(values))) {
    throw unusable('climatology', climatology, 'what climatology or readClimatology returns');
  }
  if (!Number.isInteger(entry)) throw unusable('entry', entry, 'a whole number from 0');
  return limits.some((values, k) => k > 0 && limits[k - 1][entry] > tieBound(values[entry], -1));
}

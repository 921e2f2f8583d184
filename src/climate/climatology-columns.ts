import { DataError } from '../errors.js';
import { quantileName } from '../statistics/quantiles.js';
import { type Threshold, type ThresholdOperator, thresholdName } from '../statistics/thresholds.js';
import { limitNames, MAX_CATEGORIES } from './category-limits.js';

/** Which statistics the columns of a table hold, told by their names. */
export interface StatisticsNames {
  readonly quantiles: readonly number[];
  readonly categories: number;
  readonly thresholds: readonly Threshold[];
}

/** Reads the names of a climatology's columns. Throws DataError where limits are not those of equally likely categories. */
export function statisticsNames(names: readonly string[], source?: string): StatisticsNames {
  return {
    quantiles: names.map(quantileOf).filter((p) => p !== undefined),
    categories: categoriesOf(
      names.filter((name) => /^t\d\d$/.test(name)),
      source,
    ),
    thresholds: names.map(thresholdOf).filter((threshold) => threshold !== undefined),
  };
}

function quantileOf(name: string): number | undefined {
  if (!/^q\d+$/.test(name)) return undefined;
  const p = name === 'q100' ? 1 : Number(`0.${name.slice(1)}`);
  return quantileName(p) === name ? p : undefined;
}

function categoriesOf(names: readonly string[], source?: string): number {
  const categories = names.length === 0 ? 0 : names.length + 1;
  if (categories <= MAX_CATEGORIES && limitNames(categories).every((name) => names.includes(name))) return categories;
  const sets = [2, 3, 4, 5].map((count) => `${limitNames(count).join(', ')} (${count} categories)`);
  throw new DataError({
    source,
    problem: 'columns of limits that are not those of equally likely categories',
    received: names.join(', '),
    allowed: `none, or a whole set: ${sets.join('; ')}; and so on, up to ${MAX_CATEGORIES} categories`,
  });
}

const OPERATORS: Record<string, ThresholdOperator> = { gt: '>', ge: '>=', lt: '<', le: '<=' };

function thresholdOf(name: string): Threshold | undefined {
  const found = /^p_(gt|ge|lt|le)_(.+)$/.exec(name);
  if (found === null) return undefined;
  const threshold = { operator: OPERATORS[found[1]], limit: Number(found[2]) };
  return thresholdName(threshold) === name ? threshold : undefined;
}

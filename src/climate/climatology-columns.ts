import type { Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import type { ModelCalendar } from '../period/calendar.js';
import { twoDigits } from '../period/digits.js';
import { GRANULARITIES, type Granularity } from '../period/window-table.js';
import { readStatistic, type Statistic, statisticName } from '../statistics/result-column.js';
import type { Threshold } from '../statistics/thresholds.js';
import { codedColumn } from '../table/arrow/coded-column.js';
import { limitStatistics, MAX_CATEGORIES } from './category-limits.js';
import { climateKeys } from './climatology.js';

/** The statistics that the columns of a table hold. */
export interface ClimatologyStatistics {
  readonly quantiles: readonly number[];
  readonly categories: number;
  readonly thresholds: readonly Threshold[];
  /** The name of the column that holds a statistic: most often the statistic's own. */
  nameOf(statistic: Statistic): string;
}

/**
 * Reads what the columns of a climatology are. Throws DataError where limits are not those of equally likely
 * categories.
 */
export function readStatistics({ schema }: Table, source?: string): ClimatologyStatistics {
  const columns = new Map<string, { readonly name: string; readonly statistic: Statistic }>();
  for (const field of schema.fields) {
    const statistic = readStatistic(field);
    if (statistic !== undefined) columns.set(statisticName(statistic), { name: field.name, statistic });
  }
  const statistics = [...columns.values()].map(({ statistic }) => statistic);
  return {
    quantiles: statistics.flatMap((each) => (each.kind === 'quantile' ? each.probability : [])),
    categories: countCategories(statistics.filter(({ kind }) => kind === 'limit').map(statisticName), source),
    thresholds: statistics.flatMap((each) => (each.kind === 'exceedance' ? each.threshold : [])),
    nameOf: (statistic) => columns.get(statisticName(statistic))?.name ?? statisticName(statistic),
  };
}

function countCategories(names: readonly string[], source?: string): number {
  const categories = names.length === 0 ? 0 : names.length + 1;
  if (categories <= MAX_CATEGORIES && limitNames(categories).every((name) => names.includes(name))) return categories;
  const sets = [2, 3, 4, 5].map((count) => `${limitNames(count).join(', ')} (${count} categories)`);
  throw new DataError({
    source,
    problem: 'columns of limits that are not those of equally likely categories',
    received: names.join(', '),
    allowed: `none, or a complete set: ${sets.join('; ')}; and so on, up to ${MAX_CATEGORIES} categories`,
  });
}

function limitNames(categories: number): string[] {
  return limitStatistics(categories).map(statisticName);
}

/** The period of the year of each row. */
export interface PeriodColumn {
  readonly granularity: Granularity;
  readonly keys: readonly string[];
  /** The place in `keys` of each row's key. */
  readonly keyOfRow: Int32Array;
}

const PERIOD = 'period';

/**
 * Reads the column `period`; the granularity follows from the form of its keys. Months may be numbers, as `01` is read
 * from CSV. Throws DataError where there is no such column, or a row's key is not one of the first row's granularity.
 */
export function readPeriodColumn(table: Table, calendar?: ModelCalendar, source?: string): PeriodColumn {
  const vector = table.getChild(PERIOD);
  if (vector === null || vector.length === 0) {
    throw new DataError({
      source,
      problem: vector === null ? 'no column period' : 'no rows',
      ...(vector === null && { received: table.schema.fields.map(({ name }) => name).join(', ') }),
      allowed: 'a climatology: rows with a period such as 01-31, W05 or 01, n_samples and mean',
    });
  }
  const { codes, values } = codedColumn(vector);
  const texts = values.map((value) => (typeof value === 'string' ? value : monthText(Number(value))));
  const granularities = GRANULARITIES.filter((each) => calendar === undefined || each !== 'weekly');
  const known = granularities.map((granularity) => ({ granularity, keys: climateKeys(granularity, calendar) }));
  const found = known.find(({ keys }) => keys.includes(texts[codes[0]]));
  const keys = found?.keys ?? known.flatMap((each) => each.keys);
  const keyOf = new Map(keys.map((key, k) => [key, k]));
  const keyOfRow = Int32Array.from(codes, (code) => keyOf.get(texts[code]) ?? -1);
  const wrong = found === undefined ? 0 : keyOfRow.indexOf(-1);
  if (found !== undefined && wrong < 0) return { ...found, keyOfRow };
  throw new DataError({
    source,
    row: wrong + 1,
    column: PERIOD,
    problem: 'not a period of the year',
    received: texts[codes[wrong]] ?? null,
    allowed:
      found === undefined
        ? 'MM-DD, W01 to W53 or MM, as in the results of climatology'
        : `${keys[0]} to ${keys[keys.length - 1]}, as in the rows before`,
  });
}

function monthText(month: number): string {
  return Number.isInteger(month) && month >= 1 && month <= 12 ? twoDigits(month) : String(month);
}

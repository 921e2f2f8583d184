import type { Table } from 'apache-arrow';
import { assertShape } from '../check/option-checks.js';
import type { FloatArray } from '../core/number-arrays.js';
import { integers, type NewColumn, numbers } from '../table/build/create-table.js';
import { parseStatisticName, type Statistic, statisticName } from './statistic.js';

/** The key of a field's metadata whose value is the column's statistic as JSON. */
const METADATA_KEY = 'plumecast';

/**
 * Creates the column of a statistic, with its name and, in the metadata of its field, what it is, and for a share of
 * members what the condition is `of`, such as `weekly mean`.
 */
export function resultColumn(statistic: Statistic, values: FloatArray | Int32Array, of?: string): NewColumn {
  const name = statisticName(statistic);
  const column = values instanceof Int32Array ? integers(name, values) : numbers(name, values);
  return { ...column, metadata: new Map([[METADATA_KEY, JSON.stringify(of ? { ...statistic, of } : statistic)]]) };
}

/**
 * What the values of a column of results are, by the metadata of its field in the table's schema; where these do not
 * state it, as in tables from CSV or Parquet, by its name. Undefined for columns that are not statistics, such as
 * `period`. Throws OptionError for what is not a field.
 */
export function readStatistic(field: {
  readonly name: string;
  readonly metadata?: ReadonlyMap<string, string>;
}): Statistic | undefined {
  assertShape('field', field, { name: 'any text', metadata: 'map?' });
  const { name, metadata } = field;
  const stated = metadata?.get(METADATA_KEY);
  return (stated === undefined ? undefined : parseJson(stated)) ?? parseStatisticName(name);
}

/** Returns a test for columns of results, by their names: statistics, and those `besides` that are no place either. */
export function isResultColumn({ schema }: Table, besides: readonly string[] = []): (name: string) => boolean {
  const names = schema.fields.flatMap((field) => (readStatistic(field) === undefined ? [] : field.name));
  const found = new Set([...names, ...besides, 'degenerate', 'variable', 'units', 'source']);
  return (name) => found.has(name);
}

/** The columns of a table that hold quantiles, in its order. */
export function quantileColumns({ schema }: Table): { readonly name: string; readonly probability: number }[] {
  return schema.fields.flatMap((field) => {
    const statistic = readStatistic(field);
    return statistic?.kind === 'quantile' ? { name: field.name, probability: statistic.probability } : [];
  });
}

/** Reads a statistic from JSON; undefined if the JSON, which others may have written, is not that of a statistic. */
function parseJson(text: string): Statistic | undefined {
  try {
    const stated = JSON.parse(text);
    const name = statisticName(stated);
    // By way of its name, so that it has the right fields, and values of the right types in them.
    // The others state the name of their column.
    return parseStatisticName(name) ?? (typeof name === 'string' && name === stated.column ? stated : undefined);
  } catch {
    return undefined;
  }
}

import type { Table } from 'apache-arrow';
import { readStatistic } from '../../statistics/result-column.js';
import { measureOf } from '../../statistics/statistic-kinds.js';
import { createTable, numbers, textDictionary, texts } from '../../table/build/create-table.js';
import { joinTables } from '../../table/build/join-tables.js';
import type { Explained } from '../chart/explain.js';
import { type Shown, toShown } from '../view/units.js';

/** The results that are shown as one table, in the units of the reader's choice. */
export function resultTable(explained: readonly Explained[]): Table {
  const tables = explained.map(({ results, shown }) => inShownUnit(results.table(), shown));
  const names = [...new Set(tables.flatMap(({ schema }) => schema.fields.map(({ name }) => name)))];
  return joinTables(tables.map((table) => withColumns(table, names)));
}

/** Converts the values of results. Shares and numbers of members stay as they are. */
function inShownUnit(table: Table, shown: Shown): Table {
  if (shown.factor === 1 && shown.offset === 0) return table;
  const rows = table.numRows;
  const columns = table.schema.fields.flatMap((field) => {
    const measure = measureOf(readStatistic(field));
    if (measure === undefined || measure === 'share' || measure === 'number') return [];
    const scale = measure === 'value' || measure === 'limit' ? shown : { ...shown, offset: 0 };
    const column = table.getChild(field.name);
    const values = Float64Array.from({ length: rows }, (_, row) => toShown(scale, column?.get(row) ?? Number.NaN));
    return { ...numbers(field.name, values), metadata: field.metadata };
  });
  const units = texts('units', new Int32Array(rows), textDictionary([shown.units]));
  const metadata = new Map(table.schema.metadata).set('units', shown.units);
  return table.assign(createTable([units, ...columns], metadata));
}

/** A table with these columns in this order; those that it does not have are missing values. */
function withColumns(table: Table, names: readonly string[]): Table {
  const own = new Set(table.schema.fields.map(({ name }) => name));
  const missing = names.filter((name) => !own.has(name));
  if (missing.length === 0) return table.select([...names]);
  const empty = () => new Float64Array(table.numRows).fill(Number.NaN);
  const columns = missing.map((name) => numbers(name, empty()));
  return table.assign(createTable(columns, new Map(table.schema.metadata))).select([...names]);
}

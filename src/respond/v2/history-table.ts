import type { Table } from 'apache-arrow';
import { concatenate } from '../../core/float-array.js';
import { numbers } from '../../table/build/create-table.js';
import type { HistoryAnswer } from '../answer-data.js';
import { rowBlocks, tableWith, windowColumns, windowsBetween, windowTexts } from './table-columns.js';

/**
 * The answer of `/v2/history` as a table: a row for each variable and window, in the columns
 * `variable, units, latitude, longitude, period, start, end, complete, n_days, value`.
 *
 * Units are as CF writes them, the place is that of the values, values are not rounded, NaN is null. The metadata are
 * `granularity` and, where there is one, `attribution`.
 */
export function historyTable(
  { variables, granularity, attribution }: HistoryAnswer,
  texts = windowTexts(variables),
): Table {
  const values = concatenate(variables.map((answered) => answered.values));
  return tableWith([...windowColumns(variables, texts), numbers('value', values)], { granularity, attribution });
}

/** The same rows as tables of some rows each, in order; `isShared` gives all of them the same dictionaries. */
export function* historyTables(answer: HistoryAnswer, isShared: boolean): Generator<Table> {
  const texts = isShared ? windowTexts(answer.variables) : undefined;
  const blocks = rowBlocks(
    answer.variables,
    10,
    ({ windows }) => windows.count,
    (answered, from, to) => ({
      ...answered,
      windows: windowsBetween(answered.windows, from, to),
      values: answered.values.subarray(from, to),
    }),
  );
  for (const variables of blocks) yield historyTable({ ...answer, variables }, texts);
}

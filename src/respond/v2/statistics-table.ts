import type { Table } from 'apache-arrow';
import { concatenate } from '../../core/float-array.js';
import { resultColumn } from '../../statistics/result-column.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { rowBlocks, tableWith, windowColumns, windowsBetween, windowTexts } from './table-columns.js';

/**
 * The answer of `/v2/forecast/statistics` as a table: a row for each variable and window, in the columns of the
 * statistics table, `variable, units, latitude, longitude, period, start, end, complete, n_days, n_members, mean` and
 * one for each quantile.
 *
 * Units are as CF writes them, the place is that of the values, values are not rounded, NaN is null. The metadata are
 * `init_time`, `version`, `generation`, `granularity` and, where there is one, `attribution`.
 */
export function statisticsTable(answer: StatisticsAnswer, texts = windowTexts(answer.variables)): Table {
  const { variables, quantiles, initTime, version, generation, granularity, attribution } = answer;
  const all = variables.map(({ statistics }) => statistics);
  return tableWith(
    [
      ...windowColumns(variables, texts),
      resultColumn({ kind: 'count', of: 'members' }, Int32Array.from(all.flatMap(({ members }) => [...members]))),
      resultColumn({ kind: 'mean' }, concatenate(all.map(({ mean }) => mean))),
      ...quantiles.map((probability, k) =>
        resultColumn({ kind: 'quantile', probability }, concatenate(all.map((columns) => columns.quantiles[k]))),
      ),
    ],
    { init_time: initTime, version, generation, granularity, attribution },
  );
}

/** The same rows as tables of some rows each, in order; `isShared` gives all of them the same dictionaries. */
export function* statisticsTables(answer: StatisticsAnswer, isShared: boolean): Generator<Table> {
  const texts = isShared ? windowTexts(answer.variables) : undefined;
  const blocks = rowBlocks(
    answer.variables,
    11 + answer.quantiles.length,
    ({ windows }) => windows.count,
    (answered, from, to) => ({
      ...answered,
      windows: windowsBetween(answered.windows, from, to),
      statistics: {
        ...answered.statistics,
        mean: answered.statistics.mean.subarray(from, to),
        quantiles: answered.statistics.quantiles.map((values) => values.subarray(from, to)),
        members: answered.statistics.members.subarray(from, to),
      },
    }),
  );
  for (const variables of blocks) yield statisticsTable({ ...answer, variables }, texts);
}

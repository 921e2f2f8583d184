import type { Table } from 'apache-arrow';
import { concatenate } from '../../core/float-array.js';
import { resultColumn, type Statistic } from '../../statistics/result-column.js';
import type { NewColumn } from '../../table/build/create-table.js';
import type { StatisticsAnswer } from '../answer-data.js';
import { shareColumns, tercileMetadata } from './share-columns.js';
import { horizonsText, rowBlocks, tableWith, windowColumns, windowsBetween, windowTexts } from './table-columns.js';

/**
 * The answer of `/v2/forecast/statistics` as a table: a row for each variable and window, in the columns of the
 * statistics table, `variable, units, latitude, longitude, period, start, end, complete, n_days, n_members, mean`, one
 * for each quantile, and one for each share that any variable has, null for the others.
 *
 * Units are as CF writes them, the place is that of the values, values are not rounded, NaN is null. The metadata are
 * `init_time`, `version`, `generation`, `granularity` and, where there are such, `attribution`, `reference_period`,
 * `tercile_reference` and `horizons`.
 */
export function statisticsTable(
  answer: StatisticsAnswer,
  texts = windowTexts(answer.variables),
  common = commonColumns(answer),
): Table {
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
      ...joinShares(variables, common.shares),
    ],
    { init_time: initTime, version, generation, granularity, attribution, ...common.metadata },
  );
}

/** What all tables of an answer have in common: the shares that any of its variables has, and metadata. */
function commonColumns({ variables }: StatisticsAnswer) {
  const shares = new Map(variables.flatMap(shareColumns).map(({ name, statistic }) => [name, statistic]));
  const { referencePeriod, tercileReference } = tercileMetadata(variables);
  const horizons = horizonsText(variables);
  return { shares, metadata: { reference_period: referencePeriod, tercile_reference: tercileReference, horizons } };
}

/** The columns of shares, missing for the variables that do not have them. */
function joinShares(variables: StatisticsAnswer['variables'], shares: ReadonlyMap<string, Statistic>): NewColumn[] {
  const columns = variables.map(
    (answered) => new Map(shareColumns(answered).map(({ name, values }) => [name, values])),
  );
  return Array.from(shares, ([name, statistic]) => {
    const parts = variables.map(
      ({ windows }, v) => columns[v].get(name) ?? new Float32Array(windows.count).fill(Number.NaN),
    );
    return resultColumn(statistic, concatenate(parts));
  });
}

/** The same rows as tables of some rows each, in order; `isShared` gives all of them the same dictionaries. */
export function* statisticsTables(answer: StatisticsAnswer, isShared: boolean): Generator<Table> {
  const texts = isShared ? windowTexts(answer.variables) : undefined;
  const common = commonColumns(answer);
  const blocks = rowBlocks(
    answer.variables,
    11 + answer.quantiles.length + common.shares.size,
    ({ windows }) => windows.count,
    (answered, from, to) => ({
      ...answered,
      windows: windowsBetween(answered.windows, from, to),
      statistics: {
        ...answered.statistics,
        mean: answered.statistics.mean.subarray(from, to),
        quantiles: answered.statistics.quantiles.map((values) => values.subarray(from, to)),
        members: answered.statistics.members.subarray(from, to),
        probabilities: answered.statistics.probabilities.map((values) => values.subarray(from, to)),
      },
      terciles: answered.terciles && {
        ...answered.terciles,
        shares: answered.terciles.shares.map((values) => values.subarray(from, to)),
      },
    }),
  );
  for (const variables of blocks) yield statisticsTable({ ...answer, variables }, texts, common);
}

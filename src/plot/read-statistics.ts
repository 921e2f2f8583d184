import type { Table } from 'apache-arrow';
import { DataError } from '../errors.js';
import { quantileColumns, readStatistic } from '../statistics/result-column.js';
import {
  type CategoryShares,
  type PanelData,
  type SamplingError,
  shownSpans,
  type TableTexts,
  type WindowStatistics,
  type Windows,
} from './panel-data.js';
import { seamsOf } from './seams.js';
import { hasWindows, type RowsRequest, readWindowRows } from './window-rows.js';

/** Statistics of one place, and what their table says of itself. */
export interface ReadStatistics {
  readonly texts: TableTexts;
  readonly statistics: WindowStatistics;
  /** The greatest number of members that are not missing, if the table has it. */
  readonly memberCount?: number;
}

/** Reads the statistics of one place from a result of `statistics`. Throws DataError for other tables. */
export function readStatistics(table: Table, request: RowsRequest): ReadStatistics {
  const named = (kind: string) => table.schema.fields.find((field) => readStatistic(field)?.kind === kind)?.name;
  const [mean, count] = [named('mean'), named('count')];
  const columns = quantileColumns(table).sort((a, b) => a.probability - b.probability);
  if (!hasWindows(table) || (mean === undefined && columns.length === 0)) {
    throw new DataError({
      source: request.source,
      problem: 'not statistics',
      received: table.schema.fields.map(({ name }) => name).join(', '),
      allowed: 'a result of statistics: columns start and end, and mean or quantiles such as q50',
    });
  }
  const { texts, granularity, start, end, days, times, values } = readWindowRows(table, request);
  const quantiles = columns.map(({ name, probability }) => ({ probability, values: values(name) }));
  const categories = categoryColumns(table).map(({ category, name }) => ({ category, values: values(name) }));
  return {
    texts,
    statistics: {
      ...{ granularity, start, end, days, quantiles, sampling: samplingError(table, values) },
      ...(times && { times }),
      ...(mean !== undefined && { mean: values(mean) }),
      ...(categories.length > 0 && { categories }),
    },
    ...(count !== undefined && { memberCount: values(count).reduce((most, n) => (n > most ? n : most), 0) }),
  };
}

/**
 * A panel of the statistics of one place alone. Throws DataError for other tables, and for several places of which none is
 * chosen.
 */
export function panelOfStatistics(
  table: Table,
  { thresholds = [], ...request }: RowsRequest & { readonly thresholds?: readonly number[] },
): PanelData {
  const { texts, statistics, memberCount } = readStatistics(table, request);
  const span = spanOf([statistics], request.source ?? 'panel');
  return { ...{ texts, statistics: [statistics], thresholds, memberCount, seams: seamsOf(texts) }, ...span };
}

/** The band of the median; undefined where a table has none. */
function samplingError(table: Table, values: (name: string) => Float64Array): SamplingError | undefined {
  const level = Number(table.schema.metadata.get('bands'));
  if (!level || !table.getChild('q50_low')) return;
  return { level, ends: [values('q50_low'), values('q50_high')] };
}

const CATEGORIES = ['below', 'normal', 'above'] as const;

/** The columns of two or three categories of a climatology, from the lowest. */
function categoryColumns(table: Table): { readonly category: CategoryShares['category']; readonly name: string }[] {
  const found = table.schema.fields.map((field) => ({ name: field.name, statistic: readStatistic(field) }));
  return CATEGORIES.flatMap((category) => {
    const column = found.find(({ statistic }) => statistic?.kind === 'category' && statistic.category === category);
    return column === undefined ? [] : { category, name: column.name };
  });
}

function leastOf(days: Float64Array): number {
  return days.reduce((first, day) => Math.min(first, day));
}

/** The days that windows are shown on. Throws DataError where there is none. */
export function spanOf(windows: readonly Windows[], subject: string): { firstDay: number; lastDay: number } {
  const some = windows.filter(({ start }) => start.length > 0);
  if (some.length === 0) {
    throw new DataError({ subject, problem: 'no windows to show', allowed: 'tables with at least one row' });
  }
  const firstDay = Math.floor(Math.min(...some.map((windows) => leastOf(shownSpans(windows).from))));
  const lastDay = Math.max(...some.map(lastDayOf));
  return { firstDay, lastDay: Math.max(firstDay, lastDay) };
}

/** The last day that windows reach into: a time step that ends at midnight is of the day before. */
function lastDayOf({ end, times }: Windows): number {
  if (times === undefined) return end.reduce((last, day) => Math.max(last, day));
  return Math.ceil(times.to.reduce((last, day) => Math.max(last, day))) - 1;
}

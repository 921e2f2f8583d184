import type { Table } from 'apache-arrow';
import type { Ensemble } from '../arrow/ensemble.js';
import type { Core } from '../core/load.js';
import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';
import {
  type CheckedStatisticsOptions,
  checkStatisticsOptions,
  type StatisticsOptions,
} from '../statistics/options.js';
import { ensembleAsked, statisticsOfEnsemble } from '../statistics/statistics.js';

/** Statistics as `statistics` gives them, but no window at all is an error that names the span of days available. */
export function statisticsOfFile(core: Core, table: Table, options: StatisticsOptions): Table {
  const checked = checkStatisticsOptions(options);
  const ensemble = ensembleAsked(table, checked);
  const result = statisticsOfEnsemble(core, ensemble, checked);
  if (result.numRows === 0) throw noWindow(ensemble, checked);
  return result;
}

const WINDOWS = { daily: 'day', weekly: 'complete ISO week', monthly: 'complete month' };

function noWindow({ parts }: Ensemble, options: CheckedStatisticsOptions): DataError {
  const first = Math.min(...parts.map(({ field }) => field.firstDay));
  const last = Math.max(...parts.map(({ field }) => field.firstDay + field.days - 1));
  const { granularity, startDay, endDay, partial, source } = options;
  const asked = [
    startDay === undefined ? '' : ` from ${formatDate(startDay)}`,
    endDay === undefined ? '' : ` to ${formatDate(endDay)}`,
  ].join('');
  return new DataError({
    source,
    problem: `no ${partial ? 'window' : WINDOWS[granularity]}${asked}`,
    allowed: `windows within the days available, ${formatDate(first)} to ${formatDate(last)}${partial || granularity === 'daily' ? '' : '; or --partial'}`,
  });
}

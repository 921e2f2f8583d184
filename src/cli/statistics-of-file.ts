import type { Table } from 'apache-arrow';
import type { Ensemble } from '../arrow/ensemble.js';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../climate/against-options.js';
import { ClimateReference } from '../climate/climate-reference.js';
import type { Climatology } from '../climate/climatology.js';
import type { Core } from '../core/load.js';
import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../statistics/options.js';
import { ensembleAsked, statisticsInGroups } from '../statistics/statistics.js';
import { resultsOf, windowedParts } from '../statistics/windowed-part.js';
import { coincidingLimits } from './coinciding-limits.js';
import { implausible } from './plausibility.js';

/** Results that are computed and written at a time. */
const ROWS_AT_ONCE = 8_192;

/**
 * Statistics as `statistics` gives them, or against a climatology as `statisticsAgainst` does, a table of some rows at a time; but
 * no window at all is an error that names the span of days available.
 */
export function statisticsOfFile(
  core: Core,
  table: Table,
  options: StatisticsAgainstOptions,
  climatology?: Climatology,
): Iterable<Table> {
  const against = climatology && checkAgainstOptions(climatology, options);
  const checked = against ?? checkStatisticsOptions(options);
  const ensemble = ensembleAsked(table, checked);
  if (windowedParts(ensemble, checked).every((part) => resultsOf(part) === 0)) throw noWindow(ensemble, checked);
  const reference = climatology && against && new ClimateReference(climatology, ensemble, against);
  const coinciding = reference && coincidingLimits(reference.metadata);
  if (coinciding !== undefined) warn(coinciding, checked.source);
  const tables = statisticsInGroups(core, ensemble, checked, ROWS_AT_ONCE, reference);
  return watched(tables, ensemble, checked.source);
}

/** Passes tables on, and warns of the first that is not plausible. */
function* watched(tables: Iterable<Table>, { variable }: Ensemble, source?: string): Generator<Table> {
  let warned = variable === undefined;
  for (const table of tables) {
    const warning = warned || variable === undefined ? undefined : implausible(table, variable);
    if (warning !== undefined) {
      warn(warning, source);
      warned = true;
    }
    yield table;
  }
}

function warn(warning: string, source?: string): void {
  process.stderr.write(`warning: ${source}: ${warning}\n`);
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

import type { Table } from 'apache-arrow';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../../climate/against-options.js';
import { ClimateReference } from '../../climate/climate-reference.js';
import type { Climatology } from '../../climate/climatology.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { ModelCalendar } from '../../period/calendar.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../../statistics/options.js';
import type { Reference } from '../../statistics/reference.js';
import { requestedEnsemble, statisticsInGroups } from '../../statistics/statistics.js';
import { resultsOf, windowedParts } from '../../statistics/windowed-part.js';
import { statedCalendar } from '../../table/table-calendar.js';
import { coincidingLimits } from './coinciding-limits.js';
import { type DaySpan, noWindow } from './no-window.js';
import type { Report } from './notice.js';
import { implausible } from './plausibility.js';

/** Results that are computed and written at a time. */
const ROWS_AT_ONCE = 8_192;

/**
 * Statistics as `statistics` gives them, or against a climatology as `statisticsAgainst` does, a table of some rows at a time; but
 * no window at all is an error that names the span of days available. `seen` is told the ensemble before the first table.
 */
export function statisticsOfFile(
  core: Core,
  table: Table,
  options: StatisticsAgainstOptions & { source: string },
  report: Report,
  climatology?: Climatology,
  seen: (ensemble: Ensemble) => void = () => {},
): Iterable<Table> {
  const against = climatology && checkAgainstOptions(climatology, options);
  const checked = against ?? checkStatisticsOptions(options);
  const ensemble = requestedEnsemble(table, checked);
  seen(ensemble);
  if (windowedParts(ensemble, checked).every((part) => resultsOf(part) === 0))
    throw noWindow(new SpanOfDays().add(ensemble), checked);
  const reference = climatology && against && new ClimateReference(climatology, ensemble, against);
  const coinciding = reference && coincidingLimits(reference.metadata);
  if (coinciding !== undefined) report({ kind: 'warning', source: options.source, text: coinciding });
  const tables = statisticsInGroups(core, ensemble, checked, ROWS_AT_ONCE, reference);
  return watched(tables, ensemble, options.source, report);
}

/**
 * As `statisticsOfFile`, of statistics that come in a stream: `begin` begins it, to be told what it calls with each ensemble that is
 * computed. Returns what the stream returns.
 */
export async function* statisticsOfStreamedFile(
  begin: (seen: (ensemble: Ensemble, reference?: Reference) => void) => AsyncGenerator<Table, boolean>,
  options: CheckedStatisticsOptions & { source: string },
  report: Report,
): AsyncGenerator<Table, boolean> {
  const span = new SpanOfDays();
  let watch: ((table: Table) => void) | undefined;
  const tables = begin((ensemble, reference) => {
    if (watch === undefined) {
      const coinciding = reference && coincidingLimits(reference.metadata);
      if (coinciding !== undefined) report({ kind: 'warning', source: options.source, text: coinciding });
      watch = watcher(ensemble, options.source, report);
    }
    span.add(ensemble);
  });
  let hasResults = false;
  for (;;) {
    const { done, value } = await tables.next();
    if (done) {
      if (value && !hasResults) throw noWindow(span, options);
      return value;
    }
    if (value.numRows === 0) continue;
    hasResults = true;
    watch?.(value);
    yield value;
  }
}

/** Passes tables on, and warns of the first that is not plausible. */
export function* watched(
  tables: Iterable<Table>,
  ensemble: Pick<Ensemble, 'variable'>,
  source: string,
  report: Report,
): Generator<Table> {
  const watch = watcher(ensemble, source, report);
  for (const table of tables) {
    watch(table);
    yield table;
  }
}

/** Looks at tables, and warns of the first that is not plausible. */
function watcher({ variable }: Pick<Ensemble, 'variable'>, source: string, report: Report): (table: Table) => void {
  let warned = variable === undefined;
  return (table) => {
    const warning = warned || variable === undefined ? undefined : implausible(table, variable);
    if (warning === undefined) return;
    report({ kind: 'warning', source, text: warning });
    warned = true;
  };
}

/** The days from the first to the last that ensembles have. */
class SpanOfDays implements DaySpan {
  calendar: ModelCalendar | undefined;
  first = Number.POSITIVE_INFINITY;
  last = Number.NEGATIVE_INFINITY;

  add({ parts, metadata }: Ensemble): this {
    this.calendar = statedCalendar(metadata);
    for (const { firstDay, days } of parts.map(({ field }) => field)) {
      this.first = Math.min(this.first, firstDay);
      this.last = Math.max(this.last, firstDay + days - 1);
    }
    return this;
  }
}

import type { Table } from 'apache-arrow';
import { checkAgainstOptions, type StatisticsAgainstOptions } from '../../climate/against-options.js';
import { ClimateReference } from '../../climate/climate-reference.js';
import type { Climatology } from '../../climate/climatology.js';
import type { Core } from '../../core/load.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { ModelCalendar } from '../../period/calendar.js';
import type { Reference } from '../../statistics/comparison.js';
import { type CheckedStatisticsOptions, checkStatisticsOptions } from '../../statistics/options.js';
import { requestedEnsemble, statisticsInGroups } from '../../statistics/statistics.js';
import { resultsOf, windowedParts } from '../../statistics/windowed-part.js';
import { statedCalendar } from '../../table/table-calendar.js';
import { type DaySpan, noWindowError } from './no-window.js';
import type { Report } from './notice.js';
import { describeCoincidingLimits, findImplausible } from './result-warnings.js';

/** About how many results are computed and written at a time. */
const ROWS_AT_ONCE = 8_192;

/**
 * Computes statistics as `statistics` does, or as `statisticsAgainst` with a climatology, a table of some rows at a
 * time; but throws a DataError that names the available days if there is no window at all. `onEnsemble` receives the
 * ensemble before the first table.
 */
export function statisticsOfFile(
  core: Core,
  table: Table,
  options: StatisticsAgainstOptions & { source: string },
  report: Report,
  climatology?: Climatology,
  onEnsemble: (ensemble: Ensemble) => void = () => {},
): Iterable<Table> {
  const against = climatology && checkAgainstOptions(climatology, options);
  const checked = against ?? checkStatisticsOptions(options);
  const ensemble = requestedEnsemble(table, checked);
  onEnsemble(ensemble);
  if (windowedParts(ensemble, checked).every((part) => resultsOf(part) === 0))
    throw noWindowError(new SpanOfDays().add(ensemble), checked);
  const reference = climatology && against && new ClimateReference(climatology, ensemble, against);
  const coinciding = reference && describeCoincidingLimits(reference.metadata);
  if (coinciding !== undefined) report({ kind: 'warning', source: options.source, text: coinciding });
  const tables = statisticsInGroups(core, ensemble, checked, ROWS_AT_ONCE, reference);
  return warnIfImplausible(tables, ensemble, options.source, report);
}

/**
 * As `statisticsOfFile`, for statistics that come in a stream: `openStream` opens it, and calls its argument with each
 * ensemble that is computed. Returns what the stream returns.
 */
export async function* statisticsOfStreamedFile(
  openStream: (onEnsemble: (ensemble: Ensemble, reference?: Reference) => void) => AsyncGenerator<Table, boolean>,
  options: CheckedStatisticsOptions & { source: string },
  report: Report,
): AsyncGenerator<Table, boolean> {
  const span = new SpanOfDays();
  let check: ((table: Table) => void) | undefined;
  const tables = openStream((ensemble, reference) => {
    if (check === undefined) {
      const coinciding = reference && describeCoincidingLimits(reference.metadata);
      if (coinciding !== undefined) report({ kind: 'warning', source: options.source, text: coinciding });
      check = createPlausibilityCheck(ensemble, options.source, report);
    }
    span.add(ensemble);
  });
  let hasResults = false;
  for (;;) {
    const { done, value } = await tables.next();
    if (done) {
      if (value && !hasResults) throw noWindowError(span, options);
      return value;
    }
    if (value.numRows === 0) continue;
    hasResults = true;
    check?.(value);
    yield value;
  }
}

/** Passes tables on, and warns of the first that is not plausible. */
export function* warnIfImplausible(
  tables: Iterable<Table>,
  ensemble: Pick<Ensemble, 'variable'>,
  source: string,
  report: Report,
): Generator<Table> {
  const check = createPlausibilityCheck(ensemble, source, report);
  for (const table of tables) {
    check(table);
    yield table;
  }
}

/** Creates a function that checks tables, and warns of the first that is not plausible. */
function createPlausibilityCheck(
  { variable }: Pick<Ensemble, 'variable'>,
  source: string,
  report: Report,
): (table: Table) => void {
  let warned = variable === undefined;
  return (table) => {
    const warning = warned || variable === undefined ? undefined : findImplausible(table, variable);
    if (warning === undefined) return;
    report({ kind: 'warning', source, text: warning });
    warned = true;
  };
}

/** The range of days of ensembles. */
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

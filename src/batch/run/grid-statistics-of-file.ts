import { checkAgainstOptions } from '../../climate/against-options.js';
import type { Core } from '../../core/load.js';
import type { ArrayFile } from '../../files/array/array-file.js';
import type { GridEnsemble } from '../../files/cf/grid-ensemble.js';
import { checkStatisticsOptions } from '../../statistics/options.js';
import { statedCalendar } from '../../table/table-calendar.js';
import { coincidingLimits } from './coinciding-limits.js';
import { GridStatistics } from './grid-statistics.js';
import type { InputRequest } from './input-statistics.js';
import { type DaySpan, noWindow } from './no-window.js';
import type { Report } from './notice.js';
import { openEnsemble } from './open-ensemble.js';

/**
 * What is to be computed of a file of arrays; what was done to its values, and what may be wrong, is told. Throws OptionError and DataError
 * for what can be told before values are read, and where there is no window at all.
 */
export async function gridStatisticsOfFile(
  core: Core,
  file: ArrayFile,
  { statistics, climatology, values, seen }: InputRequest,
  report: Report,
): Promise<GridStatistics> {
  const { source } = file;
  const requested = { ...statistics, calendar: values.calendar, source };
  const against = climatology && checkAgainstOptions(climatology, requested);
  const options = against ?? checkStatisticsOptions(requested);
  const ensemble = await openEnsemble(file, options, values, report);
  seen?.(ensemble.members.length);
  const plan = new GridStatistics(core, ensemble, options, climatology && against && { climatology, options: against });
  if (plan.windows.count === 0) throw noWindow(daysOf(ensemble), options);
  const coinciding = coincidingLimits(plan.metadata);
  if (coinciding !== undefined) report({ kind: 'warning', source, text: coinciding });
  return plan;
}

function daysOf({ firstDay, days, metadata }: GridEnsemble): DaySpan {
  return { first: firstDay, last: firstDay + days - 1, calendar: statedCalendar(metadata) };
}

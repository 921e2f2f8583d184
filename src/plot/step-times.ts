import type { Table } from 'apache-arrow';
import { type LocalDays, requestedDays } from '../ensemble/local-days.js';
import type { ModelCalendar } from '../period/calendar.js';
import { DAY_SECONDS } from '../period/day.js';
import { STEPS } from '../period/stated-days.js';
import { columnOf } from '../table/arrow/table-schema.js';
import { statedCalendar } from '../table/columns/day-column.js';
import { timeColumn } from '../table/daily/time-column.js';
import { isOfSteps } from '../table/daily/timed-table.js';
import type { Windows } from './panel-data.js';

/** The days of a zone that metadata state; undefined for days of UTC. */
function statedLocalDays(metadata: ReadonlyMap<string, string>): LocalDays | undefined {
  return requestedDays({ timeZone: metadata.get('time_zone'), dayStart: metadata.get('day_start') });
}

/** Where a time is on an axis of days. */
function dayAt(seconds: number, days: LocalDays | undefined): number {
  return days?.position(seconds) ?? seconds / DAY_SECONDS;
}

/** The day of each row of a table of time steps: that in which its middle is, of the zone that metadata state. */
export function daysOfSteps(table: Table): Int32Array {
  const { metadata } = table.schema;
  const [starts, ends] = edgesOf(table, statedCalendar(metadata), undefined);
  const days = statedLocalDays(metadata);
  return Int32Array.from(starts, (start, row) => Math.floor(dayAt((start + ends[row]) / 2, days)));
}

function edgesOf(table: Table, calendar: ModelCalendar | undefined, source: string | undefined): Float64Array[] {
  return ['start', 'end'].map((name) => timeColumn(columnOf(table, name), name, source, calendar) as Float64Array);
}

/**
 * The rows of a table of time steps, in the order of their times, and where these are on an axis of days of the zone that
 * its metadata state. Undefined for other tables.
 */
export function readStepTimes(
  table: Table,
  given: readonly number[],
  { calendar, source }: { calendar: ModelCalendar | undefined; source: string | undefined },
): { readonly rows: number[]; readonly windows: Windows } | undefined {
  if (!isOfSteps(table)) return undefined;
  const [starts, ends] = edgesOf(table, calendar, source);
  const rows = [...given].sort((a, b) => starts[a] - starts[b] || ends[a] - ends[b]);
  const days = statedLocalDays(table.schema.metadata);
  const from = Float64Array.from(rows, (row) => dayAt(starts[row], days));
  const to = Float64Array.from(rows, (row) => dayAt(ends[row], days));
  const at = from.map((begin, i) => (begin + to[i]) / 2);
  // Instants are shown up to halfway to their neighbours, the outermost within their day.
  for (let i = 0; i < at.length; i++) {
    if (starts[rows[i]] < ends[rows[i]]) continue;
    const [before, after] = [at[i] - at[i - 1], at[i + 1] - at[i]].map((gap) => gap / 2);
    from[i] = Math.max(from[i] - (before || after || 0), i === 0 ? Math.floor(at[i]) : Number.NEGATIVE_INFINITY);
    to[i] = Math.min(to[i] + (after || before || 0), i === at.length - 1 ? Math.ceil(at[i]) : Number.POSITIVE_INFINITY);
  }
  const start = Int32Array.from(at, Math.floor);
  return { rows, windows: { granularity: STEPS, start, end: start, times: { from, to, at, days } } };
}

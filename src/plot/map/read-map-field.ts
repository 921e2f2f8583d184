import type { Table } from 'apache-arrow';
import { checkOptions, type OptionSchema } from '../../check/option-checks.js';
import { DataError, OptionError } from '../../errors.js';
import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { GRANULARITIES, periodKey } from '../../period/period.js';
import { readStatistic } from '../../statistics/result-column.js';
import type { Statistic } from '../../statistics/statistic.js';
import { readWindowValue } from '../../statistics/window-measure.js';
import { assertTable, ownTable } from '../../table/arrow/own-table.js';
import { columnOf, findColumn } from '../../table/arrow/table-schema.js';
import { dayColumn, tableCalendar } from '../../table/columns/day-column.js';
import { variableByName } from '../../variable/find-variable.js';
import { unitsAgree } from '../../variable/unit-conversion.js';
import { assertOneSource, columnValues, granularityOf, hasWindows, textOf } from '../window-rows.js';
import { likelyTerciles, TERCILE, TERCILES } from './likely-tercile.js';
import type { MapField } from './map-field.js';

/** Which values of a table a map shows. */
export interface MapFieldOptions {
  /**
   * The name of a column of results: `mean`, `q10`, `spread`, `p_gt_20`, `p_above`, `anomaly`; or `tercile`: which of
   * below, near and above normal is the most likely. Default `mean`.
   */
  statistic?: string;
  /** The key of the window: `2026-04-07`, `2026-W15`, `2026-04` or another. Default: the first complete one. */
  period?: string;
  /** What the table is called in messages, such as the file's name. */
  source?: string;
}

const MAP_FIELD_OPTIONS = {
  statistic: { type: 'text', default: 'mean' },
  period: { type: 'text' },
  source: { type: 'text' },
} satisfies OptionSchema<MapFieldOptions>;

/**
 * Reads what a map shows from a result of `statistics` of several places: one column at one window. The places may be
 * in any order; those that form a grid are drawn as one. Throws DataError for other tables, and OptionError for a column
 * or a window that is not there.
 */
export function mapField(given: Table, options: MapFieldOptions = {}): MapField {
  const {
    statistic: name,
    period,
    source,
  } = checkOptions<MapFieldOptions, typeof MAP_FIELD_OPTIONS>(options, MAP_FIELD_OPTIONS);
  assertTable(given, source ?? 'table');
  const table = ownTable(given, source);
  const { fields, metadata } = table.schema;
  const hasPlaces = findColumn(table, 'latitude') !== undefined && findColumn(table, 'longitude') !== undefined;
  if (!hasWindows(table) || !hasPlaces || table.numRows === 0) {
    const received = table.numRows === 0 ? 'no rows' : fields.map((field) => field.name).join(', ');
    const allowed = 'a result of statistics: columns latitude, longitude, start, end, and mean or others';
    throw new DataError({ source, problem: 'not statistics of places', received, allowed });
  }
  const columns = fields.flatMap((field) => {
    const statistic = readStatistic(field);
    return statistic === undefined ? [] : { name: field.name, statistic };
  });
  const shown = shownColumns(columns, name, source);
  assertOneSource(table, source);
  const calendar = tableCalendar(table, { source });
  const variable = textOf(table, 'variable', (a, b) => a === b, source) ?? metadata.get('variable');
  const units = textOf(table, 'units', unitsAgree, source) ?? metadata.get('units');
  const [first, last] = ['start', 'end'].map((day) => dayColumn(columnOf(table, day), day, source, calendar));
  const granularity = granularityOf(metadata.get('granularity'), { start: first, end: last });
  const windows = keysOfRows(table, first, { granularity, calendar });
  const row = rowOf(table, first, { period, keys: windows, source });
  const [start, key] = [first[row], windows[row]];
  const rows = Array.from(first.keys()).filter((each) => windows[each] === key);
  const [latitude, longitude, ...shares] = ['latitude', 'longitude', ...shown.map((each) => each.name)].map((column) =>
    columnValues(table, column, rows, source),
  );
  assertDistinct(latitude, longitude, source);
  const count = findColumn(table, 'n_members') && columnValues(table, 'n_members', rows, source);
  const window = metadata.get('window') ?? variableByName(variable ?? '')?.window;
  return {
    ...{ grid: { kind: 'places', latitude, longitude, shape: [rows.length] } },
    ...(name === TERCILE ? likelyTerciles(shares) : { values: shares[0], statistic: shown[0].statistic }),
    ...{ variable, units },
    ...(window !== undefined && readWindowValue(window) !== undefined && { window }),
    ...{ granularity, period: key, start, end: last[row], metadata: calendarAdded(metadata, calendar) },
    ...(count !== undefined && { members: count.reduce((most, n) => (n > most ? n : most), 1) }),
  };
}

/** A column of results, and what it is. */
interface ShownColumn {
  readonly name: string;
  readonly statistic: Statistic | undefined;
}

/**
 * The columns of results that a map of a statistic shows: its own, or for the most likely tercile the shares below, near
 * and above normal. Throws OptionError where they are not there.
 */
export function shownColumns<Column extends ShownColumn>(
  columns: readonly Column[],
  name: string,
  source: string | undefined,
): Column[] {
  const subject = subjectOf('statistic', source);
  if (name === TERCILE) {
    const isOf = (category: string) => (column: Column) =>
      column.statistic?.kind === 'category' && column.statistic.category === category;
    const shares = TERCILES.flatMap((category) => columns.find(isOf(category)) ?? []);
    if (shares.length === TERCILES.length) return shares;
    const problem = 'needs the shares of members below, near and above normal';
    throw new OptionError({ subject, problem, received: name, allowed: 'results with a climatology of terciles' });
  }
  const own = columns.find((column) => column.name === name);
  if (own !== undefined) return [own];
  const allowed = columns.map((column) => column.name).join(', ');
  throw new OptionError({ subject, problem: 'the results do not have it', received: name, allowed });
}

/** The key of the window of each row: as a table has them, or by their first days. */
function keysOfRows(
  table: Table,
  first: Int32Array,
  { granularity, calendar }: { readonly granularity: string; readonly calendar: ModelCalendar | undefined },
): string[] {
  const known = GRANULARITIES.find((name) => name === granularity);
  if (known !== undefined) return Array.from(first, (day) => periodKey(known, day, calendar));
  const keys = findColumn(table, 'period');
  return Array.from(first, (day, row) => String(keys?.get(row) ?? dateText(calendar, day)));
}

interface WindowChoice {
  readonly period: string | undefined;
  readonly keys: readonly string[];
  readonly source: string | undefined;
}

/** A row of the window to show: of the one with the key, or of the first complete one. */
function rowOf(table: Table, first: Int32Array, { period, keys, source }: WindowChoice): number {
  const rows = [...first.keys()].sort((a, b) => first[a] - first[b]);
  if (period === undefined) {
    const complete = findColumn(table, 'complete');
    return rows.find((row) => complete === undefined || complete.get(row) === true) ?? rows[0];
  }
  const known = [...new Set(rows.map((row) => keys[row]))];
  return keys.indexOf(known[chosenWindow(known, period, source)]);
}

/** The index of the window with a key. Throws OptionError where there is none, with those that there are. */
export function chosenWindow(keys: readonly string[], period: string, source?: string): number {
  const index = keys.indexOf(period);
  if (index >= 0) return index;
  const allowed = keys.length > 4 ? `${keys[0]} to ${keys[keys.length - 1]}` : keys.join(', ');
  const subject = subjectOf('period', source);
  throw new OptionError({ subject, problem: 'there is no such window', received: period, allowed });
}

function subjectOf(name: string, source: string | undefined): string {
  return source === undefined ? name : `${source}, ${name}`;
}

function calendarAdded(metadata: ReadonlyMap<string, string>, calendar: ModelCalendar | undefined) {
  return calendar === undefined ? metadata : new Map(metadata).set('calendar', calendar);
}

function assertDistinct(latitude: Float64Array, longitude: Float64Array, source: string | undefined): void {
  const known = new Set<string>();
  for (let i = 0; i < latitude.length; i++) {
    const key = `${latitude[i]},${longitude[i]}`;
    if (known.has(key)) {
      const [problem, allowed] = ['two rows of one place and window', 'one row for each place and window'];
      throw new DataError({ source, problem, received: `latitude ${latitude[i]}, longitude ${longitude[i]}`, allowed });
    }
    known.add(key);
  }
}

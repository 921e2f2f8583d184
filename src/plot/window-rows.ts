import type { Table } from 'apache-arrow';
import { MemberColumn } from '../core/member-column.js';
import { nearestPlace } from '../ensemble/nearest-cell.js';
import { type Point, somePlaces } from '../ensemble/nearest-place.js';
import { DataError, mentionOption } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import { GRANULARITIES, type Granularity } from '../period/period.js';
import { areWindows } from '../period/windows.js';
import { isResultColumn } from '../statistics/result-column.js';
import { columnOf, findColumn } from '../table/arrow/table-schema.js';
import { numberChunks, onlyText } from '../table/columns/column-values.js';
import { dayColumn, tableCalendar } from '../table/columns/day-column.js';
import { findPlaces } from '../table/rows/table-places.js';
import { variableByName } from '../variable/find-variable.js';
import { unitsAgree } from '../variable/unit-conversion.js';
import type { TableTexts, Windows } from './panel-data.js';
import { readStepTimes } from './step-times.js';

/** The rows of one place in a table of windows, as `statistics` and `memberWindows` make it. */
export interface WindowRows extends Windows {
  readonly texts: TableTexts;
  /** The values of a column at these windows; NaN where they are missing. Throws DataError for infinite ones. */
  values(column: string): Float64Array;
}

/** Which rows of a table are read, and its name in messages. */
export interface RowsRequest {
  readonly point?: Point;
  readonly source?: string;
}

/** Whether a table has a row for each window, with the first and the last day of the window. */
export function hasWindows(table: Table): boolean {
  return findColumn(table, 'start') !== undefined && findColumn(table, 'end') !== undefined;
}

/**
 * Reads the rows of one place from a table of windows: the only one, or the one nearest to `point`. Throws DataError
 * for several places without a point, several files or variables, and periods that come twice.
 */
export function readWindowRows(table: Table, { point, source }: RowsRequest): WindowRows {
  const calendar = tableCalendar(table, { source });
  const { metadata } = table.schema;
  assertOneSource(table, source);
  const variable = textOf(table, 'variable', (a, b) => a === b, source) ?? metadata.get('variable');
  const units = textOf(table, 'units', unitsAgree, source) ?? metadata.get('units');
  const place = rowsOfPlace(table, { point, source });
  const { rows, windows } =
    readStepTimes(table, place.rows, { calendar, source }) ?? rowsOfWindows(table, place.rows, calendar, source);
  return {
    ...windows,
    texts: {
      variable,
      units: shownUnits(variable, units),
      calendar,
      window: metadata.get('window') ?? variableByName(variable ?? '')?.window,
      metadata,
      latitude: place.latitude,
      longitude: place.longitude,
      labels: place.labels,
    },
    values: (column) => columnValues(table, column, rows, source),
  };
}

function rowsOfWindows(table: Table, given: number[], calendar: ModelCalendar | undefined, source?: string) {
  const [first, last] = ['start', 'end'].map((name) => dayColumn(columnOf(table, name), name, source, calendar));
  const rows = given.sort((a, b) => first[a] + last[a] - first[b] - last[b] || first[b] - first[a]);
  const start = Int32Array.from(rows, (row) => first[row]);
  const end = Int32Array.from(rows, (row) => last[row]);
  const granularity = granularityOf(table.schema.metadata.get('granularity'), { start, end }, keysOf(table, rows));
  assertDistinct({ granularity, start, end }, calendar, source);
  const days = findColumn(table, 'n_days') && Int32Array.from(columnValues(table, 'n_days', rows, source));
  const windows: Windows = { granularity, start, end, ...(days && { days }) };
  return { rows, windows };
}

/** The unit as it is shown, if it is that of a known variable. */
export function shownUnits(slug: string | undefined, units: string | undefined): string | undefined {
  const variable = variableByName(slug ?? '');
  return variable !== undefined && variable.units === units ? variable.label : units;
}

/** The text that a column of a table has in all rows; undefined where there is none. Throws DataError for several. */
export function textOf(
  table: Table,
  name: string,
  agree: (a: string, b: string) => boolean,
  source?: string,
): string | undefined {
  const column = findColumn(table, name);
  return column === undefined ? undefined : onlyText(column, name, agree, source);
}

/** Statistics of several files have a column that names them: throws DataError for more than one. */
export function assertOneSource(table: Table, source?: string): void {
  textOf(table, 'source', (a, b) => a === b, source);
}

interface PlaceRows extends Pick<TableTexts, 'latitude' | 'longitude' | 'labels'> {
  readonly rows: number[];
}

function rowsOfPlace(table: Table, { point, source }: RowsRequest): PlaceRows {
  const all = Array.from({ length: table.numRows }, (_, row) => row);
  if (all.length === 0) return { rows: all, latitude: Number.NaN, longitude: Number.NaN };
  const { placeOf, ...places } = findPlaces(table, isResultColumn(table), source);
  const place = point === undefined ? 0 : nearestPlace(places, point, source);
  const rows = all.filter((row) => placeOf[row] === place);
  if (point === undefined && rows.length < table.numRows) throw severalPlaces(source);
  const { latitude, longitude, labels } = somePlaces(places, place, place + 1);
  return { rows, latitude: latitude[0], longitude: longitude[0], labels };
}

/** The error for a table of several places, of which one was not chosen. */
export function severalPlaces(source?: string): DataError {
  return new DataError({
    source,
    problem: 'has several places, and a meteogram is of one',
    allowed: `a table of one place, or ${mentionOption('point')}`,
  });
}

function assertDistinct(
  { granularity, start, end }: Windows,
  calendar: ModelCalendar | undefined,
  source?: string,
): void {
  const mayOverlap = !(GRANULARITIES as readonly string[]).includes(granularity);
  const follows = (i: number) =>
    start[i] > end[i - 1] || (mayOverlap && (start[i] !== start[i - 1] || end[i] !== end[i - 1]));
  for (let i = 0; i < start.length; i++) {
    if (end[i] >= start[i] && (i === 0 || follows(i))) continue;
    throw new DataError({
      source,
      problem: 'periods that overlap',
      received: `${dateText(calendar, start[i])} to ${dateText(calendar, end[i])}`,
      allowed: 'one row for each period of a place',
    });
  }
}

/** The keys of some rows, where a table has them as texts. */
function keysOf(table: Table, rows: readonly number[]): readonly string[] {
  const keys = findColumn(table, 'period');
  return keys === undefined ? [] : rows.map((row) => String(keys.get(row)));
}

/** The forms of the keys of days, weeks and months. */
const KEY_FORMS: Readonly<Record<Granularity, RegExp>> = {
  daily: /^\d{4}-\d\d-\d\d$/,
  weekly: /^\d{4}-W\d\d$/,
  monthly: /^\d{4}-\d\d$/,
};

/** What windows are: as stated, or else by the days of the first one and the keys of all. */
export function granularityOf(
  stated: string | undefined,
  { start, end }: Omit<Windows, 'granularity'>,
  keys: readonly string[] = [],
): string {
  if (stated === 'list' || areWindows(stated)) return stated as string;
  const days = start.length === 0 ? 1 : end[0] - start[0] + 1;
  const likely = days === 1 ? 'daily' : days <= 7 ? 'weekly' : 'monthly';
  if (keys.every((key) => KEY_FORMS[likely].test(key))) return likely;
  if (keys.every((key) => KEY_FORMS.daily.test(key))) return `rolling ${days}`;
  return GRANULARITIES.find((name) => keys.every((key) => KEY_FORMS[name].test(key))) ?? 'list';
}

/** The values of a column in some rows; NaN where they are missing. Throws DataError for infinite ones. */
export function columnValues(table: Table, name: string, rows: readonly number[], source?: string): Float64Array {
  const column = new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64', source));
  const all = new Float64Array(column.length);
  column.copyTo(all, 0, 0, all.length);
  const infinite = rows.find((row) => Math.abs(all[row]) === Number.POSITIVE_INFINITY);
  if (infinite !== undefined) throw infiniteError(all[infinite], { row: infinite + 1, column: name, source });
  return Float64Array.from(rows, (row) => all[row]);
}

/** The error for an infinite value, which no axis can show. */
export function infiniteError(
  received: number,
  place: { readonly row?: number; readonly column?: string; readonly source?: string },
): DataError {
  return new DataError({
    ...place,
    problem: 'infinite value',
    received,
    allowed: 'finite numbers; NaN or null is missing',
  });
}

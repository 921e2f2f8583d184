import type { Table } from 'apache-arrow';
import { assertShape } from '../../../check/option-checks.js';
import { MemberColumn } from '../../../core/member-column.js';
import { floatArray } from '../../../core/number-arrays.js';
import { cellsOfGrid } from '../../../ensemble/grid.js';
import type { PlaceLabels } from '../../../ensemble/place-labels.js';
import { DataError } from '../../../errors.js';
import type { ModelCalendar } from '../../../period/calendar.js';
import { GRANULARITIES } from '../../../period/period.js';
import { areWindows } from '../../../period/windows.js';
import { isResultColumn, readStatistic } from '../../../statistics/result-column.js';
import { ownTable } from '../../../table/arrow/own-table.js';
import { columnOf } from '../../../table/arrow/table-schema.js';
import { floatType, isNumberType, numberChunks, onlyText } from '../../../table/columns/column-values.js';
import { dayColumn, tableCalendar } from '../../../table/columns/day-column.js';
import { findPlaces } from '../../../table/rows/table-places.js';
import { assertVariables, variableByName } from '../../../variable/find-variable.js';
import { type Variable, WINDOW_RULES } from '../../../variable/variable.js';
import { findGrid } from '../cells/grid-of-places.js';
import type { ResultColumn, ResultCube, ResultValues, ResultWindows } from './result-cube.js';

/** Columns with the place and window of a row, and those that follow from others. */
const LABELS = [
  ...['latitude', 'longitude', 'period', 'start', 'end', 'complete', 'n_days', 'variable', 'units'],
  'degenerate',
];

/** Whether a table is one of statistics by windows, by its columns. */
export function isStatisticsTable({ schema }: Table): boolean {
  const names = schema.fields.map(({ name }) => name);
  if (!['period', 'start', 'end', 'n_days'].every((name) => names.includes(name))) return false;
  // Conditions on several variables have shares alone.
  return names.includes('mean') || (names.includes('n_members') && names.some((name) => name.startsWith('p_')));
}

/**
 * Arranges the statistics of a table, as `statistics` creates it, on their grid: rows in any order, windows by their
 * first day; values without a row are missing. Values are arranged column by column as they are read. Throws DataError
 * for a table of several variables, and where two rows have the same place and window, or rows of one window contradict
 * each other.
 */
export function resultCube(
  given: Table,
  options: { variables?: readonly Variable[]; calendar?: string; source?: string } = {},
): ResultCube {
  const table = ownTable(given);
  assertShape('options', options, { source: 'any text?', calendar: 'any text?' });
  const { variables, source } = options;
  assertVariables(variables);
  const calendar = tableCalendar(table, options);
  const metadata = new Map(table.schema.metadata);
  if (calendar !== undefined) metadata.set('calendar', calendar);
  const column = (name: string) => columnOf(table, name);
  const stated = (name: string) =>
    (column(name) && onlyText(column(name), name, (a, b) => a === b, source)) ?? metadata.get(name);
  const slug = stated('variable');
  const { windows, windowOf } = readWindows(table, calendar, source);
  const isResult = isResultColumn(table, LABELS);
  const { latitude, longitude, labels, placeOf } = findPlaces(table, isResult, source);
  const { grid, cellOf } = findGrid(latitude, longitude, labels);
  const cells = cellsOfGrid(grid);
  const at = Int32Array.from(placeOf, (place, row) => windowOf[row] * cells + cellOf[place]);
  assertUnique(at, windows.count * cells, source);
  return {
    variable: slug === undefined ? undefined : variableByName(slug, variables),
    units: stated('units'),
    window: WINDOW_RULES.find((rule) => rule === metadata.get('window')),
    metadata: slug === undefined ? metadata : new Map([...metadata, ['variable', slug]]),
    grid,
    windows,
    ...arrangedColumns(table, at, cells, windows.count, labels),
  };
}

/**
 * The columns of numbers of a table of results, each value at the index that `at` has for its row; arranged as they are
 * read, column by column. Values without a row are missing.
 */
export function arrangedColumns(
  table: Table,
  at: Int32Array,
  cells: number,
  windows: number,
  labels?: PlaceLabels,
): Pick<ResultCube, 'columns' | 'read'> {
  const ofPlaces = labels?.columns.map(({ name }) => name) ?? [];
  const columns = table.schema.fields
    .filter(({ name, type }) => ![...LABELS, ...ofPlaces].includes(name) && isNumberType(type))
    .map((field): ResultColumn => {
      const { name } = field;
      const statistic = readStatistic(field);
      return { name, statistic, type: statistic?.kind === 'count' ? 'int32' : floatType([columnOf(table, name)]) };
    });
  let arranged: { index: number; values: ResultValues } | undefined;
  return {
    columns,
    read(index, first, count) {
      if (arranged?.index !== index) arranged = { index, values: arrange(table, columns[index], at, windows * cells) };
      return arranged.values.subarray(first * cells, (first + count) * cells);
    },
  };
}

/** Reads the windows of all rows in order of time, and the index of each row's window. */
function readWindows(
  table: Table,
  calendar: ModelCalendar | undefined,
  source?: string,
): { windows: ResultWindows; windowOf: Int32Array } {
  const days = (name: string) => dayColumn(columnOf(table, name), name, source, calendar);
  const [rowStart, rowEnd] = [days('start'), days('end')];
  const rowDays = numbersOf(table, 'n_days', source);
  const complete = table.getChild('complete');
  const stated = table.schema.metadata.get('granularity');
  const known = GRANULARITIES.find((name) => name === stated);
  const isOther = stated === 'list' || (known === undefined && areWindows(stated));
  // Windows of other kinds may overlap, and begin on the same day.
  const idOf = (row: number) => (isOther ? `${rowStart[row]} ${rowEnd[row]}` : rowStart[row]);
  const firstRows = new Map<string | number, number>();
  for (let row = rowStart.length - 1; row >= 0; row--) firstRows.set(idOf(row), row);
  const rows = [...firstRows.values()].sort((a, b) => rowStart[a] - rowStart[b] || rowEnd[a] - rowEnd[b]);
  const start = Int32Array.from(rows, (row) => rowStart[row]);
  const place = new Map(rows.map((row, w) => [idOf(row), w]));
  const windowOf = rowStart.map((_, row) => place.get(idOf(row)) as number);
  const periods = isOther ? table.getChild('period') : null;
  const keys = periods === null ? undefined : rows.map((row) => String(periods.get(row)));
  const [end, dayCounts] = [new Int32Array(start.length), new Int32Array(start.length)];
  const isComplete = new Uint8Array(start.length);
  const seen = new Uint8Array(start.length);
  for (let row = 0; row < windowOf.length; row++) {
    const w = windowOf[row];
    if (seen[w] === 1 && (end[w] !== rowEnd[row] || dayCounts[w] !== rowDays[row])) {
      const problem = 'has a window that contradicts rows before, and a grid has one axis of time';
      throw new DataError({ source, row: row + 1, problem });
    }
    if (seen[w] === 1) continue;
    seen[w] = 1;
    end[w] = rowEnd[row];
    dayCounts[w] = rowDays[row];
    isComplete[w] = Number(complete?.get(row) ?? 1);
  }
  const granularity = isOther ? (stated as string) : (known ?? granularityOf(start, end));
  const windows = { granularity, count: start.length, start, end, days: dayCounts, complete: isComplete };
  return { windows: { ...windows, ...(keys && { keys }) }, windowOf };
}

function granularityOf(start: Int32Array, end: Int32Array): ResultWindows['granularity'] {
  const days = end[0] - start[0] + 1;
  return days === 1 ? 'daily' : days === 7 ? 'weekly' : 'monthly';
}

function numbersOf(table: Table, name: string, source?: string): Float64Array {
  const values = new Float64Array(table.numRows);
  new MemberColumn(name, numberChunks(columnOf(table, name), name, 'float64', source)).copyTo(
    values,
    0,
    0,
    table.numRows,
  );
  return values;
}

/** Arranges the values of a column, each at its index; missing where there is no row. */
function arrange(table: Table, { name, type }: ResultColumn, at: Int32Array, length: number): ResultValues {
  const values = type === 'int32' ? new Int32Array(length) : floatArray(type, length).fill(Number.NaN);
  const rows = numbersOf(table, name);
  for (let row = 0; row < rows.length; row++) values[at[row]] = rows[row];
  return values;
}

/** Throws DataError where two rows have the same index. */
export function assertUnique(at: Int32Array, length: number, source?: string): void {
  const seen = new Uint8Array(length);
  for (let row = 0; row < at.length; row++) {
    if (seen[at[row]] === 1)
      throw new DataError({ source, row: row + 1, problem: 'has the same place and window as a row before' });
    seen[at[row]] = 1;
  }
}

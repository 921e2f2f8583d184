import type { Table, Vector } from 'apache-arrow';
import type { MemberColumn } from '../../core/member-column.js';
import { floatArray } from '../../core/number-arrays.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError } from '../../errors.js';
import { DAY_SECONDS } from '../../period/day.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import {
  columnsOfLabels,
  createTable,
  dates,
  type NewColumn,
  numbers,
  textDictionary,
  texts,
} from '../build/create-table.js';
import { memberName } from '../build/wide-table.js';
import type { ColumnRoles } from '../columns/column-role.js';
import type { ReadOptions } from '../columns/read-options.js';
import { readPlaces } from '../rows/read-places.js';
import { describePlace, duplicateDayError, rowNumber } from '../rows/row-index.js';
import { type EnsembleRows, readHead, readRows } from '../rows/row-reader.js';
import { rowsBySeries } from './step-series.js';

/** What is said of rows that were sorted. */
export const ROWS_SORTED = 'rows sorted by place, member and day';

/** A table whose rows are in order, and the given names of columns that are still valid. */
export interface SortedTable {
  readonly table: Table;
  readonly columns: ColumnRoles;
  readonly isChanged: boolean;
}

/**
 * Sorts the rows of a table of daily values by place, member and day; places and members are in the order of their
 * first rows. The new table has only the columns that are read, with lists as a column for each member; a table in that
 * order is returned as it is. Throws a DataError for a day that comes twice, and for an infinite value, with row
 * numbers of the given table.
 */
export function sortedTable(table: Table, options: ReadOptions): SortedTable {
  const { columns = {}, source } = options;
  const head = readHead(table, { ...options, places: readPlaces });
  const rows = readRows(table, head, source);
  const times = Float64Array.from(rows.index.days, (day) => day * DAY_SECONDS);
  const order = rowsBySeries(rows, times, (row, before) =>
    duplicateDayError(rows.index, row, before, whose(rows, row)),
  );
  if (order.length === table.numRows && order.every((row, i) => row === i)) return { table, columns, isChanged: false };
  const { roles, values } = head;
  const { value, ...kept } = columns;
  const texted = [roles.member, roles.variable, roles.units].filter((name) => name !== undefined);
  const made: NewColumn[] = [
    dates(
      head.dateColumn,
      order.map((row) => rows.index.days[row]),
    ),
    ...placeColumns(rows, order),
    ...texted.map((name) => textColumn(name, columnOf(table, name), order)),
    ...rows.members.map((member, m) => {
      const name = values.form === 'list' ? memberName(m, rows.members.length) : member.name;
      return numbers(name, valuesInOrder(rows, member, order));
    }),
  ];
  const isNamed = value !== undefined && values.form !== 'list';
  return {
    table: createTable(made, table.schema.metadata),
    columns: isNamed ? { ...kept, value } : kept,
    isChanged: true,
  };
}

function placeColumns({ head: { roles }, index }: EnsembleRows, order: Int32Array): NewColumn[] {
  const { latitude, longitude, places } = index;
  if (latitude === undefined || longitude === undefined) return [];
  const inOrder = (degrees: Float64Array) => Float64Array.from(order, (row) => degrees[row]);
  const given: Places = { latitude: inOrder(latitude), longitude: inOrder(longitude) };
  const placed = places?.placed(given) ?? given;
  const { labels } = placed;
  return [
    ...(['latitude', 'longitude'] as const).flatMap((name) =>
      roles[name] === undefined ? [] : [numbers(roles[name], placed[name])],
    ),
    ...columnsOfLabels(labels),
  ];
}

function textColumn(name: string, vector: Vector, order: Int32Array): NewColumn {
  const { codes, values } = codedColumn(vector);
  const dictionary = textDictionary([...values.map(String), null]);
  return texts(
    name,
    order.map((row) => (codes[row] < 0 ? values.length : codes[row])),
    dictionary,
  );
}

function valuesInOrder({ index, type }: EnsembleRows, member: MemberColumn, order: Int32Array) {
  const all = floatArray(type, member.length);
  member.copyTo(all, 0, 0, member.length);
  const values = floatArray(type, order.length);
  for (let i = 0; i < order.length; i++) {
    values[i] = all[order[i]];
    if (Math.abs(values[i]) === Number.POSITIVE_INFINITY) throw infinite(index, member.name, order[i], values[i]);
  }
  return values;
}

function infinite(index: EnsembleRows['index'], column: string, row: number, received: number): DataError {
  return new DataError({
    ...{ source: index.source, row: rowNumber(index, row), column, problem: 'infinite value', received },
    allowed: 'finite numbers; NaN or null where a value is missing',
  });
}

/** The member and place of a row, for messages. */
function whose({ head, index }: EnsembleRows, row: number): string {
  const place = index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`;
  const member = head.values.form === 'long' ? ` for member ${index.cell(head.roles.member as string, row)}` : '';
  return `${member}${place}`;
}

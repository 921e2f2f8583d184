import type { Table } from 'apache-arrow';
import type { RowOrder } from '../../core/field.js';
import type { ModelCalendar } from '../../period/calendar.js';
import type { ColumnRoles } from '../columns/column-roles.js';
import type { Coordinates } from '../columns/coordinates.js';

/** The day and the place of each row of a table; coordinates are undefined if the table has one place. */
export interface RowIndex extends Coordinates {
  readonly days: Int32Array;
  /** The calendar of the days, if it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** The number of rows in earlier tables of a stream. */
  readonly rowsBefore: number;
  /** The number of each row in messages, where rows do not follow each other. */
  readonly rowNumbers?: ArrayLike<number>;
  /** The value of a column in a row, for messages. */
  readonly cell: (column: string, row: number) => unknown;
  /** For messages: the table, and what its columns are. */
  readonly table: Table;
  readonly roles: ColumnRoles;
  readonly valueNames: readonly string[];
  readonly dateColumn: string;
  readonly source?: string;
}

/** Rows that make up one field: `cells` cells on the days from `firstDay` on. */
export interface RowBlock {
  readonly order: RowOrder;
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** The first row; the others follow it, unless days are missing. */
  readonly start: number;
  /** The row of each cell, to read its coordinates from. */
  readonly cellRows: readonly number[];
  /** If days between the first and the last are missing: which rows go where in the field. */
  readonly pieces?: readonly RowPiece[];
}

/** Rows from `from` to `to` (exclusive), which go to index `at` and on in the values of a member. */
export interface RowPiece {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** The number of a row in messages: the first row of the stream is 1. */
export function rowNumber({ rowsBefore, rowNumbers }: RowIndex, row: number): number {
  return rowNumbers?.[row] ?? rowsBefore + row + 1;
}

/** Whether two rows have the same place. */
export function samePlace({ latitude, longitude }: RowIndex, a: number, b: number): boolean {
  if (latitude === undefined || longitude === undefined) return true;
  return latitude[a] === latitude[b] && longitude[a] === longitude[b];
}

/** The place of a row, for messages. */
export function describePlace({ latitude, longitude }: RowIndex, row: number): string {
  return `${latitude?.[row]}, ${longitude?.[row]}`;
}

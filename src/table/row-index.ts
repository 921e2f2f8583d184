import type { Table } from 'apache-arrow';
import type { RowOrder } from '../core/field.js';
import type { ModelCalendar } from '../period/calendar.js';
import type { ColumnRoles } from './column-roles.js';
import type { Coordinates } from './coordinates.js';

/** The rows of a table, by what tells them apart; coordinates are absent where the table is about one place. */
export interface RowIndex extends Coordinates {
  readonly days: Int32Array;
  /** Of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** Rows that a stream of tables had before the first one here. */
  readonly rowsBefore: number;
  /** What a column has in a row, for messages. */
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
  /** The row that is first; the others follow it, unless days are lacking. */
  readonly start: number;
  /** The row of each cell, to read its coordinates from. */
  readonly cellRows: readonly number[];
  /** Where days are lacking between the first and the last: which rows go where in the whole field. */
  readonly pieces?: readonly RowPiece[];
}

/** Rows `from` up to, not including, `to`, that go to place `at` and on in a member's field. */
export interface RowPiece {
  readonly from: number;
  readonly to: number;
  readonly at: number;
}

/** The number of a row in messages, counted from 1 on from the first row of the stream. */
export function rowNumber({ rowsBefore }: RowIndex, row: number): number {
  return rowsBefore + row + 1;
}

/** Whether two rows are of one place. */
export function samePlace({ latitude, longitude }: RowIndex, a: number, b: number): boolean {
  if (latitude === undefined || longitude === undefined) return true;
  return latitude[a] === latitude[b] && longitude[a] === longitude[b];
}

/** The place of a row, for messages. */
export function describePlace({ latitude, longitude }: RowIndex, row: number): string {
  return `${latitude?.[row]}, ${longitude?.[row]}`;
}

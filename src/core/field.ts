import type { DataPlace } from '../errors.js';
import type { FloatType } from './float-array.js';
import type { MemberColumn } from './member-column.js';

/**
 * How the values of a member lie: day after day for each cell in turn, as in a table by location; or cell after cell for each
 * day in turn, as in a file of fields.
 */
export type RowOrder = 'day-fastest' | 'cell-fastest';

/**
 * Daily values of an ensemble on one axis of consecutive days, at one or many cells.
 *
 * Each member holds `cells * days` values: that of (cell, day) is at `cell * days + day` where the day is fastest, at
 * `day * cells + cell` where the cell is. NaN and Arrow nulls are missing values.
 */
export interface EnsembleField {
  readonly type: FloatType;
  readonly order: RowOrder;
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** At least one, each of `cells * days` values of `type`. */
  readonly members: readonly MemberColumn[];
  /** Where in the input a value stands, for messages; without it, the row is counted as above. */
  readonly place?: (member: number, row: number) => DataPlace;
}

/** Some consecutive cells of a field by location, as a view of it: those from `from` up to, not including, `to`. */
export function cellsOf(field: EnsembleField, from: number, to: number): EnsembleField {
  const { days, place } = field;
  return {
    ...field,
    cells: to - from,
    members: field.members.map((member) => member.slice(from * days, to * days)),
    place: (member, row) => place?.(member, from * days + row) ?? { row: from * days + row + 1 },
  };
}

import type { DataPlace } from '../errors.js';
import type { MemberColumn } from './member-column.js';

/** The types that values are computed from and rounded to. */
export type FloatType = 'float32' | 'float64';

export type FloatArray = Float32Array | Float64Array;

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

/** Bytes of one value. */
export function valueBytes(type: FloatType): 4 | 8 {
  return type === 'float32' ? 4 : 8;
}

/** An array for `length` results of the given type. */
export function floatArray(type: FloatType, length: number): FloatArray {
  return type === 'float32' ? new Float32Array(length) : new Float64Array(length);
}

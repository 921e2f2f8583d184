import type { DataPlace } from '../errors.js';
import { MemberColumn } from './member-column.js';
import { type FloatArray, type FloatType, floatArray } from './number-arrays.js';

/**
 * The order of the values of a member: all days of the first cell, then of the next, as in a table by location; or all
 * cells of the first day, then of the next, as in a file of fields.
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
  /** Where in the input a value is, for messages; without it, messages count rows as above. */
  readonly place?: (member: number, row: number) => DataPlace;
}

/** A field as callers give it: a variable that holds the name of a type or an order is of type `string`. */
export interface GivenField extends Omit<EnsembleField, 'type' | 'order'> {
  readonly type: FloatType | (string & {});
  readonly order: RowOrder | (string & {});
}

/** The cells of a field (day fastest) from `from` to `to` (exclusive), as a view of its values. */
export function sliceCells(field: EnsembleField, from: number, to: number): EnsembleField {
  const { days, place } = field;
  return {
    ...field,
    cells: to - from,
    members: field.members.map((member) => member.slice(from * days, to * days)),
    place: (member, row) => place?.(member, from * days + row) ?? { row: from * days + row + 1 },
  };
}

/** Splits the values of members, `length` of each, one member after the other, into columns that share their memory. */
export function memberColumns(values: FloatArray, length: number): MemberColumn[] {
  return Array.from({ length: values.length / length }, (_, m) => {
    return new MemberColumn(`member ${m}`, [{ values: values.subarray(m * length, (m + 1) * length) }]);
  });
}

/** The field with values of `type`: the field itself if it has them, else a copy. */
export function convertField(field: EnsembleField, type: FloatType): EnsembleField {
  return field.type === type ? field : copyField(field, type);
}

/** A copy of a field with values of `type`, by default its own, outside of a core's memory. */
export function copyField(field: EnsembleField, type = field.type): EnsembleField {
  const members = field.members.map((member) => {
    const values = floatArray(type, member.length);
    member.copyTo(values, 0, 0, member.length);
    return new MemberColumn(member.name, [{ values }]);
  });
  return { ...field, type, members };
}

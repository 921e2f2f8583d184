import { MemberColumn } from '../../core/member-column.js';
import type { FloatArray, FloatType } from '../../core/number-arrays.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError, type DataPlace } from '../../errors.js';
import { type CodedColumn, codedColumn, type RepeatFinder } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { assertNotScattered, assertNotSparse, type RowIndex } from './row-index.js';
import type { EnsembleRows } from './row-reader.js';

/**
 * Replaces the code of each row that is used by the number of its member among `names`, to which new ones are added in
 * the order of their first rows. Throws a DataError for a row without a member.
 */
export function numberMembers(
  { index: { source, rowsBefore, roles }, head: { use } }: EnsembleRows,
  { codes, values }: CodedColumn,
  names: string[],
): void {
  const numberOf: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    if (use !== undefined && !use(row)) continue;
    const code = codes[row];
    if (code < 0) {
      const where = { source, row: rowsBefore + row + 1, column: roles.member };
      throw new DataError({ ...where, problem: 'missing member', received: null, allowed: 'a number or name' });
    }
    codes[row] = numberOf[code] ??= memberNumber(values[code], names);
  }
}

/** The number of a member, which is added if it is new. */
function memberNumber(value: unknown, names: string[]): number {
  const name = String(value);
  if (!names.includes(name)) names.push(name);
  return names.indexOf(name);
}

/** The members of long tables of one schema, which come one after the other. */
export class MemberNumbers {
  readonly names: string[] = [];
  /** The members as they are stored; those of rows that are not used, too. */
  #values: readonly unknown[] = [];
  #areAllUsed = true;

  /**
   * The number of the member of each row that is used. `codes` is memory for the numbers, and `repeats` as in
   * `codedColumn`. Throws as `numberMembers` does.
   */
  of(rows: EnsembleRows, codes?: Int32Array, repeats?: RepeatFinder): Int32Array {
    const { table, roles } = rows.index;
    const members = codedColumn(columnOf(table, roles.member as string), codes, this.#values, repeats);
    this.#values = members.values;
    this.#areAllUsed &&= rows.head.use === undefined;
    if (this.#areAllUsed && !members.hasNulls) {
      const numbers = members.values.map((value) => memberNumber(value, this.names));
      if (numbers.every((number, code) => number === code)) return members.codes;
    }
    numberMembers(rows, members, this.names);
    return members.codes;
  }
}

/** Some consecutive locations: from `from` up to, not including, `to`. */
export interface LocationRange {
  readonly from: number;
  readonly to: number;
}

/** Locations by their numbers, each with the days that it covers, and the number of its rows. */
export interface Locations {
  readonly count: number;
  firstDayOf(location: number): number;
  lastDayOf(location: number): number;
  rowsOf(location: number): number;
  /** The coordinates of the locations from `from` up to, not including, `to`; NaN for rows without coordinates. */
  placesOf(from: number, to: number): { readonly latitude: Float64Array; readonly longitude: Float64Array };
}

/** Rows in any order, by the numbers of their locations and members. */
export interface NumberedRows {
  readonly locations: Locations;
  /** The names of the members. */
  readonly members: readonly string[];
  readonly type: FloatType;
  /** Memory for values; it is valid until the next is requested. */
  memory(length: number): FloatArray;
  /**
   * Writes the values of the locations of a range to where `layout` says, and NaN for days without a row. Throws for a
   * row whose day is not allowed after the rows before it.
   */
  scatter(range: LocationRange, layout: Layout, into: FloatArray): void;
  /** Where the value of a location, member and day is in the file. */
  placeOf(location: number, member: number, day: number): DataPlace;
}

/** Where values of the locations of a range go: group by group, member by member, location by location, day by day. */
export interface Layout {
  /** For each location the number of values of a member in its group, and where day 0 would be for the first member. */
  readonly stride: Float64Array;
  readonly dayZero: Float64Array;
  /** The number of all values. */
  readonly length: number;
  readonly groups: readonly LocationGroup[];
}

/** Neighbouring locations with the same days. */
interface LocationGroup extends LocationRange {
  /** The index of its first value, and the number of values of a member. */
  readonly at: number;
  readonly length: number;
}

export function layoutOf(
  { locations, members }: Pick<NumberedRows, 'locations' | 'members'>,
  { from, to }: LocationRange,
): Layout {
  const groups: LocationGroup[] = [];
  const stride = new Float64Array(to - from);
  const dayZero = new Float64Array(to - from);
  let at = 0;
  for (let start = from, end: number; start < to; start = end) {
    const [first, last] = [locations.firstDayOf(start), locations.lastDayOf(start)];
    const span = last - first + 1;
    for (end = start; end < to && locations.firstDayOf(end) === first && locations.lastDayOf(end) === last; end++) {
      dayZero[end - from] = at + (end - start) * span - first;
    }
    const length = (end - start) * span;
    stride.fill(length, start - from, end - from);
    groups.push({ from: start, to: end, at, length });
    at += length * members.length;
  }
  return { groups, stride, dayZero, length: at };
}

/**
 * Turns the rows of some locations into parts of an ensemble, with one column per member and the day fastest:
 * neighbouring locations with the same days share a part. Days without a row of a member are missing for it. Throws as
 * `scatter` does.
 */
export function pivot(rows: NumberedRows, range: LocationRange): EnsemblePart[] {
  const layout = layoutOf(rows, range);
  const values = rows.memory(layout.length);
  rows.scatter(range, layout, values);
  return layout.groups.map((group) => createPart(rows, group, values));
}

/**
 * Throws a DataError if the days of a location are scattered over so long a span that a date must be wrong, and if
 * `rows` rows, each of one member, would get far too many missing days.
 */
export function assertDense(index: RowIndex, locations: Locations, members: number, rows: number): void {
  let days = 0;
  for (let at = 0; at < locations.count; at++) {
    const [first, last] = [locations.firstDayOf(at), locations.lastDayOf(at)];
    assertNotScattered(index, first, last, locations.rowsOf(at));
    days += last - first + 1;
  }
  assertNotSparse(index, days * members, rows);
}

function createPart(rows: NumberedRows, { from, to, at, length }: LocationGroup, values: FloatArray): EnsemblePart {
  const { locations, members, type } = rows;
  const firstDay = locations.firstDayOf(from);
  const days = locations.lastDayOf(from) - firstDay + 1;
  return {
    field: {
      type,
      order: 'day-fastest',
      firstDay,
      days,
      cells: to - from,
      members: members.map((name, m) => {
        return new MemberColumn(name, [{ values: values.subarray(at + m * length, at + (m + 1) * length) }]);
      }),
      place: (member, place) => rows.placeOf(from + Math.floor(place / days), member, firstDay + (place % days)),
    },
    ...locations.placesOf(from, to),
  };
}

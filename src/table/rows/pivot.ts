import type { FloatArray, FloatType } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import type { DataPlace } from '../../errors.js';
import type { RowLocations } from './row-locations.js';

/** Some consecutive locations: from `from` up to, not including, `to`. */
export interface LocationRange {
  readonly from: number;
  readonly to: number;
}

/** Rows in any order, by the numbers of their locations and members. */
export interface NumberedRows {
  readonly locations: RowLocations;
  /** The names of the members. */
  readonly members: readonly string[];
  readonly type: FloatType;
  /** The number of values of a row: 1 in a long table, else a value for each member. */
  readonly width: number;
  /** Memory for values, of any content; it is valid until the next is requested. */
  memory(length: number): FloatArray;
  /**
   * Writes the values of the locations of a range to where `layout` says. Returns false for a row whose day is not
   * allowed after the rows before it.
   */
  scatter(range: LocationRange, layout: Layout, into: FloatArray): boolean;
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
 * neighbouring locations with the same days share a part. Days without a row of a member are missing for it. Undefined
 * if the day of a row is not allowed after the rows before it.
 */
export function pivot(rows: NumberedRows, range: LocationRange): EnsemblePart[] | undefined {
  const layout = layoutOf(rows, range);
  const values = rows.memory(layout.length);
  for (const group of layout.groups) {
    const { at, length } = group;
    if (hasGaps(rows, group)) values.fill(Number.NaN, at, at + length * rows.members.length);
  }
  if (!rows.scatter(range, layout, values)) return undefined;
  return layout.groups.map((group) => createPart(rows, group, values));
}

/** Whether a day of a member may have no row. */
function hasGaps({ locations, members, width }: NumberedRows, { from, to }: LocationRange): boolean {
  const wanted = ((locations.lastDayOf(from) - locations.firstDayOf(from) + 1) * members.length) / width;
  for (let location = from; location < to; location++) if (locations.rowsOf(location) < wanted) return true;
  return false;
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

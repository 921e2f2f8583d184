import type { FloatArray } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import type { DataPlace } from '../../errors.js';
import type { GatheredLocations } from './gathered-locations.js';
import { changedRows, type LocationRun, type RowRuns } from './row-runs.js';

/** Some consecutive locations: those from `from` up to, not including, `to`. */
export interface LocationRange {
  readonly from: number;
  readonly to: number;
}

/** Rows that were gathered, by the numbers of their locations and members. */
export interface GatheredRows {
  readonly runs: RowRuns;
  readonly locations: GatheredLocations;
  /** The names of the members. */
  readonly members: readonly string[];
  /** Whether the days of a series may be in any order. */
  readonly areDaysInAnyOrder: boolean;
}

/**
 * Two rows of a place and a member, or of a place where rows have all members, counted from 0 in the file: the day of
 * the second is that of the first, or before it.
 */
export interface DayFault {
  readonly member: string;
  readonly before: number;
  readonly row: number;
}

const BEFORE_ALL_DAYS = -1e9;

/** The number of values of the locations of a range, with those of missing days. */
export function pivotedValues({ locations, members }: GatheredRows, { from, to }: LocationRange): number {
  let days = 0;
  for (let location = from; location < to; location++)
    days += locations.lastDayOf(location) - locations.firstDayOf(location) + 1;
  return days * members.length;
}

/** Neighbouring locations with the same days. */
interface LocationGroup extends LocationRange {
  /** The index of its first value, and the number of values of a member. */
  readonly at: number;
  readonly length: number;
}

/** Where values of the locations of a range go: group by group, member by member, location by location. */
interface Layout {
  readonly groups: readonly LocationGroup[];
  /** For each location, the values of a member in its group, and where day 0 would be for the first member. */
  readonly stride: Float64Array;
  readonly dayZero: Float64Array;
}

function layoutOf({ locations, members }: GatheredRows, { from, to }: LocationRange): Layout {
  const groups: LocationGroup[] = [];
  const stride = new Float64Array(to - from);
  const dayZero = new Float64Array(to - from);
  for (let start = from, end: number, at = 0; start < to; start = end) {
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
  return { groups, stride, dayZero };
}

/**
 * Turns the rows of some locations into parts of an ensemble, as `pivotLongTable` does: neighbouring locations with the
 * same days share a part. `pivoted` has the length of all values. Undefined if the day of a row is not after that of
 * the row before of its series, or where days are in any order, if it came before; throws FileError for rows that are
 * read otherwise than they were written.
 */
export function pivotLocations(
  rows: GatheredRows,
  range: LocationRange,
  pivoted: FloatArray,
  placeOf: (row: number, member: string) => DataPlace,
): EnsemblePart[] | undefined {
  const { from, to } = range;
  const { runs, locations, members, areDaysInAnyOrder } = rows;
  const { groups, stride, dayZero } = layoutOf(rows, range);
  const parts = groups.map((group) => {
    const columns = members.map((_, member) => {
      const at = group.at + member * group.length;
      return pivoted.subarray(at, at + group.length);
    });
    return createPart(rows, group, columns, placeOf);
  });
  pivoted.fill(Number.NaN);
  const { width } = runs;
  const latest = new Int32Array(areDaysInAnyOrder ? 0 : (to - from) * members.length).fill(BEFORE_ALL_DAYS);
  const isThere = new Uint8Array(areDaysInAnyOrder ? pivoted.length : 0);
  let count = 0;
  for (const run of runs.between(from, to)) {
    const { starts, series: seriesOf, dayBits, firstDay: runDay, values } = run;
    const dayMask = 2 ** dayBits - 1;
    count += seriesOf.length;
    for (let i = 0; i < starts.length - 1; i++) {
      const location = run.firstLocation - from + i;
      const [firstDay, lastDay] = [locations.firstDayOf(from + location), locations.lastDayOf(from + location)];
      for (let row = starts[i]; row < starts[i + 1]; row++) {
        const day = runDay + (seriesOf[row] & dayMask);
        const member = seriesOf[row] >>> dayBits;
        if (!(day >= firstDay && day <= lastDay && member < members.length)) throw changedRows();
        const at = dayZero[location] + member * stride[location] + day;
        if (areDaysInAnyOrder) {
          if (isThere[at] === 1) return undefined;
          isThere[at] = 1;
        } else {
          const series = location * members.length + member;
          if (day <= latest[series]) return undefined;
          latest[series] = day;
        }
        for (let m = 0; m < width; m++) pivoted[at + m * stride[location]] = values[row * width + m];
      }
    }
  }
  assertCount(rows, { from, to }, count);
  return parts;
}

/** The first row in the file, at the locations of a range, for which `pivotLocations` gives undefined. */
export function firstDayFault(rows: GatheredRows, range: LocationRange): DayFault | undefined {
  const { runs, members, areDaysInAnyOrder } = rows;
  const { stride, dayZero } = layoutOf(rows, range);
  const latest = new Int32Array((range.to - range.from) * members.length).fill(BEFORE_ALL_DAYS);
  /** For each series its latest row, or where days are in any order, for each value its row. */
  const rowOf = new Float64Array(areDaysInAnyOrder ? pivotedValues(rows, range) : latest.length).fill(-1);
  let found: DayFault | undefined;
  for (const run of runs.between(range.from, range.to)) {
    eachRow(run, ({ location, member, day, row }) => {
      const cell = location - range.from;
      const series = cell * members.length + member;
      const at = areDaysInAnyOrder ? dayZero[cell] + member * stride[cell] + day : series;
      const isRight = areDaysInAnyOrder ? rowOf[at] < 0 : day > latest[series];
      if (isRight) {
        latest[series] = day;
        rowOf[at] = row;
      } else if (found === undefined || row < found.row) {
        found = { member: members[member], before: rowOf[at], row };
      }
    });
  }
  return found;
}

/** A row by its numbers. */
interface NumberedRow {
  readonly location: number;
  readonly member: number;
  readonly day: number;
  readonly row: number;
}

function eachRow(run: LocationRun, visit: (row: NumberedRow) => void): void {
  const { firstLocation, starts, series, dayBits, firstDay, rows, firstRow } = run;
  for (let i = 0; i < starts.length - 1; i++) {
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      const day = firstDay + (series[at] & (2 ** dayBits - 1));
      visit({ location: firstLocation + i, member: series[at] >>> dayBits, day, row: firstRow + rows[at] });
    }
  }
}

function assertCount({ locations }: GatheredRows, { from, to }: LocationRange, count: number): void {
  let expected = 0;
  for (let location = from; location < to; location++) expected += locations.rowsOf(location);
  if (count !== expected) throw changedRows();
}

function createPart(
  { runs, locations, members }: GatheredRows,
  { from, to }: LocationRange,
  columns: readonly FloatArray[],
  placeOf: (row: number, member: string) => DataPlace,
): EnsemblePart {
  const firstDay = locations.firstDayOf(from);
  const days = locations.lastDayOf(from) - firstDay + 1;
  const rowOf = (member: number, place: number) => {
    const series = runs.width === 1 ? member : 0;
    const location = from + Math.floor(place / days);
    let found: number | undefined;
    for (const run of runs.between(location, location + 1)) {
      eachRow(run, (each) => {
        if (each.member === series && each.day === firstDay + (place % days)) found = each.row;
      });
    }
    if (found === undefined) throw changedRows();
    return found;
  };
  return {
    field: {
      type: columns[0] instanceof Float32Array ? 'float32' : 'float64',
      order: 'day-fastest',
      firstDay,
      days,
      cells: to - from,
      members: members.map((name, m) => new MemberColumn(name, [{ values: columns[m] }])),
      place: (member, place) => placeOf(rowOf(member, place), members[member]),
    },
    ...locations.placesOf(from, to),
  };
}

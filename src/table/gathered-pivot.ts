import type { FloatArray } from '../core/float-array.js';
import { MemberColumn } from '../core/member-column.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import type { DataPlace } from '../errors.js';
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
}

/**
 * Two rows of a place and a member, counted from 0 in the file: the day of the second is not after that of the first.
 */
export interface DayFault {
  /** The name of the member. */
  readonly member: string;
  readonly before: number;
  readonly row: number;
}

const BEFORE_ALL_DAYS = -1e9;

/** The number of values of the locations of a range, with those of missing days. */
export function pivotedValues({ locations, members }: GatheredRows, { from, to }: LocationRange): number {
  let days = 0;
  for (let location = from; location < to; location++) days += locations.last[location] - locations.first[location] + 1;
  return days * members.length;
}

/**
 * Turns the rows of some locations into parts of an ensemble, as `pivotLongTable` does: neighbouring locations with the
 * same days share a part. `pivoted` has the length of all values. Undefined if the day of a row is not after that of
 * the row before of its member; throws FileError for rows that are read otherwise than they were written.
 */
export function pivotLocations(
  rows: GatheredRows,
  { from, to }: LocationRange,
  pivoted: FloatArray,
  placeOf: (row: number) => DataPlace,
): EnsemblePart[] | undefined {
  const { runs, locations, members } = rows;
  const { first, last } = locations;
  pivoted.fill(Number.NaN);
  /** For each location, the values of a member in its part, and where day 0 would be for the first member. */
  const stride = new Float64Array(to - from);
  const dayZero = new Float64Array(to - from);
  const parts: EnsemblePart[] = [];
  for (let start = from, end: number, at = 0; start < to; start = end) {
    const span = last[start] - first[start] + 1;
    for (end = start; end < to && first[end] === first[start] && last[end] === last[start]; end++) {
      dayZero[end - from] = at + (end - start) * span - first[start];
    }
    const length = (end - start) * span;
    stride.fill(length, start - from, end - from);
    const columns = members.map(() => pivoted.subarray(at, (at += length)));
    parts.push(createPart(rows, { from: start, to: end }, columns, placeOf));
  }
  const latest = new Int32Array((to - from) * members.length).fill(BEFORE_ALL_DAYS);
  let count = 0;
  for (const run of runs.between(from, to)) {
    const { starts, series: seriesOf, dayBits, firstDay: runDay, values } = run;
    const dayMask = 2 ** dayBits - 1;
    count += values.length;
    for (let i = 0; i < starts.length - 1; i++) {
      const location = run.firstLocation - from + i;
      const [firstDay, lastDay] = [first[from + location], last[from + location]];
      for (let row = starts[i]; row < starts[i + 1]; row++) {
        const day = runDay + (seriesOf[row] & dayMask);
        const member = seriesOf[row] >>> dayBits;
        if (!(day >= firstDay && day <= lastDay && member < members.length)) throw changedRows();
        const series = location * members.length + member;
        if (day <= latest[series]) return undefined;
        latest[series] = day;
        pivoted[dayZero[location] + member * stride[location] + day] = values[row];
      }
    }
  }
  assertCount(rows, { from, to }, count);
  return parts;
}

/**
 * The first row in the file, at the locations of a range, whose day is not after that of the row before of its member.
 */
export function firstDayFault({ runs, members }: GatheredRows, { from, to }: LocationRange): DayFault | undefined {
  const latest = new Int32Array((to - from) * members.length).fill(BEFORE_ALL_DAYS);
  const latestRow = new Float64Array(latest.length);
  let found: DayFault | undefined;
  for (const run of runs.between(from, to)) {
    eachRow(run, ({ location, member, day, row }) => {
      const series = (location - from) * members.length + member;
      if (day > latest[series]) {
        latest[series] = day;
        latestRow[series] = row;
      } else if (found === undefined || row < found.row) {
        found = { member: members[member], before: latestRow[series], row };
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
  for (let location = from; location < to; location++) expected += locations.rows[location];
  if (count !== expected) throw changedRows();
}

function createPart(
  { runs, locations, members }: GatheredRows,
  { from, to }: LocationRange,
  columns: readonly FloatArray[],
  placeOf: (row: number) => DataPlace,
): EnsemblePart {
  const firstDay = locations.first[from];
  const days = locations.last[from] - firstDay + 1;
  const rowOf = (member: number, place: number) => {
    const location = from + Math.floor(place / days);
    let found: number | undefined;
    for (const run of runs.between(location, location + 1)) {
      eachRow(run, (each) => {
        if (each.member === member && each.day === firstDay + (place % days)) found = each.row;
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
      place: (member, place) => placeOf(rowOf(member, place)),
    },
    latitude: locations.latitude.slice(from, to),
    longitude: locations.longitude.slice(from, to),
  };
}

import { type FloatArray, type FloatType, floatArray } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError } from '../../errors.js';
import type { CodedColumn } from '../arrow/coded-column.js';
import { describePlace, type RowIndex, rowNumber } from './row-index.js';
import { assertNotScattered, assertNotSparse, duplicateDayError, unsortedDayError } from './wrong-day.js';

/** A table with one row per location, member and day, in any order but with the days of each series ascending. */
export interface LongTable extends RowIndex {
  readonly member: CodedColumn;
  readonly memberColumn: string;
  readonly value: MemberColumn;
  readonly type: FloatType;
  /** Whether a row is used; rows of other variables are not. */
  readonly use?: (row: number) => boolean;
}

/** A location and the days it covers. */
interface Cell {
  readonly row: number;
  /** The number of its rows, of all members. */
  rows: number;
  first: number;
  last: number;
}

/** Rows with their members, as numbers from 0. */
interface MemberRows extends RowIndex {
  readonly valueColumn: string;
  /** The names of the members. */
  readonly members: readonly string[];
  readonly memberOf: Int32Array;
  readonly values: FloatArray;
  readonly type: FloatType;
}

/** Rows in any order, with their locations. */
export interface CodedRows extends MemberRows {
  /** For each row, its location; -1 for rows that are not used. */
  readonly cellOf: Int32Array;
}

/** Rows that go location by location: those of location `i` from `starts[i]` up to, not including, `starts[i + 1]`. */
export interface RunRows extends MemberRows {
  readonly starts: readonly number[];
}

/**
 * Turns a long table into parts of an ensemble, with one column per member and the day fastest. Days without a row of a
 * member are missing for it. Members and locations are in the order of their first row. Throws a DataError for the
 * first row whose day is out of order or comes twice for its member.
 */
export function pivotLongTable(table: LongTable): EnsemblePart[] {
  const { days, value, type } = table;
  const cellOf = new Int32Array(days.length).fill(-1);
  const memberOf = new Int32Array(days.length);
  const members: string[] = [];
  const findMember = memberFinder(table, members);
  const findCell = cellFinder(table);
  let isEmpty = true;
  for (let row = 0; row < days.length; row++) {
    if (table.use !== undefined && !table.use(row)) continue;
    isEmpty = false;
    cellOf[row] = findCell(row);
    memberOf[row] = findMember(row);
  }
  if (isEmpty) throw new DataError({ source: table.source, problem: 'no rows', allowed: 'at least one day' });
  const values = floatArray(type, days.length);
  value.copyTo(values, 0, 0, days.length);
  return pivotRows({ ...table, valueColumn: value.name, members, cellOf, memberOf, values });
}

/**
 * Numbers the members of a table in the order of their first row, behind those that are `known`: returns the member of
 * each row with a code. New names are added to `known`. Throws a DataError for a row without a member.
 */
export function memberFinder(
  { member, memberColumn, source, rowsBefore }: Pick<LongTable, 'member' | 'memberColumn' | 'source' | 'rowsBefore'>,
  known: string[],
): (row: number) => number {
  const numbers: number[] = [];
  return (row) => {
    const code = member.codes[row];
    if (code < 0) {
      const where = { source, row: rowsBefore + row + 1, column: memberColumn };
      throw new DataError({ ...where, problem: 'missing member', received: null, allowed: 'a number or name' });
    }
    numbers[code] ??= memberNumber(member.values[code], known);
    return numbers[code];
  };
}

/** The number of a member among those that are `known`, to which it is added if it is new. */
export function memberNumber(value: unknown, known: string[]): number {
  const name = String(value);
  if (!known.includes(name)) known.push(name);
  return known.indexOf(name);
}

/** As `pivotLongTable`, for rows whose locations and members are numbered in the order of their first row. */
export function pivotRows(rows: CodedRows): EnsemblePart[] {
  const { days, members, cellOf, memberOf, values } = rows;
  const cells = spansOfCells(rows);
  for (const { first, last, rows: count } of cells) assertNotScattered(rows, first, last, count);
  const dayCount = cells.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  assertNotSparse(rows, dayCount * members.length, cellOf.length);
  /** All values, group by group, member by member. */
  const pivoted = floatArray(rows.type, dayCount * members.length).fill(Number.NaN);
  /** For each cell, the values of a member in its group, and where day 0 would be for the first member. */
  const stride: number[] = [];
  const dayZero: number[] = [];
  let at = 0;
  const parts = groupBySpan(cells).map((group) => {
    const [{ first, last }] = group;
    const span = last - first + 1;
    const length = group.length * span;
    for (let place = 0; place < group.length; place++) {
      stride.push(length);
      dayZero.push(at + place * span - first);
    }
    return createPart(
      rows,
      group,
      members.map(() => pivoted.subarray(at, (at += length))),
      (row, cell) => cellOf[row] === cellOf[cell.row],
    );
  });
  /** The last day so far of each member at each location. */
  const latest = new Int32Array(cells.length * members.length).fill(BEFORE_ALL_DAYS);
  for (let row = 0; row < days.length; row++) {
    const cell = cellOf[row];
    if (cell < 0) continue;
    const member = memberOf[row];
    const series = cell * members.length + member;
    const day = days[row];
    if (day <= latest[series]) throw wrongDay(rows, row, (other) => cellOf[other] === cell);
    latest[series] = day;
    pivoted[dayZero[cell] + member * stride[cell] + day] = values[row];
  }
  return parts;
}

const BEFORE_ALL_DAYS = -1e9;

/** The loops over rows that go location by location. */
export interface RunLoops {
  /** Memory for values by member, of any content; it is valid until the next is requested. */
  memory(length: number): FloatArray;
  /** Whether `count` rows from `a` on have the days and members of those from `b` on. */
  haveSameRows(a: number, b: number, count: number): boolean;
  /**
   * Writes the values of the rows from `from` to `to`, exclusive, to what `memory` gave: those of a member `stride`
   * behind those of the member before, from where its day 0 would be.
   */
  scatter(from: number, to: number, into: FloatArray, dayZero: number, stride: number): void;
}

/** As `pivotRows`, for rows that go location by location. */
export function pivotRuns(rows: RunRows, loops: RunLoops): EnsemblePart[] {
  const { members, starts } = rows;
  const cells = cellsOfRuns(rows, loops);
  const dayCount = cells.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  assertNotSparse(rows, dayCount * members.length, starts[starts.length - 1] - starts[0]);
  const pivoted = loops.memory(dayCount * members.length);
  const isOf = (row: number, cell: Cell) => row >= cell.row && row < cell.row + cell.rows;
  let at = 0;
  return groupBySpan(cells).map((group) => {
    const [{ first, last }] = group;
    const span = last - first + 1;
    const length = group.length * span;
    const columns = members.map((_, member) => pivoted.subarray(at + member * length, at + (member + 1) * length));
    if (group.some(({ rows: count }) => count < span * members.length)) {
      pivoted.fill(Number.NaN, at, at + length * members.length);
    }
    for (const [place, { row, rows: count }] of group.entries()) {
      loops.scatter(row, row + count, pivoted, at + place * span - first, length);
    }
    at += length * members.length;
    return createPart(rows, group, columns, isOf);
  });
}

/**
 * The locations, after checking that the days of each member ascend. Most have the same days and members as the one
 * before.
 */
function cellsOfRuns(rows: RunRows, loops: RunLoops): Cell[] {
  const { starts } = rows;
  const cells: Cell[] = [];
  for (let i = 0; i + 1 < starts.length; i++) {
    const [row, end] = [starts[i], starts[i + 1]];
    const before = cells.at(-1);
    const isAlike = before?.rows === end - row && loops.haveSameRows(before.row, row, end - row);
    cells.push(isAlike ? { ...before, row } : checkedCell(rows, row, end));
  }
  return cells;
}

/**
 * The location of rows from `row` up to `end`. Throws a DataError for the first whose day is not after that before of
 * its member.
 */
function checkedCell(rows: RunRows, row: number, end: number): Cell {
  const { days, memberOf, members } = rows;
  const latest = new Int32Array(members.length).fill(BEFORE_ALL_DAYS);
  let [first, last] = [days[row], days[row]];
  for (let at = row; at < end; at++) {
    const day = days[at];
    if (day < first) first = day;
    if (day > last) last = day;
  }
  assertNotScattered(rows, first, last, end - row);
  for (let at = row; at < end; at++) {
    if (days[at] <= latest[memberOf[at]]) throw wrongDay(rows, at, (other) => other >= row);
    latest[memberOf[at]] = days[at];
  }
  return { row, rows: end - row, first, last };
}

function spansOfCells({ days, cellOf }: CodedRows): Cell[] {
  const cells: Cell[] = [];
  for (let row = 0; row < days.length; row++) {
    if (cellOf[row] < 0) continue;
    const day = days[row];
    const cell = (cells[cellOf[row]] ??= { row, rows: 0, first: day, last: day });
    cell.rows++;
    if (day < cell.first) cell.first = day;
    if (day > cell.last) cell.last = day;
  }
  return cells;
}

/** The error for a row whose day is not after the one before of its member. */
export function wrongDay(
  rows: Omit<MemberRows, 'valueColumn' | 'values' | 'type'>,
  row: number,
  isSamePlace: (row: number) => boolean,
): DataError {
  const { days, memberOf, members } = rows;
  let before = row - 1;
  while (memberOf[before] !== memberOf[row] || !isSamePlace(before)) before--;
  const place = rows.latitude === undefined ? '' : ` at ${describePlace(rows, row)}`;
  const whose = ` for member ${members[memberOf[row]]}${place}`;
  return (days[row] === days[before] ? duplicateDayError : unsortedDayError)(rows, row, before, whose);
}

function createPart(
  rows: MemberRows,
  group: readonly Cell[],
  columns: readonly FloatArray[],
  isOf: (row: number, cell: Cell) => boolean,
): EnsemblePart {
  const { members, memberOf } = rows;
  const [{ first: firstDay, last }] = group;
  const days = last - firstDay + 1;
  const rowOf = (member: number, place: number) => {
    const cell = group[Math.floor(place / days)];
    const day = firstDay + (place % days);
    return rows.days.findIndex((d, row) => d === day && memberOf[row] === member && isOf(row, cell));
  };
  return {
    field: {
      type: rows.type,
      order: 'day-fastest' as const,
      firstDay,
      days,
      cells: group.length,
      members: members.map((name, m) => new MemberColumn(name, [{ values: columns[m] }])),
      place: (member: number, place: number) => ({
        source: rows.source,
        row: rowNumber(rows, rowOf(member, place)),
        column: rows.valueColumn,
      }),
    },
    latitude: Float64Array.from(group, ({ row }) => rows.latitude?.[row] ?? Number.NaN),
    longitude: Float64Array.from(group, ({ row }) => rows.longitude?.[row] ?? Number.NaN),
  };
}

/** Groups neighbouring cells that cover the same days. */
function groupBySpan(cells: readonly Cell[]): Cell[][] {
  const groups: Cell[][] = [];
  for (const cell of cells) {
    const last = groups.at(-1);
    if (last !== undefined && last[0].first === cell.first && last[0].last === cell.last) last.push(cell);
    else groups.push([cell]);
  }
  return groups;
}

/** Numbers locations in the order of their first row. */
function cellFinder({ latitude, longitude }: LongTable): (row: number) => number {
  if (latitude === undefined || longitude === undefined) return () => 0;
  const known = new Map<number, Map<number, number>>();
  let count = 0;
  let before = 0;
  let [north, east] = [Number.NaN, Number.NaN];
  return (row) => {
    if (latitude[row] === north && longitude[row] === east) return before;
    [north, east] = [latitude[row], longitude[row]];
    let byLongitude = known.get(north);
    if (byLongitude === undefined) known.set(north, (byLongitude = new Map()));
    let cell = byLongitude.get(east);
    if (cell === undefined) byLongitude.set(east, (cell = count++));
    before = cell;
    return cell;
  };
}

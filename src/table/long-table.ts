import { type FloatArray, type FloatType, floatArray } from '../core/float-array.js';
import { MemberColumn } from '../core/member-column.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { DataError } from '../errors.js';
import type { CodedColumn } from './coded-column.js';
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

/** Rows with their cells and members, as numbers from 0. */
export interface CodedRows extends RowIndex {
  readonly valueColumn: string;
  /** The names of the members. */
  readonly members: readonly string[];
  /** For each row, its location; -1 for rows that are not used. */
  readonly cellOf: Int32Array;
  readonly memberOf: Int32Array;
  readonly values: FloatArray;
  readonly type: FloatType;
}

/**
 * Turns a long table into parts of an ensemble, with one column per member and the day fastest. Days without a row of a member
 * are missing for it. Members and locations are in the order of their first row. Throws a DataError for the first row whose
 * day is out of order or comes twice for its member.
 */
export function pivotLongTable(table: LongTable): EnsemblePart[] {
  const { days, value, type } = table;
  const cellOf = new Int32Array(days.length).fill(-1);
  const memberOf = new Int32Array(days.length);
  const members = new MemberCodes(table);
  const findCell = cellFinder(table);
  const { codes } = table.member;
  let isEmpty = true;
  for (let row = 0; row < days.length; row++) {
    if (table.use !== undefined && !table.use(row)) continue;
    isEmpty = false;
    cellOf[row] = findCell(row);
    memberOf[row] = members.find(codes[row], row);
  }
  if (isEmpty) throw new DataError({ source: table.source, problem: 'no rows', allowed: 'at least one day' });
  const values = floatArray(type, days.length);
  value.copyTo(values, 0, 0, days.length);
  return pivotRows({ ...table, valueColumn: value.name, members: members.names, cellOf, memberOf, values });
}

/** Numbers the members of a table in the order of their first row, behind those that are known. */
export class MemberCodes {
  readonly names: string[];
  readonly #table: Pick<LongTable, 'member' | 'memberColumn' | 'source' | 'rowsBefore'>;
  readonly #members: Int32Array;

  constructor(
    table: Pick<LongTable, 'member' | 'memberColumn' | 'source' | 'rowsBefore'>,
    known: readonly string[] = [],
  ) {
    this.#table = table;
    this.names = [...known];
    this.#members = new Int32Array(table.member.values.length).fill(-1);
  }

  /** The member of a row with this code. Throws a DataError where the row has none. */
  find(code: number, row: number): number {
    if (code < 0) throw missingMember(this.#table, row);
    const known = this.#members[code];
    return known >= 0 ? known : this.#add(code);
  }

  /**
   * Writes the member of each row with a code from index `at` on, and whether the row is used. Throws as `find` does.
   */
  findAll(
    codes: Int32Array,
    use: LongTable['use'],
    { to, isUsed, at }: { readonly to: Int32Array; readonly isUsed: Uint8Array; readonly at: number },
  ): void {
    if (use === undefined && codes.indexOf(-1) < 0) {
      // Codes are in the order of their first row.
      for (let code = 0; code < this.#members.length; code++) this.find(code, 0);
      const members = this.#members;
      for (let row = 0; row < codes.length; row++) to[at + row] = members[codes[row]];
      isUsed.fill(1, at, at + codes.length);
      return;
    }
    for (let row = 0; row < codes.length; row++) {
      if (use !== undefined && !use(row)) continue;
      isUsed[at + row] = 1;
      to[at + row] = this.find(codes[row], row);
    }
  }

  #add(code: number): number {
    const name = String(this.#table.member.values[code]);
    const before = this.names.indexOf(name);
    const member = before >= 0 ? before : this.names.push(name) - 1;
    this.#members[code] = member;
    return member;
  }
}

/** As `pivotLongTable`, for rows whose locations and members are numbered in the order of their first row. */
export function pivotRows(rows: CodedRows): EnsemblePart[] {
  const { days, members, cellOf, memberOf, values } = rows;
  const cells = spansOfCells(rows);
  for (const { first, last, rows: count } of cells) assertNotScattered(rows, first, last, count);
  const dayCount = cells.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  assertNotSparse(rows, dayCount * members.length, cellOf.length);
  const groups = groupBySpan(cells);
  /** The columns of all groups, one after the other. */
  const pivoted = floatArray(rows.type, dayCount * members.length).fill(Number.NaN);
  const columns: FloatArray[] = [];
  /** For each cell, the values of a column, and where day 0 would be in the first column. */
  const stride = new Int32Array(cells.length);
  const dayZero = new Float64Array(cells.length);
  let cell = 0;
  let at = 0;
  for (const group of groups) {
    const span = group[0].last - group[0].first + 1;
    const length = group.length * span;
    for (let place = 0; place < group.length; place++, cell++) {
      stride[cell] = length;
      dayZero[cell] = at + place * span - group[0].first;
    }
    for (let m = 0; m < members.length; m++, at += length) columns.push(pivoted.subarray(at, at + length));
  }
  /** The last day so far of each member at each location. */
  const latest = new Int32Array(cells.length * members.length).fill(BEFORE_ALL_DAYS);
  for (let row = 0; row < days.length; row++) {
    const cell = cellOf[row];
    if (cell < 0) continue;
    const member = memberOf[row];
    const series = cell * members.length + member;
    const day = days[row];
    if (day <= latest[series]) throw wrongDay(rows, row);
    latest[series] = day;
    pivoted[dayZero[cell] + member * stride[cell] + day] = values[row];
  }
  return groups.map((group, g) => createPart(rows, group, columns.slice(g * members.length, (g + 1) * members.length)));
}

const BEFORE_ALL_DAYS = -0x80000000;

function spansOfCells({ days, cellOf }: CodedRows): Cell[] {
  const cells: Cell[] = [];
  let current = -1;
  let cell: Cell | undefined;
  for (let row = 0; row < days.length; row++) {
    const index = cellOf[row];
    if (index < 0) continue;
    const day = days[row];
    if (index !== current || cell === undefined) {
      current = index;
      cell = cells[index];
      if (cell === undefined) cells.push((cell = { row, rows: 0, first: day, last: day }));
    }
    cell.rows++;
    if (day < cell.first) cell.first = day;
    else if (day > cell.last) cell.last = day;
  }
  return cells;
}

/** The error for a row whose day is not after the one before of its member. */
function wrongDay(rows: CodedRows, row: number): DataError {
  const { days, cellOf, memberOf, members } = rows;
  let before = row - 1;
  while (cellOf[before] !== cellOf[row] || memberOf[before] !== memberOf[row]) before--;
  const place = rows.latitude === undefined ? '' : ` at ${describePlace(rows, row)}`;
  const whose = ` for member ${members[memberOf[row]]}${place}`;
  return (days[row] === days[before] ? duplicateDayError : unsortedDayError)(rows, row, before, whose);
}

function createPart(rows: CodedRows, group: readonly Cell[], columns: readonly FloatArray[]): EnsemblePart {
  const { members, cellOf, memberOf } = rows;
  const [{ first: firstDay, last }] = group;
  const days = last - firstDay + 1;
  const rowOf = (member: number, place: number) => {
    const cell = cellOf[group[Math.floor(place / days)].row];
    const day = firstDay + (place % days);
    return rows.days.findIndex((d, row) => d === day && cellOf[row] === cell && memberOf[row] === member);
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

function missingMember(
  { source, memberColumn, rowsBefore }: Pick<LongTable, 'source' | 'memberColumn' | 'rowsBefore'>,
  row: number,
): DataError {
  return new DataError({
    source,
    row: rowsBefore + row + 1,
    column: memberColumn,
    problem: 'missing member',
    received: null,
    allowed: 'a number or name',
  });
}

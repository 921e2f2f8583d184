import { type FloatType, floatArray } from '../core/float-array.js';
import { MemberColumn } from '../core/member-column.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { DataError } from '../errors.js';
import type { CodedColumn } from './coded-column.js';
import { describePlace, type RowIndex } from './row-index.js';
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

/**
 * Turns a long table into parts of an ensemble, with one column per member and the day fastest. Days without a row of a member
 * are missing for it. Members and locations are in the order of their first row. Throws a DataError for the first row whose
 * day is out of order or comes twice for its member.
 */
export function pivotLongTable(table: LongTable): EnsemblePart[] {
  const { days } = table;
  const cellOf = new Int32Array(days.length).fill(-1);
  const memberOf = new Int32Array(days.length);
  const cells: Cell[] = [];
  const members: string[] = [];
  const findCell = cellFinder(table, cells);
  const { codes, values } = table.member;
  const memberOfCode = new Int32Array(values.length).fill(-1);
  for (let row = 0; row < days.length; row++) {
    if (table.use !== undefined && !table.use(row)) continue;
    const cell = findCell(row);
    cellOf[row] = cell;
    cells[cell].rows++;
    cells[cell].first = Math.min(cells[cell].first, days[row]);
    cells[cell].last = Math.max(cells[cell].last, days[row]);
    const code = codes[row];
    if (code < 0) throw missingMember(table, row);
    if (memberOfCode[code] < 0) memberOfCode[code] = members.push(String(values[code])) - 1;
    memberOf[row] = memberOfCode[code];
  }
  if (cells.length === 0)
    throw new DataError({ source: table.source, problem: 'no rows', allowed: 'at least one day' });
  return pivot(table, cells, members, cellOf, memberOf);
}

function pivot(
  table: LongTable,
  cells: readonly Cell[],
  members: readonly string[],
  cellOf: Int32Array,
  memberOf: Int32Array,
): EnsemblePart[] {
  for (const { first, last, rows } of cells) assertNotScattered(table, first, last, rows);
  const days = cells.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  assertNotSparse(table, days * members.length, cellOf.length);
  const groups = groupBySpan(cells);
  /** For each cell, its group and its place in the group. */
  const groupOf = groups.flatMap((group, g) => group.map((_, place) => ({ g, place })));
  const columns = groups.map((group) => {
    const length = group.length * (group[0].last - group[0].first + 1);
    return members.map(() => floatArray(table.type, length).fill(Number.NaN));
  });
  /** The last row so far of each member at each location. */
  const latest = new Int32Array(cells.length * members.length).fill(-1);
  for (let row = 0; row < cellOf.length; row++) {
    const cell = cellOf[row];
    if (cell < 0) continue;
    const member = memberOf[row];
    const series = cell * members.length + member;
    const day = table.days[row];
    const before = latest[series];
    if (before >= 0 && day <= table.days[before]) {
      const place = table.latitude === undefined ? '' : ` at ${describePlace(table, row)}`;
      const whose = ` for member ${members[member]}${place}`;
      throw (day === table.days[before] ? duplicateDayError : unsortedDayError)(table, row, before, whose);
    }
    latest[series] = row;
    const { g, place } = groupOf[cell];
    const { first, last } = cells[cell];
    columns[g][member][place * (last - first + 1) + day - first] = table.value.value(row);
  }
  return groups.map((group, g) => {
    const days = group[0].last - group[0].first + 1;
    const rowOf = (member: number, place: number) => {
      const { row: cellRow, first } = group[Math.floor(place / days)];
      const day = first + (place % days);
      const cell = cellOf[cellRow];
      return table.days.findIndex((d, row) => d === day && cellOf[row] === cell && memberOf[row] === member);
    };
    return {
      field: {
        type: table.type,
        order: 'day-fastest' as const,
        firstDay: group[0].first,
        days,
        cells: group.length,
        members: members.map((name, m) => new MemberColumn(name, [{ values: columns[g][m] }])),
        place: (member: number, place: number) => ({
          source: table.source,
          row: rowOf(member, place) + 1,
          column: table.value.name,
        }),
      },
      latitude: Float64Array.from(group, ({ row }) => table.latitude?.[row] ?? Number.NaN),
      longitude: Float64Array.from(group, ({ row }) => table.longitude?.[row] ?? Number.NaN),
    };
  });
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

function cellFinder({ days, latitude, longitude }: LongTable, cells: Cell[]): (row: number) => number {
  const add = (row: number) => cells.push({ row, rows: 0, first: days[row], last: days[row] }) - 1;
  if (latitude === undefined || longitude === undefined) {
    return (row) => (cells.length === 0 ? add(row) : 0);
  }
  const known = new Map<number, Map<number, number>>();
  let before = -1;
  return (row) => {
    const same =
      before >= 0 && latitude[row] === latitude[cells[before].row] && longitude[row] === longitude[cells[before].row];
    if (same) return before;
    let byLongitude = known.get(latitude[row]);
    if (byLongitude === undefined) known.set(latitude[row], (byLongitude = new Map()));
    let cell = byLongitude.get(longitude[row]);
    if (cell === undefined) byLongitude.set(longitude[row], (cell = add(row)));
    before = cell;
    return cell;
  };
}

function missingMember({ source, memberColumn }: LongTable, row: number): DataError {
  return new DataError({
    source,
    row: row + 1,
    column: memberColumn,
    problem: 'missing member',
    received: null,
    allowed: 'a number or name',
  });
}

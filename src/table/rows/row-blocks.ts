import type { EnsembleField } from '../../core/field.js';
import { MemberColumn } from '../../core/member-column.js';
import { type FloatType, floatArray } from '../../core/number-arrays.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import { dateText } from '../../period/calendar.js';
import {
  assertNotScattered,
  assertNotSparse,
  describePlace,
  duplicateDayError,
  type RowBlock,
  type RowIndex,
  type RowPiece,
  rowNumber,
  samePlace,
  unsortedDayError,
  wrongDay,
} from './row-index.js';

/**
 * Finds the regular blocks in a table's rows: either location by location with the days of each in order, or day by day
 * with the same locations in the same order. Days without rows between the first and the last are missing. Throws a
 * DataError for the first row that is out of order.
 */
export function rowBlocks(index: RowIndex): RowBlock[] {
  const { days } = index;
  if (days.length === 0) throw new DataError({ source: index.source, problem: 'no rows', allowed: 'at least one day' });
  return isByDay(index) ? [blockByDay(index)] : blocksByLocation(index);
}

/** Whether rows go day by day: the first two have the same day at two places. */
export function isByDay(index: RowIndex): boolean {
  const { days } = index;
  return days.length > 1 && days[1] === days[0] && !samePlace(index, 0, 1);
}

/**
 * Makes one block of rows that go day by day, where each day has the locations of the first day in the same order.
 * Throws a DataError for the first row that breaks this order.
 */
function blockByDay(index: RowIndex): RowBlock {
  const { days } = index;
  const cells = locationsOfFirstDay(index);
  const pieces: RowPiece[] = [];
  for (let start = 0; start < days.length; start += cells) {
    if (start > 0 && days[start] < days[start - cells]) throw unsortedDayError(index, start, start - cells);
    for (let cell = 0; cell < cells; cell++) {
      const row = start + cell;
      const isLikeFirst = row < days.length && days[row] === days[start] && samePlace(index, cell, row);
      if (!isLikeFirst || (start > 0 && days[row] === days[start - cells])) throw unlikeFirstDay(index, start, cell);
    }
    pieces.push({ from: start, to: start + cells, at: (days[start] - days[0]) * cells });
  }
  const last = days[days.length - 1];
  assertNotScattered(index, days[0], last, pieces.length);
  const span = last - days[0] + 1;
  assertNotSparse(index, span * cells, days.length);
  return {
    order: 'cell-fastest',
    firstDay: days[0],
    days: span,
    cells,
    start: 0,
    cellRows: Array.from({ length: cells }, (_, cell) => cell),
    pieces: pieces.length === span ? undefined : pieces,
  };
}

function locationsOfFirstDay(index: RowIndex): number {
  const { days, latitude, longitude } = index;
  const places = new PlaceRows();
  let row = 0;
  for (; row < days.length && days[row] === days[0]; row++) {
    const earlier = places.add(latitude?.[row] ?? 0, longitude?.[row] ?? 0, row);
    if (earlier !== undefined) throw duplicateDayError(index, row, earlier, ` at ${describePlace(index, row)}`);
  }
  return row;
}

/** The orders of rows. */
const ORDERS = 'each day with the same locations in the same order, or all days of a location together';

/** The error for a row that is not of location `cell` of the day that begins in row `start`. */
function unlikeFirstDay(index: RowIndex, start: number, cell: number): DataError {
  const { days, dateColumn, source } = index;
  const row = start + cell;
  const error = (at: number, problem: string, expected: string) =>
    new DataError({
      source,
      row: at + 1,
      column: dateColumn,
      problem,
      received: `${describePlace(index, at)} on ${dateText(index.calendar, days[at])}`,
      allowed: expected + ORDERS,
    });
  const next = describePlace(index, cell);
  if (row >= days.length || days[row] !== days[start]) {
    return error(row - 1, 'the day ends before all locations of the first day', `${next} next: `);
  }
  for (let before = row - 1; before >= 0 && days[before] === days[row]; before--) {
    if (samePlace(index, before, row)) return duplicateDayError(index, row, before, ` at ${describePlace(index, row)}`);
  }
  const isFull = cell === 0 && days[start - 1] === days[start];
  if (isFull) return error(row, 'a location beyond those of the first day', '');
  return error(row, 'not the location of the first day', `${next}: `);
}

/** Consecutive rows of one location. */
export interface RowRun {
  readonly start: number;
  readonly length: number;
}

/**
 * Makes blocks of rows that go location by location, the days of each in order. Neighbours that cover the same days
 * without gaps become one block. Throws a DataError for the first row that is out of order.
 */
function blocksByLocation(index: RowIndex): RowBlock[] {
  return createBlocks(index, locationRuns(index, new PlaceRows()));
}

/** Makes blocks of runs, each of which has all rows of its location. Throws a DataError if days are scattered. */
export function createBlocks(index: RowIndex, runs: readonly RowRun[]): RowBlock[] {
  const blocks: RowBlock[] = [];
  let values = 0;
  let rows = 0;
  for (let i = 0; i < runs.length; ) {
    const { start, length } = runs[i];
    const firstDay = index.days[start];
    const days = index.days[start + length - 1] - firstDay + 1;
    assertNotScattered(index, firstDay, firstDay + days - 1, length);
    values += days;
    rows += length;
    assertNotSparse(index, values, rows);
    const cellRows = [start];
    let next = i + 1;
    if (days === length) {
      while (next < runs.length && coversSameDays(index, runs[i], runs[next])) cellRows.push(runs[next++].start);
    }
    const pieces = days === length ? undefined : consecutivePieces(index, runs[i], firstDay);
    blocks.push({ order: 'day-fastest', firstDay, days, cells: cellRows.length, start, cellRows, pieces });
    i = next;
  }
  return blocks;
}

/** Whether two runs have the same days. The days of each ascend, and `a` has no gaps: ends and length decide. */
function coversSameDays({ days }: RowIndex, a: RowRun, b: RowRun): boolean {
  if (a.length !== b.length || days[a.start] !== days[b.start]) return false;
  return days[a.start + a.length - 1] === days[b.start + b.length - 1];
}

/**
 * Finds the runs of rows from `from` on, each at a place that is not in `places` yet, and adds their places. Throws a
 * DataError for the first row that is out of order.
 */
export function locationRuns(index: RowIndex, places: PlaceRows, from = 0): RowRun[] {
  const { days } = index;
  const runs: RowRun[] = [];
  for (let start = from; start < days.length; ) {
    assertFirstRun(index, start, places);
    const end = endOfRun(index, start);
    runs.push({ start, length: end - start });
    if (end < days.length && samePlace(index, end - 1, end)) throw wrongDay(index, end, end - 1);
    start = end;
  }
  return runs;
}

/** The first row after `start` with another place, or with a day that is not after that of the row before. */
function endOfRun({ days, latitude, longitude }: RowIndex, start: number): number {
  let row = start + 1;
  if (latitude === undefined || longitude === undefined) {
    while (row < days.length && days[row] > days[row - 1]) row++;
    return row;
  }
  const [north, east] = [latitude[start], longitude[start]];
  while (row < days.length && days[row] > days[row - 1] && latitude[row] === north && longitude[row] === east) row++;
  return row;
}

function assertFirstRun(index: RowIndex, row: number, places: PlaceRows): void {
  // Without coordinates all rows belong to one place: a second run of it is a day out of order.
  if (index.latitude === undefined || index.longitude === undefined) return;
  const earlier = places.add(index.latitude[row], index.longitude[row], rowNumber(index, row));
  if (earlier === undefined) return;
  throw new DataError({
    source: index.source,
    row: rowNumber(index, row),
    column: index.dateColumn,
    problem: `location ${describePlace(index, row)} begins again, after row ${earlier}`,
    received: dateText(index.calendar, index.days[row]),
    allowed: ORDERS,
  });
}

function consecutivePieces({ days }: RowIndex, { start, length }: RowRun, firstDay: number): RowPiece[] {
  const pieces: RowPiece[] = [];
  let from = start;
  for (let row = start + 1; row <= start + length; row++) {
    if (row === start + length || days[row] !== days[row - 1] + 1) {
      pieces.push({ from, to: row, at: days[from] - firstDay });
      from = row;
    }
  }
  return pieces;
}

/**
 * Makes the parts of an ensemble from member columns with one value for each row of `index`. Columns without missing
 * days are shared, not copied.
 */
export function createParts(
  index: RowIndex,
  blocks: readonly RowBlock[],
  members: readonly MemberColumn[],
  type: FloatType,
): EnsemblePart[] {
  return blocks.map((block) => {
    const coordinate = (values?: Float64Array) =>
      Float64Array.from(block.cellRows, (row) => (values === undefined ? Number.NaN : values[row]));
    return {
      field: fieldOfBlock(index, block, members, type),
      latitude: coordinate(index.latitude),
      longitude: coordinate(index.longitude),
    };
  });
}

function fieldOfBlock(
  index: RowIndex,
  block: RowBlock,
  members: readonly MemberColumn[],
  type: FloatType,
): EnsembleField {
  const { order, firstDay, days, cells, start, pieces } = block;
  const rowOf = (place: number) => {
    if (pieces === undefined) return start + place;
    const piece = pieces.findLast(({ at }) => at <= place) ?? pieces[0];
    return piece.from + place - piece.at;
  };
  const columns = members.map((member) => {
    if (pieces !== undefined) return withMissingDays(member, block, type);
    const end = start + days * cells;
    return start === 0 && end === member.length ? member : member.slice(start, end);
  });
  return {
    type,
    order,
    firstDay,
    days,
    cells,
    members: columns,
    place: (member, place) => ({
      source: index.source,
      row: rowNumber(index, rowOf(place)),
      column: members[member].name,
    }),
  };
}

/** Copies the values of a member, with NaN on the missing days. */
function withMissingDays(member: MemberColumn, { days, cells, pieces = [] }: RowBlock, type: FloatType): MemberColumn {
  const values = floatArray(type, days * cells).fill(Number.NaN);
  for (const { from, to, at } of pieces) member.copyTo(values, at, from, to);
  return new MemberColumn(member.name, [{ values }]);
}

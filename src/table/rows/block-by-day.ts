import { DataError } from '../../errors.js';
import { dateText } from '../../period/calendar.js';
import { describePlace, type RowBlock, type RowIndex, type RowPiece, samePlace } from './row-index.js';
import { assertNotScattered, assertNotSparse, duplicateDayError, unsortedDayError } from './wrong-day.js';

/**
 * Makes one block of rows that go day by day, where each day has the locations of the first day in the same order.
 * Throws a DataError for the first row that breaks this order.
 */
export function blockByDay(index: RowIndex): RowBlock {
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
  const { days } = index;
  const rowOf = new Map<string, number>();
  let row = 0;
  for (; row < days.length && days[row] === days[0]; row++) {
    const place = describePlace(index, row);
    const earlier = rowOf.get(place);
    if (earlier !== undefined) throw duplicateDayError(index, row, earlier, ` at ${place}`);
    rowOf.set(place, row);
  }
  return row;
}

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
      allowed: `${expected}each day with the same locations in the same order, or all days of a location together`,
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

import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import { dateText } from '../../period/calendar.js';
import { describePlace, type RowBlock, type RowIndex, type RowPiece, rowNumber, samePlace } from './row-index.js';
import { assertNotScattered, assertNotSparse, duplicateDayError, unsortedDayError } from './wrong-day.js';

/** Consecutive rows of one location. */
export interface LocationRun {
  readonly start: number;
  readonly length: number;
}

/**
 * Makes blocks of rows that go location by location, the days of each in order. Neighbours that cover the same days
 * without gaps become one block. Throws a DataError for the first row that is out of order.
 */
export function blocksByLocation(index: RowIndex): RowBlock[] {
  return createBlocks(index, locationRuns(index, new PlaceRows()));
}

/** Makes blocks of runs, each of which has all rows of its location. Throws a DataError if days are scattered. */
export function createBlocks(index: RowIndex, runs: readonly LocationRun[]): RowBlock[] {
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

/** Whether two runs have the same days. The days of each ascend, those of `a` without gaps: ends and length decide. */
function coversSameDays({ days }: RowIndex, a: LocationRun, b: LocationRun): boolean {
  if (a.length !== b.length || days[a.start] !== days[b.start]) return false;
  return days[a.start + a.length - 1] === days[b.start + b.length - 1];
}

/**
 * Finds the runs of rows from `from` on, each at a place that is not in `places` yet, and adds their places. Throws a
 * DataError for the first row that is out of order.
 */
export function locationRuns(index: RowIndex, places: PlaceRows, from = 0): LocationRun[] {
  const { days } = index;
  const runs: LocationRun[] = [];
  for (let start = from; start < days.length; ) {
    assertFirstRun(index, start, places);
    const end = endOfRun(index, start);
    runs.push({ start, length: end - start });
    if (end < days.length && samePlace(index, end - 1, end)) throw dayNotAfter(index, end);
    start = end;
  }
  return runs;
}

/** The error for a row whose day is not after that of the row before, at the same place. */
export function dayNotAfter(index: RowIndex, row: number): DataError {
  const { days } = index;
  const error = days[row] === days[row - 1] ? duplicateDayError : unsortedDayError;
  return error(index, row, row - 1, index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`);
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
    allowed: 'all days of a location together; or every day with the same locations in the same order',
  });
}

function consecutivePieces({ days }: RowIndex, { start, length }: LocationRun, firstDay: number): RowPiece[] {
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

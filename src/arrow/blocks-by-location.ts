import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';
import { describePlace, type RowBlock, type RowIndex, type RowPiece, samePlace } from './row-index.js';
import { dayOutOfOrder, dayTwice, refuseScattered } from './wrong-day.js';

/** Consecutive rows of one location. */
interface Run {
  readonly start: number;
  readonly length: number;
}

/**
 * The blocks of rows that go location by location, the days of each in order; neighbours that cover the same days, none lacking,
 * are one block. Throws a DataError that names the first row that is out of order.
 */
export function blocksByLocation(index: RowIndex): RowBlock[] {
  const runs = locationRuns(index);
  const blocks: RowBlock[] = [];
  for (let i = 0; i < runs.length; ) {
    const { start, length } = runs[i];
    const firstDay = index.days[start];
    const days = index.days[start + length - 1] - firstDay + 1;
    refuseScattered(index, firstDay, firstDay + days - 1, length);
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

/** Of runs whose days ascend: equal ends and lengths make equal days where one run lacks none. */
function coversSameDays({ days }: RowIndex, a: Run, b: Run): boolean {
  if (a.length !== b.length || days[a.start] !== days[b.start]) return false;
  return days[a.start + a.length - 1] === days[b.start + b.length - 1];
}

function locationRuns(index: RowIndex): Run[] {
  const { days } = index;
  const rowOf = new Map<string, number>();
  const runs: Run[] = [];
  for (let start = 0; start < days.length; ) {
    refuseSecondRun(index, start, rowOf);
    const end = endOfRun(index, start);
    runs.push({ start, length: end - start });
    if (end < days.length && samePlace(index, end - 1, end)) {
      const error = days[end] === days[end - 1] ? dayTwice : dayOutOfOrder;
      throw error(index, end, end - 1, whose(index, end));
    }
    start = end;
  }
  return runs;
}

/** The first row after `start` that is of another place, or whose day does not come after the one before. */
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

function whose(index: RowIndex, row: number): string {
  return index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`;
}

function refuseSecondRun(index: RowIndex, row: number, rowOf: Map<string, number>): void {
  const place = describePlace(index, row);
  const earlier = rowOf.get(place);
  if (earlier !== undefined) {
    throw new DataError({
      source: index.source,
      row: row + 1,
      column: index.dateColumn,
      problem: `location ${place} begins again, after row ${earlier + 1}`,
      received: formatDate(index.days[row]),
      allowed: 'all days of a location together; or every day with the same locations in the same order',
    });
  }
  rowOf.set(place, row);
}

function consecutivePieces({ days }: RowIndex, { start, length }: Run, firstDay: number): RowPiece[] {
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

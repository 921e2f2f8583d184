import type { RowOrder } from '../core/field.js';
import { DataError } from '../errors.js';
import { formatDate } from '../period/day.js';

/** The rows of a table, by what tells them apart; coordinates are absent where the table is about one place. */
export interface RowIndex {
  readonly days: Int32Array;
  readonly latitude?: Float64Array;
  readonly longitude?: Float64Array;
  /** Names of the columns, for messages. */
  readonly dateColumn: string;
  readonly source?: string;
}

/** Consecutive rows of one location (day fastest) or of one day (cell fastest). */
interface Run {
  readonly start: number;
  readonly length: number;
}

/** Rows that make up one field: `cells` cells on the days from `firstDay` on. */
export interface RowBlock {
  readonly order: RowOrder;
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** The row that is first; the others follow it, unless days are lacking. */
  readonly start: number;
  /** The row of each cell, to read its coordinates from. */
  readonly cellRows: readonly number[];
  /** Where days are lacking between the first and the last: which rows go where in the whole field. */
  readonly pieces?: readonly { from: number; to: number; at: number }[];
}

/**
 * Finds the regular blocks in a table's rows: either location by location with the days of each in order, or day by day with the
 * same locations in the same order. Days that lack between the first and last are missing. Throws a DataError that names the
 * first row out of order.
 */
export function rowBlocks(index: RowIndex): RowBlock[] {
  const { days } = index;
  if (days.length === 0) throw new DataError({ source: index.source, problem: 'no rows', allowed: 'at least one day' });
  const byDay = days.length > 1 && days[1] === days[0] && !samePlace(index, 0, 1);
  return byDay ? [blockByDay(index)] : blocksByLocation(index);
}

function blocksByLocation(index: RowIndex): RowBlock[] {
  const runs = locationRuns(index);
  const blocks: RowBlock[] = [];
  for (let i = 0; i < runs.length; ) {
    const { start, length } = runs[i];
    const firstDay = index.days[start];
    const days = index.days[start + length - 1] - firstDay + 1;
    const cellRows = [start];
    let next = i + 1;
    if (days === length) {
      while (next < runs.length && runs[next].length === length && sameSpan(index, runs[next], firstDay, days)) {
        cellRows.push(runs[next++].start);
      }
    }
    const pieces = days === length ? undefined : consecutivePieces(index, runs[i], firstDay);
    blocks.push({ order: 'day-fastest', firstDay, days, cells: cellRows.length, start, cellRows, pieces });
    i = next;
  }
  return blocks;
}

function sameSpan({ days }: RowIndex, { start, length }: Run, firstDay: number, count: number): boolean {
  return days[start] === firstDay && days[start + length - 1] === firstDay + count - 1;
}

function locationRuns(index: RowIndex): Run[] {
  const { days } = index;
  const seen = new Map<string, number>();
  const runs: Run[] = [];
  let start = 0;
  for (let row = 0; row <= days.length; row++) {
    const begins = row === 0 || row === days.length || !samePlace(index, row - 1, row);
    if (begins) {
      if (row > 0) runs.push({ start, length: row - start });
      if (row < days.length && index.latitude !== undefined) refuseSecondRun(index, row, seen);
      start = row;
    } else if (days[row] <= days[row - 1]) {
      throw outOfOrder(index, row, row - 1);
    }
  }
  return runs;
}

function refuseSecondRun(index: RowIndex, row: number, seen: Map<string, number>): void {
  const place = describePlace(index, row);
  const earlier = seen.get(place);
  if (earlier !== undefined) {
    throw new DataError({
      source: index.source,
      row: row + 1,
      column: index.dateColumn,
      problem: `location ${place} begins again, after row ${earlier + 1}`,
      received: formatDate(index.days[row]),
      allowed: 'all days of a location together, or all locations of a day together',
    });
  }
  seen.set(place, row);
}

function blockByDay(index: RowIndex): RowBlock {
  const { days } = index;
  let cells = 1;
  while (cells < days.length && days[cells] === days[0]) cells++;
  const seen = new Map<string, number>();
  for (let row = 0; row < cells; row++) refuseSecondRun(index, row, seen);
  const pieces: { from: number; to: number; at: number }[] = [];
  for (let start = 0; start < days.length; start += cells) {
    const day = days[start];
    if (start > 0 && day <= days[start - cells]) throw outOfOrder(index, start, start - cells);
    for (let cell = 0; cell < cells; cell++) {
      const row = start + cell;
      if (row >= days.length || days[row] !== day || !samePlace(index, cell, row))
        throw unlikeFirstDay(index, row, cell);
    }
    const at = (day - days[0]) * cells;
    pieces.push({ from: start, to: start + cells, at });
  }
  const span = days[days.length - 1] - days[0] + 1;
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

function consecutivePieces({ days }: RowIndex, { start, length }: Run, firstDay: number) {
  const pieces: { from: number; to: number; at: number }[] = [];
  let from = start;
  for (let row = start + 1; row <= start + length; row++) {
    if (row === start + length || days[row] !== days[row - 1] + 1) {
      pieces.push({ from, to: row, at: days[from] - firstDay });
      from = row;
    }
  }
  return pieces;
}

function samePlace({ latitude, longitude }: RowIndex, a: number, b: number): boolean {
  return Object.is(latitude?.[a], latitude?.[b]) && Object.is(longitude?.[a], longitude?.[b]);
}

function describePlace({ latitude, longitude }: RowIndex, row: number): string {
  return `${latitude?.[row]}, ${longitude?.[row]}`;
}

function outOfOrder(index: RowIndex, row: number, before: number): DataError {
  const { days, source, dateColumn } = index;
  const twice = days[row] === days[before];
  const place = index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`;
  return new DataError({
    source,
    row: row + 1,
    column: dateColumn,
    problem: twice ? `day given twice${place}` : `day out of order${place}, after ${formatDate(days[before])}`,
    received: formatDate(days[row]),
    allowed: twice
      ? 'each day once for a location; a table with one row per member needs a member column, and sub-daily values have to be combined first'
      : 'days in ascending order',
  });
}

function unlikeFirstDay(index: RowIndex, row: number, cell: number): DataError {
  const expected = `the locations of the first day in the same order: next would be ${describePlace(index, cell)}`;
  const ended = row >= index.days.length;
  return new DataError({
    source: index.source,
    row: ended ? index.days.length : row + 1,
    column: index.dateColumn,
    problem: ended ? 'the last day lacks locations' : 'locations differ from those of the first day',
    received: ended ? undefined : `${describePlace(index, row)} on ${formatDate(index.days[row])}`,
    allowed: expected,
  });
}

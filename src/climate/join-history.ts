import type { EnsembleField } from '../core/field.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, floatArray } from '../core/number-arrays.js';
import { DataError, type DataPlace } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';

/** The daily values of one table, by location, and the table's name in messages. */
export interface HistoryPiece {
  readonly field: EnsembleField;
  readonly source: string;
}

/**
 * Joins pieces of one member each, with the same cells and type, to one field from the first day of any to the last day
 * of any; a day in no piece is missing. They may be in any order. Throws DataError for a day with a value in two of
 * them.
 */
export function joinHistory(pieces: readonly HistoryPiece[], calendar?: ModelCalendar): EnsembleField {
  const [{ type, cells, members }] = pieces.map(({ field }) => field);
  const firstDay = Math.min(...pieces.map(({ field }) => field.firstDay));
  const days = Math.max(...pieces.map(({ field }) => field.firstDay + field.days)) - firstDay;
  const values = floatArray(type, cells * days).fill(Number.NaN);
  for (const piece of pieces) {
    const repeated = copyDays(piece.field, values, firstDay, days);
    if (repeated !== undefined) throw duplicateDayError(pieces, piece, repeated, calendar);
  }
  const place = (_: number, row: number): DataPlace => {
    const at = { cell: Math.floor(row / days), day: firstDay + (row % days) };
    const piece = pieces.find((each) => hasValue(each, at));
    return piece === undefined ? {} : placeIn(piece, at);
  };
  return {
    ...{ type, order: 'day-fastest', firstDay, days, cells },
    members: [new MemberColumn(members[0].name, [{ values }])],
    place,
  };
}

/** A day at a cell. */
interface CellDay {
  readonly cell: number;
  readonly day: number;
}

/**
 * Copies values to rows of `days` days from `firstDay` on, by cell; returns the first day that already has one, if
 * there is.
 */
function copyDays(field: EnsembleField, values: FloatArray, firstDay: number, days: number): CellDay | undefined {
  const own = floatArray(field.type, field.days);
  for (let cell = 0; cell < field.cells; cell++) {
    field.members[0].copyTo(own, 0, cell * field.days, (cell + 1) * field.days);
    const at = cell * days + field.firstDay - firstDay;
    for (let d = 0; d < own.length; d++) {
      if (Number.isNaN(own[d])) continue;
      if (!Number.isNaN(values[at + d])) return { cell, day: field.firstDay + d };
      values[at + d] = own[d];
    }
  }
  return undefined;
}

function rowOf({ field }: HistoryPiece, { cell, day }: CellDay): number {
  return cell * field.days + day - field.firstDay;
}

function hasValue(piece: HistoryPiece, at: CellDay): boolean {
  const { firstDay, days, members } = piece.field;
  if (at.day < firstDay || at.day >= firstDay + days) return false;
  return !Number.isNaN(members[0].value(rowOf(piece, at)));
}

function placeIn(piece: HistoryPiece, at: CellDay): DataPlace {
  const row = rowOf(piece, at);
  return piece.field.place?.(0, row) ?? { source: piece.source, row: row + 1 };
}

function duplicateDayError(
  pieces: readonly HistoryPiece[],
  piece: HistoryPiece,
  at: CellDay,
  calendar: ModelCalendar | undefined,
): DataError {
  return new DataError({
    ...placeIn(piece, at),
    problem: `a day that ${pieces.find((each) => hasValue(each, at))?.source} also has`,
    received: dateText(calendar, at.day),
    allowed: 'each day in one table, as tables of one member are joined to one history; members of a run in one table',
  });
}

import type { EnsembleField } from '../core/field.js';
import { type FloatArray, valueBytes } from '../core/float-array.js';
import type { WindowTable } from '../period/window-table.js';
import { someWindows } from '../statistics/windowed-part.js';
import type { FieldShape } from './task.js';

/** Some cells by some windows, so that their results are consecutive. */
export interface Piece {
  readonly shape: FieldShape;
  readonly windows: WindowTable;
  /** The first of its results among those of the field. */
  readonly lane: number;
  readonly firstCell: number;
  /** Its first day on the field's axis. */
  readonly day: number;
}

/** The bytes of the values of one member of a piece. */
export function memberBytes({ shape }: Piece): number {
  return shape.cells * shape.days * valueBytes(shape.type);
}

/**
 * All pieces of a field in the order of results, each member's values of a piece being at most `bytes` bytes: as many cells, or
 * windows where the cell is fastest, as fit; of one that does not fit as many windows, or cells, as do. Undefined where not even one window of
 * one cell fits.
 */
export function piecesOf(field: EnsembleField, windows: WindowTable, bytes: number): Iterable<Piece> | undefined {
  const values = Math.floor(bytes / valueBytes(field.type));
  const longest = windows.days.reduce((most, days) => Math.max(most, days), 0);
  if (longest > values) return undefined;
  return field.order === 'day-fastest' ? piecesBySeries(field, windows, values) : piecesByDay(field, windows, values);
}

function* piecesBySeries(field: EnsembleField, windows: WindowTable, values: number): Generator<Piece> {
  const step = evenly(Math.floor(values / field.days));
  for (let cell = 0; cell < field.cells; cell += Math.max(1, step)) {
    if (step > 0) yield piece(field, windows, cell, Math.min(step, field.cells - cell), 0, windows.count);
    else {
      for (const [from, to] of runsOfWindows(windows, values)) yield piece(field, windows, cell, 1, from, to);
    }
  }
}

function* piecesByDay(field: EnsembleField, windows: WindowTable, values: number): Generator<Piece> {
  for (const [from, to] of runsOfWindows(windows, Math.floor(values / field.cells))) {
    const step = Math.min(field.cells, evenly(Math.floor(values / spanOf(windows, from, to))));
    for (let cell = 0; cell < field.cells; cell += step) {
      yield piece(field, windows, cell, Math.min(step, field.cells - cell), from, to);
    }
  }
}

/** Pieces of even length: between shared memory engines copy eight bytes at a time, and single ones where an odd number lies before. */
function evenly(cells: number): number {
  return cells > 1 ? cells - (cells % 2) : cells;
}

/** Windows in runs of at most `days` days, or of one window. */
function* runsOfWindows(windows: WindowTable, days: number): Generator<[number, number]> {
  let from = 0;
  for (let to = 1; to <= windows.count; to++) {
    if (to < windows.count && spanOf(windows, from, to + 1) <= days) continue;
    yield [from, to];
    from = to;
  }
}

/** Days from the first of a run of windows to its last. */
function spanOf({ first, days }: WindowTable, from: number, to: number): number {
  return first[to - 1] + days[to - 1] - first[from];
}

function piece(
  { type, order, firstDay, days, cells: width }: EnsembleField,
  windows: WindowTable,
  firstCell: number,
  cells: number,
  from: number,
  to: number,
): Piece {
  // Series lie one behind the other with all their days; of a single one, or of fields, only some days are needed.
  const areWhole = order === 'day-fastest' && cells > 1;
  const day = areWhole ? 0 : windows.firstDay - firstDay + windows.first[from];
  const span = areWhole ? days : spanOf(windows, from, to);
  return {
    shape: { type, order, firstDay: firstDay + day, days: span, cells },
    windows: someWindows(windows, from, to),
    lane: order === 'day-fastest' ? firstCell * windows.count + from : from * width + firstCell,
    firstCell,
    day,
  };
}

/** Copies the values of one member of a piece to `target`. */
export function copyMember(field: EnsembleField, member: number, piece: Piece, target: FloatArray): void {
  const { shape, firstCell, day } = piece;
  const column = field.members[member];
  if (field.order === 'day-fastest') {
    const from = firstCell * field.days + day;
    column.copyTo(target, 0, from, from + target.length);
  } else if (shape.cells === field.cells) {
    column.copyTo(target, 0, day * shape.cells, (day + shape.days) * shape.cells);
  } else {
    for (let d = 0; d < shape.days; d++) {
      const from = (day + d) * field.cells + firstCell;
      column.copyTo(target, d * shape.cells, from, from + shape.cells);
    }
  }
}

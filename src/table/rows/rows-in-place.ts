import { type FloatType, floatArray } from '../../core/float-array.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { labelColumns } from '../columns/column-roles.js';
import type { AddedRows, GivenParts } from './added-rows.js';
import type { EnsembleRows } from './read-rows.js';
import { createBlocks, createParts, locationRuns, type RowRun } from './row-blocks.js';
import { type RowIndex, samePlace } from './row-index.js';
import { wrongDay } from './wrong-day.js';

/**
 * Rows by location that have all members and come table by table, as parts of an ensemble: views of the tables. The
 * last location of a table may continue in the next one, and is kept until then. About 40 bytes are kept of each place,
 * as no place may come twice.
 */
export class RowsInPlace implements AddedRows {
  readonly isOrderAssumed = false;
  readonly isInOrder = true;
  readonly reading = {};
  readonly #places = new PlaceRows();
  #open?: OpenLocation;

  /**
   * Adds the rows of a table, and returns the locations that are complete now. Throws DataError for rows out of order.
   */
  add(rows: EnsembleRows): EnsemblePart[] {
    const { index, members, type } = rows;
    const from = this.#open?.append(rows) ?? 0;
    if (from === index.days.length) return [];
    const runs = locationRuns(index, this.#places, from);
    const closed = this.#open?.parts() ?? [];
    this.#open = new OpenLocation(rows, runs[runs.length - 1]);
    return [...closed, ...createParts(index, createBlocks(index, runs.slice(0, -1)), members, type)];
  }

  /** Returns the last location of the last table. */
  end(): GivenParts[] {
    return [{ parts: this.#open?.parts() ?? [], isAll: false }];
  }
}

/** Some rows of a location; the days of each in order. */
interface Piece {
  readonly days: Int32Array;
  readonly members: readonly MemberColumn[];
}

/** A location whose rows may continue in the next table. */
class OpenLocation {
  readonly #type: FloatType;
  readonly #pieces: Piece[] = [];
  /** The last row so far, with the cells that messages may show. */
  #last: RowIndex;
  readonly #rowsBefore: number;

  /** Copies the rows of a run, the last one of its table. */
  constructor({ index, members, type }: EnsembleRows, { start, length }: RowRun) {
    this.#type = type;
    this.#rowsBefore = index.rowsBefore + start;
    this.#pieces.push(copied(index, members, type, start, start + length));
    this.#last = lastRow(index);
  }

  /**
   * Adds the first rows of a table that belong to this location, and returns their number. They are views of the table,
   * or copies if the table has no other rows, as the location stays open then. Throws a DataError for a day that is not
   * after the one before.
   */
  append({ index, members, type }: EnsembleRows): number {
    const { days } = index;
    const joint = joinRows(this.#last, index);
    if (!samePlace(joint, 0, 1)) return 0;
    if (days[0] <= joint.days[0]) throw wrongDay(joint, 1, 0);
    let rows = 1;
    while (rows < days.length && samePlace(index, 0, rows)) {
      if (days[rows] <= days[rows - 1]) throw wrongDay(index, rows, rows - 1);
      rows++;
    }
    if (rows === days.length) {
      this.#pieces.push(copied(index, members, type, 0, rows));
      this.#last = lastRow(index);
    } else {
      this.#pieces.push({
        days: days.subarray(0, rows),
        members: members.map((member) => member.slice(0, rows)),
      });
    }
    return rows;
  }

  /** The location as a part of an ensemble. Throws a DataError if its days are scattered. */
  parts(): EnsemblePart[] {
    const pieces = this.#pieces;
    const length = pieces.reduce((sum, { days }) => sum + days.length, 0);
    const days = new Int32Array(length);
    let at = 0;
    for (const piece of pieces) {
      days.set(piece.days, at);
      at += piece.days.length;
    }
    const members = pieces[0].members.map(({ name }, m) => {
      return new MemberColumn(
        name,
        pieces.flatMap((piece) => piece.members[m].chunks),
      );
    });
    const index = { ...this.#last, days, rowsBefore: this.#rowsBefore };
    return createParts(index, createBlocks(index, [{ start: 0, length }]), members, this.#type);
  }
}

function copied(
  { days }: RowIndex,
  members: readonly MemberColumn[],
  type: FloatType,
  from: number,
  to: number,
): Piece {
  return {
    days: days.slice(from, to),
    members: members.map((member) => {
      const values = floatArray(type, to - from);
      member.copyTo(values, 0, from, to);
      return new MemberColumn(member.name, [{ values }]);
    }),
  };
}

/** The last row of an index by itself, without a view of the table. */
function lastRow(index: RowIndex): RowIndex {
  const { days, latitude, longitude, rowsBefore, table, roles, dateColumn, valueNames } = index;
  const row = days.length - 1;
  const values = new Set(valueNames);
  const shown = [dateColumn, ...labelColumns(table, roles).filter((name) => !values.has(name))];
  const cells = new Map(shown.map((name) => [name, index.cell(name, row)]));
  return {
    ...index,
    days: days.slice(row),
    latitude: latitude?.slice(row),
    longitude: longitude?.slice(row),
    rowsBefore: rowsBefore + row,
    cell: (name) => cells.get(name),
  };
}

/** An index of two rows: the last one of an index and the first one of the next. */
function joinRows(last: RowIndex, next: RowIndex): RowIndex {
  const both = (one?: Float64Array, other?: Float64Array) => one && other && Float64Array.of(one[0], other[0]);
  return {
    ...next,
    days: Int32Array.of(last.days[0], next.days[0]),
    latitude: both(last.latitude, next.latitude),
    longitude: both(last.longitude, next.longitude),
    rowsBefore: last.rowsBefore,
    cell: (name, row) => (row === 0 ? last : next).cell(name, 0),
  };
}

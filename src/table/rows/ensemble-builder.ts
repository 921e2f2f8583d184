import type { Table } from 'apache-arrow';
import { MemberColumn } from '../../core/member-column.js';
import { type FloatType, floatArray } from '../../core/number-arrays.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { nearestCell } from '../../ensemble/nearest-cell.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { columnOf } from '../arrow/table-schema.js';
import { labelColumns } from '../columns/column-roles.js';
import { isTextType } from '../columns/column-values.js';
import type { AddedRows, BuildOptions, GivenParts, RowStores } from './added-rows.js';
import { createBlocks, createParts, isByDay, locationRuns, type RowRun } from './row-blocks.js';
import { type RowIndex, RowOrderError, samePlace, wrongDay } from './row-index.js';
import { type EnsembleRows, RowReader } from './row-reader.js';

/**
 * How rows become ensembles: `in-place`, views of the tables, where rows that have all members go by location;
 * `by-location`, copied, in a long table; `gathered` by location, in any order.
 */
export type RowWay = 'in-place' | 'by-location' | 'gathered';

/** The way of rows, or why they have to be read together. */
type FoundWay = { readonly way: RowWay } | { readonly together: string };

/**
 * Finds how rows become ensembles by the first of them, at least two. `mayGather` says that rows can be gathered, and
 * `isUnordered` that those of a long table are known not to be by location.
 */
export function findWay(
  rows: EnsembleRows,
  { point, sort = false }: BuildOptions,
  { mayGather, isUnordered = false }: { readonly mayGather: boolean; readonly isUnordered?: boolean },
): FoundWay {
  const { head, index } = rows;
  const isLong = head.values.form === 'long';
  const obstacle = gatheringObstacle(rows);
  const reason = sort
    ? 'rows have to be sorted'
    : point !== undefined
      ? 'a point is requested'
      : isLong && (!mayGather || isUnordered || index.latitude === undefined)
        ? 'a row for each member and day'
        : isByDay(index)
          ? 'rows go day by day'
          : obstacle;
  if (reason === undefined) return { way: isLong ? 'by-location' : 'in-place' };
  // The results of a wide table by day are by period, not by place.
  const hasOrder = sort || isLong || point !== undefined;
  return mayGather && hasOrder && obstacle === undefined ? { way: 'gathered' } : { together: reason };
}

/** Why rows cannot be gathered table by table, for what only a complete table shows of its columns. */
function gatheringObstacle({ index: { table, valueNames } }: EnsembleRows): string | undefined {
  if (valueNames.some((name) => isTextType(columnOf(table, name).type))) return 'values are text';
  const { fields } = table.schema;
  if (fields.some(({ name }) => name.trim().toLowerCase() === 'family')) return 'a column names families of forecasts';
  return undefined;
}

/** An ensemble of some locations. Its values are good until the next one is requested, or a table is added. */
interface BuiltEnsemble {
  readonly ensemble: Ensemble;
  /** Whether it has all rows. */
  readonly isAll: boolean;
}

/**
 * Builds ensembles of the rows of tables of one schema, which come one after the other. A location is given as soon as
 * all its rows are there, where rows go by location; the first table decides whether they do. In other orders all rows
 * are gathered first. Together the ensembles are what `readEnsemble` gives for all tables.
 */
export class EnsembleBuilder {
  readonly #options: BuildOptions;
  readonly #stores: RowStores | undefined;
  #rows: AddedRows;
  #reader: RowReader;
  #isFirst = true;

  /** Throws RowOrderError where the way needs `stores` that are not there. */
  constructor(way: RowWay, options: BuildOptions, stores?: RowStores) {
    this.#options = options;
    this.#stores = stores;
    const rows =
      way === 'in-place' ? new RowsInPlace() : way === 'gathered' ? stores?.gathered(options) : stores?.byLocation();
    if (rows === undefined) {
      throw new RowOrderError({ source: options.source, problem: 'rows have to be read together' });
    }
    this.#rows = rows;
    this.#reader = new RowReader(options, rows.reading);
  }

  /** Whether later rows may show that what is given counts for nothing, by a RowOrderError. */
  get isOrderAssumed(): boolean {
    return this.#rows.isOrderAssumed;
  }

  /** Whether rows that are sorted were in the order of their places, members and days; known in the end. */
  get isInOrder(): boolean {
    return this.#rows.isInOrder;
  }

  /**
   * Adds a table, and returns the locations that are complete now; undefined if there are none. Throws RowOrderError
   * where rows have to be read in another way, and else as `readEnsemble` does, with rows counted from the first table
   * on, and what writing throws.
   */
  add(table: Table): Ensemble | undefined {
    const stores = this.#isFirst && this.isOrderAssumed ? this.#stores : undefined;
    this.#isFirst = false;
    try {
      return this.#add(table);
    } catch (error) {
      if (stores === undefined || !(error instanceof RowOrderError)) throw error;
      this.#rows = stores.gathered(this.#options);
      this.#reader = new RowReader(this.#options, this.#rows.reading);
      return this.#add(table);
    }
  }

  /** Returns the ensembles that are left. Throws as `add` does, WrongDayError, and FileError. */
  *end(): Generator<BuiltEnsemble> {
    const { point, source } = this.#options;
    for (const { parts, isAll, isAtPoint = false } of this.#rows.end()) {
      const ensemble = this.#reader.ensemble(parts);
      if (ensemble === undefined) continue;
      yield { ensemble: isAtPoint || point === undefined ? ensemble : nearestCell(ensemble, point, source), isAll };
    }
  }

  #add(table: Table): Ensemble | undefined {
    this.#rows.prepare?.();
    return this.#reader.ensemble(this.#rows.add(this.#reader.read(table)));
  }
}

/**
 * Rows by location that have all members and come table by table, as parts of an ensemble: views of the tables. The
 * last location of a table may continue in the next one, and is kept until then. About 40 bytes are kept of each place,
 * as no place may come twice.
 */
class RowsInPlace implements AddedRows {
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

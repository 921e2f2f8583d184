import type { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray } from '../core/float-array.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { PlaceRows } from '../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../errors.js';
import { codedColumn } from './coded-column.js';
import { memberFinder, pivotRows } from './long-table.js';
import type { EnsembleRows } from './read-ensemble.js';
import type { ReadOptions } from './read-options.js';
import { describePlace, type RowIndex } from './row-index.js';
import { RowReader } from './row-reader.js';
import { columnOf } from './table-column.js';

/**
 * Rows of a long table cannot be read location by location: a location or a member comes later than expected, or days
 * are out of order. Reading all rows together succeeds, or finds the fault. The cause is the fault of these rows, if
 * there is one.
 */
export class RowOrderError extends DataError {}

/** The last rows so far, of a location that may continue in the next table. */
interface OpenRows {
  readonly days: Int32Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly memberOf: Int32Array;
  readonly isUsed: Uint8Array;
  readonly values: FloatArray;
  readonly table: Table;
}

/**
 * Turns a long table by location, which comes table by table, into ensembles of complete locations. The members are
 * those of the first locations. About 40 bytes are kept of each place, as no place may come twice.
 */
export class LongLocationStream {
  readonly #reader: RowReader;
  readonly #places = new PlaceRows();
  readonly #source: string | undefined;
  #members: readonly string[] = [];
  #areMembersKnown = false;
  #open?: OpenRows;
  readonly #buffers = new RowBuffers();
  #index?: RowIndex;
  #type: FloatType = 'float64';
  #valueColumn = '';

  constructor(options: ReadOptions) {
    this.#reader = new RowReader(options);
    this.#source = options.source;
  }

  /**
   * Adds a table and returns the locations that are complete now; undefined if there are none. All tables have the same
   * schema. Throws RowOrderError where rows are not by location, each with the same members, and else as `readEnsemble`.
   */
  add(table: Table): Ensemble | undefined {
    const read = this.#read(table);
    const rows = this.#joined(read, table);
    const { days, latitude, longitude } = rows;
    let cut = days.length - 1;
    while (cut > 0 && latitude[cut - 1] === latitude[cut] && longitude[cut - 1] === longitude[cut]) cut--;
    const rowsBefore = read.index.rowsBefore - (this.#open?.days.length ?? 0);
    this.#index = { ...read.index, rowsBefore };
    this.#type = read.type;
    this.#valueColumn = read.head.values.names[0];
    this.#open = openRows(rows, cut, days.length);
    return this.#reader.ensemble(this.#parts(rows, cut, this.#index), table);
  }

  /** Returns the last location of the last table; undefined if there was no table. */
  end(): Ensemble | undefined {
    const [open, index] = [this.#open, this.#index];
    if (open === undefined || index === undefined) return undefined;
    return this.#reader.ensemble(this.#parts(open, open.days.length, index), open.table);
  }

  #read(table: Table): EnsembleRows {
    try {
      return this.#reader.read(table);
    } catch (cause) {
      // Rows after the first may all be of another variable.
      const { variable, units } = this.#index?.roles ?? {};
      if ((variable === undefined && units === undefined) || !isPlumecastError(cause)) throw cause;
      throw new RowOrderError({ source: this.#source, problem: 'rows of several variables', cause });
    }
  }

  /** The rows that are open and those of a table. */
  #joined(read: EnsembleRows, table: Table): OpenRows {
    const { index, members: columns, type, head } = read;
    const before = this.#open?.days.length ?? 0;
    const rows = this.#buffers.rows(before + index.days.length, type, table);
    if (this.#open !== undefined) copyRows(this.#open, rows);
    rows.days.set(index.days, before);
    rows.latitude.set(index.latitude as Float64Array, before);
    rows.longitude.set(index.longitude as Float64Array, before);
    columns[0].copyTo(rows.values, before, 0, table.numRows);
    const memberColumn = index.roles.member as string;
    const member = codedColumn(columnOf(table, memberColumn));
    const members = [...this.#members];
    const find = memberFinder({ ...index, member, memberColumn }, members);
    readMembers(member.codes, find, head.use, rows, before);
    if (members.length > this.#members.length) {
      if (this.#areMembersKnown) throw this.#lateMember(members[this.#members.length], memberColumn);
      this.#members = members;
    }
    return rows;
  }

  /** The parts of the first `length` rows, of complete locations. */
  #parts(rows: OpenRows, length: number, given: RowIndex): EnsemblePart[] {
    if (length === 0) return [];
    this.#areMembersKnown = true;
    const { latitude, longitude, isUsed } = rows;
    // Rows may be of earlier tables, whose other cells are not kept.
    const cell = () => undefined;
    const index = { ...given, cell, days: rows.days.subarray(0, length), latitude, longitude };
    const cellOf = new Int32Array(length).fill(-1);
    let cells = -1;
    let [north, east] = [Number.NaN, Number.NaN];
    for (let row = 0; row < length; row++) {
      if (isUsed[row] === 0) continue;
      if (latitude[row] !== north || longitude[row] !== east) {
        cells++;
        [north, east] = [latitude[row], longitude[row]];
        if (this.#places.add(north, east, row) !== undefined) throw this.#secondRun(index, row);
      }
      cellOf[row] = cells;
    }
    if (cells < 0) return [];
    try {
      return pivotRows({
        ...index,
        valueColumn: this.#valueColumn,
        members: this.#members,
        cellOf,
        memberOf: rows.memberOf,
        values: rows.values,
        type: this.#type,
      });
    } catch (cause) {
      if (!isPlumecastError(cause, 'data')) throw cause;
      const { source, row, column, problem, received, allowed } = cause;
      throw new RowOrderError({ source, row, column, problem, received, allowed, cause });
    }
  }

  #lateMember(name: string, column: string): RowOrderError {
    return new RowOrderError({
      source: this.#source,
      column,
      problem: `member ${name} has no rows at the first locations`,
      allowed: 'the members of the first locations',
    });
  }

  #secondRun(index: RowIndex, row: number): RowOrderError {
    return new RowOrderError({
      source: this.#source,
      row: index.rowsBefore + row + 1,
      column: index.roles.latitude,
      problem: `location ${describePlace(index, row)} begins again`,
      allowed: 'all rows of a location together',
    });
  }
}

/** Writes the member of each row from index `at` on, and whether the row is used. */
function readMembers(
  codes: Int32Array,
  find: (row: number) => number,
  use: ((row: number) => boolean) | undefined,
  { memberOf, isUsed }: OpenRows,
  at: number,
): void {
  const ofCode: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    if (use !== undefined && !use(row)) continue;
    isUsed[at + row] = 1;
    memberOf[at + row] = ofCode[codes[row]] ??= find(row);
  }
}

function openRows(rows: OpenRows, from: number, to: number): OpenRows {
  return {
    days: rows.days.slice(from, to),
    latitude: rows.latitude.slice(from, to),
    longitude: rows.longitude.slice(from, to),
    memberOf: rows.memberOf.slice(from, to),
    isUsed: rows.isUsed.slice(from, to),
    values: rows.values.slice(from, to),
    table: rows.table,
  };
}

function copyRows(from: OpenRows, to: OpenRows): void {
  to.days.set(from.days);
  to.latitude.set(from.latitude);
  to.longitude.set(from.longitude);
  to.memberOf.set(from.memberOf);
  to.isUsed.set(from.isUsed);
  to.values.set(from.values);
}

/** Memory for rows, which is used again for the next ones. */
class RowBuffers {
  #rows?: OpenRows;

  rows(length: number, type: FloatType, table: Table): OpenRows {
    if (this.#rows === undefined || this.#rows.days.length < length) {
      const capacity = Math.ceil(length * 1.25);
      this.#rows = {
        days: new Int32Array(capacity),
        latitude: new Float64Array(capacity),
        longitude: new Float64Array(capacity),
        memberOf: new Int32Array(capacity),
        isUsed: new Uint8Array(capacity),
        values: floatArray(type, capacity),
        table,
      };
    }
    const { days, latitude, longitude, memberOf, isUsed, values } = this.#rows;
    return {
      days: days.subarray(0, length),
      latitude: latitude.subarray(0, length),
      longitude: longitude.subarray(0, length),
      memberOf: memberOf.subarray(0, length),
      isUsed: isUsed.subarray(0, length).fill(0),
      values: values.subarray(0, length),
      table,
    };
  }
}

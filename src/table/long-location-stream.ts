import type { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray } from '../core/float-array.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { PlaceRows } from '../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../errors.js';
import { type CodedColumn, codedColumn } from './coded-column.js';
import { memberFinder, memberNumber, pivotRows, pivotRuns } from './long-table.js';
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

/** Rows of a long table; memory for more of them may follow. */
interface Rows {
  readonly days: Int32Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly memberOf: Int32Array;
  readonly isUsed: Uint8Array;
  readonly values: FloatArray;
}

/** Rows that have coordinates. */
type PlacedRows = RowIndex & { readonly latitude: Float64Array; readonly longitude: Float64Array };

/** The most rows of a location: a gigabyte of them. */
const MAX_OPEN_ROWS = 1 << 25;

/**
 * Turns a long table by location, which comes table by table, into ensembles of complete locations. The members are
 * those of the first locations. The values of an ensemble are good until the next table is added. About 40 bytes are kept of each place, as no place may come twice.
 */
export class LongLocationStream {
  readonly #reader: RowReader;
  readonly #places = new PlaceRows();
  readonly #source: string | undefined;
  #members: readonly string[] = [];
  /** The members as they are stored. */
  #memberValues: readonly unknown[] = [];
  #areMembersKnown = false;
  #areAllUsed = true;
  #pivoted: FloatArray | undefined;
  #days = new Int32Array(0);
  /** The rows that were added last; those before `#cut` belong to complete locations, which were given. */
  #rows: Rows | undefined;
  #length = 0;
  #cut = 0;
  #last?: { readonly table: Table; readonly index: RowIndex; readonly type: FloatType; readonly valueColumn: string };

  constructor(options: ReadOptions) {
    this.#reader = new RowReader(options, { dayMemory: (rows) => this.#dayMemory(rows) });
    this.#source = options.source;
  }

  /**
   * Adds a table and returns the locations that are complete now; undefined if there are none. All tables have the same
   * schema. Throws RowOrderError where rows are not by location, each with the same members, and else as `readEnsemble`.
   */
  add(table: Table): Ensemble | undefined {
    const read = this.#read(table);
    this.#dropGiven();
    const before = this.#length;
    const rows = this.#append(read, table);
    const { latitude, longitude } = rows;
    const isSame = (row: number) => latitude[row - 1] === latitude[row] && longitude[row - 1] === longitude[row];
    let cut = this.#length - 1;
    while (cut > before && isSame(cut)) cut--;
    // The rows that were there before are of one place.
    if (cut === before && (cut === 0 || isSame(cut))) cut = 0;
    if (this.#length - cut > MAX_OPEN_ROWS) throw this.#tooLong();
    this.#cut = cut;
    const index = { ...read.index, rowsBefore: read.index.rowsBefore - before };
    this.#last = { table, index, type: read.type, valueColumn: read.head.values.names[0] };
    return this.#reader.ensemble(this.#parts(rows, cut), table);
  }

  /** Returns the last location of the last table; undefined if there was no table. */
  end(): Ensemble | undefined {
    this.#dropGiven();
    const [rows, last] = [this.#rows, this.#last];
    if (rows === undefined || last === undefined) return undefined;
    return this.#reader.ensemble(this.#parts(rows, this.#length), last.table);
  }

  #read(table: Table): EnsembleRows {
    try {
      return this.#reader.read(table);
    } catch (cause) {
      // Rows after the first may all be of another variable.
      const { variable, units } = this.#last?.index.roles ?? {};
      if ((variable === undefined && units === undefined) || !isPlumecastError(cause)) throw cause;
      throw new RowOrderError({ source: this.#source, problem: 'rows of several variables', cause });
    }
  }

  /** Moves the rows of the location that may continue to the beginning. */
  #dropGiven(): void {
    const [rows, cut, last] = [this.#rows, this.#cut, this.#last];
    if (rows === undefined || last === undefined || cut === 0) return;
    for (const column of Object.values(rows) as FloatArray[]) column.copyWithin(0, cut, this.#length);
    this.#length -= cut;
    this.#cut = 0;
    this.#last = { ...last, index: { ...last.index, rowsBefore: last.index.rowsBefore + cut } };
  }

  /** Adds the rows of a table behind those that are there. */
  #append({ index, members: columns, type, head }: EnsembleRows, table: Table): Rows {
    const before = this.#length;
    const count = index.days.length;
    const rows = withCapacity(this.#rows, before, before + count, type);
    rows.days.set(index.days, before);
    rows.latitude.set(index.latitude as Float64Array, before);
    rows.longitude.set(index.longitude as Float64Array, before);
    if (head.use !== undefined) {
      // The rows so far were all used.
      if (this.#areAllUsed) rows.isUsed.fill(1, 0, before);
      this.#areAllUsed = false;
    }
    columns[0].copyTo(rows.values, before, 0, count);
    const memberColumn = index.roles.member as string;
    const member = codedColumn(
      columnOf(table, memberColumn),
      rows.memberOf.subarray(before, before + count),
      this.#memberValues,
    );
    this.#memberValues = member.values;
    const members = [...this.#members];
    const find = memberFinder({ ...index, member, memberColumn }, members);
    if (this.#areAllUsed) numberMembers(member, members, find);
    else readUsedMembers(member.codes, find, head.use, rows, before);
    if (members.length > this.#members.length) {
      if (this.#areMembersKnown) throw this.#lateMember(members[this.#members.length], memberColumn);
      this.#members = members;
    }
    this.#rows = rows;
    this.#length = before + count;
    return rows;
  }

  /** The parts of the first `length` rows, of complete locations. */
  #parts(rows: Rows, length: number): EnsemblePart[] {
    if (length === 0 || this.#last === undefined) return [];
    this.#areMembersKnown = true;
    // Rows may be of earlier tables, whose other cells are not kept.
    const cell = () => undefined;
    const { index: given, type, valueColumn } = this.#last;
    const { latitude, longitude, memberOf, values } = rows;
    const index = { ...given, cell, days: rows.days.subarray(0, length), latitude, longitude };
    const members = this.#members;
    try {
      if (this.#areAllUsed) {
        const starts = this.#runs(index, length);
        return pivotRuns({ ...index, valueColumn, members, starts, memberOf, values, type }, (count) =>
          this.#memory(type, count),
        );
      }
      const cellOf = this.#usedCells(index, rows);
      if (cellOf.every((of) => of < 0)) return [];
      return pivotRows({ ...index, valueColumn, members, cellOf, memberOf, values, type });
    } catch (cause) {
      if (cause instanceof RowOrderError || !isPlumecastError(cause, 'data')) throw cause;
      const { source, row, column, problem, received, allowed } = cause;
      throw new RowOrderError({ source, row, column, problem, received, allowed, cause });
    }
  }

  /** Where the locations of the first `length` rows begin, and the end of the last. */
  #runs(index: PlacedRows, length: number): number[] {
    const { latitude, longitude } = index;
    const starts: number[] = [];
    let [north, east] = [Number.NaN, Number.NaN];
    for (let row = 0; row < length; row++) {
      if (latitude[row] === north && longitude[row] === east) continue;
      [north, east] = [latitude[row], longitude[row]];
      this.#addPlace(index, row);
      starts.push(row);
    }
    starts.push(length);
    return starts;
  }

  /** The location of each row that is used, else -1. */
  #usedCells(index: PlacedRows, { isUsed }: Rows): Int32Array {
    const { days, latitude, longitude } = index;
    const cellOf = new Int32Array(days.length).fill(-1);
    let cells = -1;
    let [north, east] = [Number.NaN, Number.NaN];
    for (let row = 0; row < days.length; row++) {
      if (isUsed[row] === 0) continue;
      if (latitude[row] !== north || longitude[row] !== east) {
        cells++;
        [north, east] = [latitude[row], longitude[row]];
        this.#addPlace(index, row);
      }
      cellOf[row] = cells;
    }
    return cellOf;
  }

  /** Memory for the days of a table, which are copied. */
  #dayMemory(rows: number): Int32Array {
    if (this.#days.length < rows) this.#days = new Int32Array(rows);
    return this.#days.subarray(0, rows);
  }

  /** Memory for the values of locations, which are good until the next ones are given. */
  #memory(type: FloatType, count: number): FloatArray {
    if (this.#pivoted === undefined || this.#pivoted.length < count) this.#pivoted = floatArray(type, count);
    return this.#pivoted.subarray(0, count);
  }

  #addPlace(index: PlacedRows, row: number): void {
    const { latitude, longitude } = index;
    if (this.#places.add(latitude[row], longitude[row], row) !== undefined) throw this.#secondRun(index, row);
  }

  #tooLong(): RowOrderError {
    return new RowOrderError({
      source: this.#source,
      problem: 'a location has too many rows',
      received: `more than ${MAX_OPEN_ROWS}`,
      allowed: 'at most that',
    });
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

/** Replaces the code of each row by its member; new ones become `members`. Throws what `find` does for a row without one. */
function numberMembers({ codes, values }: CodedColumn, members: string[], find: (row: number) => number): void {
  const missing = codes.indexOf(-1);
  if (missing >= 0) find(missing);
  const numbers = Int32Array.from(values, (value) => memberNumber(value, members));
  if (numbers.every((number, code) => number === code)) return;
  for (let row = 0; row < codes.length; row++) codes[row] = numbers[codes[row]];
}

/** Writes the members of the rows from index `at` on that are used, and marks them. */
function readUsedMembers(
  codes: Int32Array,
  find: (row: number) => number,
  use: ((row: number) => boolean) | undefined,
  { memberOf, isUsed }: Rows,
  at: number,
): void {
  const ofCode: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    isUsed[at + row] = use === undefined || use(row) ? 1 : 0;
    if (isUsed[at + row] === 1) memberOf[at + row] = ofCode[codes[row]] ??= find(row);
  }
}

/** The first `count` rows in memory for `wanted` rows at least, which is the same if it is enough. */
function withCapacity(rows: Rows | undefined, count: number, wanted: number, type: FloatType): Rows {
  if (rows !== undefined && rows.days.length >= wanted) return rows;
  const capacity = Math.ceil(wanted * 1.5);
  const grown = {
    days: new Int32Array(capacity),
    latitude: new Float64Array(capacity),
    longitude: new Float64Array(capacity),
    memberOf: new Int32Array(capacity),
    isUsed: new Uint8Array(capacity),
    values: floatArray(type, capacity),
  };
  if (rows === undefined) return grown;
  grown.days.set(rows.days.subarray(0, count));
  grown.latitude.set(rows.latitude.subarray(0, count));
  grown.longitude.set(rows.longitude.subarray(0, count));
  grown.memberOf.set(rows.memberOf.subarray(0, count));
  grown.isUsed.set(rows.isUsed.subarray(0, count));
  grown.values.set(rows.values.subarray(0, count));
  return grown;
}

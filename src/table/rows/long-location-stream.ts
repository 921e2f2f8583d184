import type { Table } from 'apache-arrow';
import type { FloatType } from '../../core/float-array.js';
import type { TableKernels } from '../../core/table-kernels.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError, isPlumecastError } from '../../errors.js';
import { type CodedColumn, codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import type { ReadOptions } from '../columns/read-options.js';
import { memberFinder, memberNumber, pivotRows, pivotRuns } from './long-table.js';
import type { EnsembleRows } from './read-ensemble.js';
import { describePlace, type RowIndex } from './row-index.js';
import { RowMemory } from './row-memory.js';
import { RowReader } from './row-reader.js';

/**
 * Rows of a long table cannot be read location by location: a location or a member comes later than expected, or days
 * are out of order. Reading all rows together succeeds, or finds the fault. The cause is the fault of these rows, if
 * there is one.
 */
export class RowOrderError extends DataError {}

/** Rows that have coordinates. */
type PlacedRows = RowIndex & { readonly latitude: Float64Array; readonly longitude: Float64Array };

/** The most rows of a location: a gigabyte of them. */
const MAX_OPEN_ROWS = 1 << 25;

/**
 * Turns a long table by location, which comes table by table, into ensembles of complete locations. The members are
 * those of the first locations. The values of an ensemble are good until the next table is added. About 40 bytes are
 * kept of each place, as no place may come twice.
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
  /** The rows that were added last; those before `#cut` belong to complete locations, which were given. */
  readonly #rows: RowMemory;
  #cut = 0;
  /** The rows whose place is not that of the row before, the first included. */
  #starts: number[] = [];
  /** What the places of a table were found in, and the rows where they begin. */
  #found?: { readonly latitude: Float64Array; readonly longitude: Float64Array; readonly starts: Int32Array };
  #last?: { readonly table: Table; readonly index: RowIndex; readonly type: FloatType; readonly valueColumn: string };

  /** Rows are kept in the memory of `tools`, whose kernels do the loops over them; without it, they are done here. */
  constructor(options: ReadOptions, tools?: TableKernels) {
    this.#rows = new RowMemory(tools);
    this.#reader = new RowReader(options, {
      dayLoops: this.#rows.dayLoops,
      placesOf: (latitude, longitude) => this.#addPlaces(latitude, longitude),
    });
    this.#source = options.source;
  }

  /**
   * Adds a table and returns the locations that are complete now; undefined if there are none. All tables have the same
   * schema. Throws RowOrderError where rows are not by location, each with the same members, and else as
   * `readEnsemble`.
   */
  add(table: Table): Ensemble | undefined {
    this.#dropGiven();
    const read = this.#read(table);
    const before = this.#rows.length;
    this.#append(read, table);
    const cut = this.#starts.at(-1) ?? 0;
    if (this.#rows.length - cut > MAX_OPEN_ROWS) throw this.#tooLong();
    this.#cut = cut;
    const index = { ...read.index, rowsBefore: read.index.rowsBefore - before };
    this.#last = { table, index, type: read.type, valueColumn: read.head.values.names[0] };
    return this.#reader.ensemble(this.#parts(cut), table);
  }

  /** Returns the last location of the last table; undefined if there was no table. */
  end(): Ensemble | undefined {
    this.#dropGiven();
    if (this.#last === undefined) return undefined;
    return this.#reader.ensemble(this.#parts(this.#rows.length), this.#last.table);
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
    const [cut, last] = [this.#cut, this.#last];
    if (last === undefined || cut === 0) return;
    this.#rows.drop(cut);
    this.#starts = [0];
    this.#cut = 0;
    this.#last = { ...last, index: { ...last.index, rowsBefore: last.index.rowsBefore + cut } };
  }

  /** Adds the places of a table behind the rows that are there, and returns the rows where they begin. */
  #addPlaces(latitude: Float64Array, longitude: Float64Array): Int32Array {
    const starts = this.#rows.addPlaces(latitude, longitude);
    this.#found = { latitude, longitude, starts };
    return starts;
  }

  /** Adds the rows of a table behind those that are there. */
  #append({ index, members: columns, type, head }: EnsembleRows, table: Table): void {
    const rows = this.#rows;
    const before = rows.length;
    const count = index.days.length;
    this.#addStarts(index as PlacedRows);
    rows.setType(type);
    rows.addDays(index.days);
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
      rows.repeats,
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
    rows.length += count;
  }

  /** Adds where the places of a table begin. */
  #addStarts({ latitude, longitude }: PlacedRows): void {
    const found = this.#found;
    const isFound = found?.latitude === latitude && found.longitude === longitude;
    // Eastern longitudes may have become western ones.
    const starts = isFound ? found.starts : this.#addPlaces(latitude, longitude);
    this.#found = undefined;
    const { length, latitude: north, longitude: east } = this.#rows;
    const isSame = length > 0 && north[length - 1] === north[length] && east[length - 1] === east[length];
    for (const [i, row] of starts.entries()) if (i > 0 || !isSame) this.#starts.push(length + row);
  }

  /** The parts of the first `length` rows, of complete locations. */
  #parts(length: number): EnsemblePart[] {
    if (length === 0 || this.#last === undefined) return [];
    this.#areMembersKnown = true;
    // Rows may be of earlier tables, whose other cells are not kept.
    const cell = () => undefined;
    const { index: given, type, valueColumn } = this.#last;
    const { latitude, longitude, memberOf, values, days } = this.#rows;
    const index = { ...given, cell, days: days.subarray(0, length), latitude, longitude };
    const members = this.#members;
    try {
      if (this.#areAllUsed) {
        const starts = this.#runs(index, length);
        return pivotRuns({ ...index, valueColumn, members, starts, memberOf, values, type }, this.#rows);
      }
      const cellOf = this.#usedCells(index);
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
    const starts = this.#starts.filter((row) => row < length);
    for (const row of starts) this.#addPlace(index, row);
    return [...starts, length];
  }

  /** The location of each row that is used, else -1. */
  #usedCells(index: PlacedRows): Int32Array {
    const { days, latitude, longitude } = index;
    const { isUsed } = this.#rows;
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

/**
 * Replaces the code of each row by its member; new ones become `members`. Throws what `find` does for a row without
 * one.
 */
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
  { memberOf, isUsed }: RowMemory,
  at: number,
): void {
  const ofCode: number[] = [];
  for (let row = 0; row < codes.length; row++) {
    isUsed[at + row] = use === undefined || use(row) ? 1 : 0;
    if (isUsed[at + row] === 1) memberOf[at + row] = ofCode[codes[row]] ??= find(row);
  }
}

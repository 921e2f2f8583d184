import type { FloatArray, FloatType } from '../../core/number-arrays.js';
import type { TableKernels } from '../../core/table-kernels.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { type DataPlace, isPlumecastError } from '../../errors.js';
import type { AddedRows, GivenParts } from './added-rows.js';
import { type Layout, type LocationRange, MemberNumbers, type NumberedRows, pivot } from './pivot.js';
import {
  assertNotScattered,
  assertNotSparse,
  describePlace,
  type RowIndex,
  RowOrderError,
  rowNumber,
  wrongDay,
} from './row-index.js';
import { type DaySpan, RowLocations } from './row-locations.js';
import { RowMemory } from './row-memory.js';
import type { EnsembleRows, SeriesReading } from './row-reader.js';

/** The most rows of a location: a gigabyte of them. */
const MAX_OPEN_ROWS = 1 << 25;

const BEFORE_ALL_DAYS = -1e9;

/** The places of a table, and the rows where they begin. */
interface FoundPlaces {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly starts: Int32Array;
}

/**
 * Rows of a long table by location, which come table by table, as parts of complete locations. The members are those of
 * the first locations. The values of parts are good until `prepare` is called. About 80 bytes are kept of each place,
 * as no place may come twice.
 */
export class RowsByLocation implements NumberedRows, AddedRows {
  readonly isOrderAssumed = true;
  readonly isInOrder = true;
  readonly locations = new RowLocations();
  readonly #members = new MemberNumbers();
  #areMembersKnown = false;
  /** The rows that were added last; before `#cut` they belong to complete locations, which were given. */
  readonly #rows: RowMemory;
  #cut = 0;
  /** The rows whose place is not that of the row before, the first included. */
  #starts: number[] = [];
  #found: FoundPlaces | undefined;
  #type: FloatType = 'float64';
  /** The rows by what the last table is; other cells of earlier tables are not kept. */
  #index?: RowIndex;
  /** The first location of those that are being given. */
  #firstGiven = 0;

  /** Rows are kept in the memory of `tools`, whose kernels do the loops over them; without it, they are done here. */
  constructor(tools?: TableKernels) {
    this.#rows = new RowMemory(tools);
  }

  get members(): readonly string[] {
    return this.#members.names;
  }

  get type(): FloatType {
    return this.#type;
  }

  /** How the rows of a table are read behind those that are there. */
  get reading(): SeriesReading {
    return {
      mayLackRows: true,
      dayLoops: this.#rows.dayLoops,
      placesOf: (latitude, longitude) => this.#addPlaces(latitude, longitude),
    };
  }

  /**
   * Forgets the locations that were given, before the next table is read: rows that may continue go to the beginning.
   */
  prepare(): void {
    if (this.#cut === 0) return;
    this.#rows.drop(this.#cut);
    if (this.#index !== undefined) this.#index = { ...this.#index, rowsBefore: this.#index.rowsBefore + this.#cut };
    this.#starts = [0];
    this.#cut = 0;
  }

  /**
   * Adds the rows of a table, and returns the locations that are complete now. Throws RowOrderError where rows are not
   * by location, each with the same members, and DataError for a row without a member.
   */
  add(read: EnsembleRows): EnsemblePart[] {
    this.#append(read);
    const cut = this.#starts.at(-1) ?? 0;
    if (this.#rows.length - cut > MAX_OPEN_ROWS) throw this.#tooLong(read.index.source);
    this.#cut = cut;
    return this.#parts(cut);
  }

  /** Returns the last location of the last table. */
  end(): GivenParts[] {
    this.prepare();
    this.#cut = this.#rows.length;
    return [{ parts: this.#parts(this.#cut), isAll: false }];
  }

  memory(length: number): FloatArray {
    return this.#rows.memory(length);
  }

  scatter({ from, to }: LocationRange, { stride, dayZero, groups }: Layout, into: FloatArray): void {
    for (const group of groups) {
      if (this.#hasGaps(group)) into.fill(Number.NaN, group.at, group.at + group.length * this.members.length);
    }
    for (let i = 0; i < to - from; i++) {
      this.#rows.scatter(this.#starts[i], this.#endOf(i), into, dayZero[i], stride[i]);
    }
  }

  placeOf(location: number, member: number, day: number): DataPlace {
    const { days, memberOf } = this.#rows;
    const index = this.#index as RowIndex;
    let row = this.#starts[location - this.#firstGiven];
    while (days[row] !== day || memberOf[row] !== member) row++;
    return { source: index.source, row: rowNumber(index, row), column: index.valueNames[0] };
  }

  /** Adds the places of a table behind the rows that are there, and returns the rows where they begin. */
  #addPlaces(latitude: Float64Array, longitude: Float64Array): Int32Array {
    const starts = this.#rows.addPlaces(latitude, longitude);
    this.#found = { latitude, longitude, starts };
    return starts;
  }

  /** Adds the rows of a table behind those that are there. */
  #append(read: EnsembleRows): void {
    const { index, members: columns, type, head } = read;
    const [rows, { use }] = [this.#rows, head];
    const before = rows.length;
    const count = index.days.length;
    const starts = this.#startsOf(index);
    rows.setType(type);
    rows.addDays(index.days);
    columns[0].copyTo(rows.values, before, 0, count);
    const known = this.members.length;
    this.#members.of(read, rows.memberOf.subarray(before, before + count), rows.repeats);
    if (this.#areMembersKnown && this.members.length > known) throw this.#lateMember(this.members[known], index);
    const own = rows.keep(count, index.rowsBefore, use) ? starts : rows.placeStarts(before);
    const { length, latitude, longitude } = rows;
    const isSame =
      before > 0 &&
      length > before &&
      latitude[before - 1] === latitude[before] &&
      longitude[before - 1] === longitude[before];
    for (const [i, row] of own.entries()) if (i > 0 || !isSame) this.#starts.push(before + row);
    const rowsBefore = index.rowsBefore + count - length;
    this.#index = { ...index, latitude, longitude, rowsBefore, rowNumbers: rows.rowNumbers, cell: () => undefined };
    this.#type = type;
  }

  /** Where the places of a table begin. */
  #startsOf({ latitude, longitude, source }: RowIndex): Int32Array {
    const found = this.#found;
    this.#found = undefined;
    if (latitude === undefined || longitude === undefined) {
      throw new RowOrderError({ source, problem: 'rows have no coordinates', allowed: 'the place of each row' });
    }
    const isFound = found?.latitude === latitude && found.longitude === longitude;
    // Eastern longitudes may have become western ones.
    return isFound ? found.starts : this.#rows.addPlaces(latitude, longitude);
  }

  /** The parts of the first `length` rows, of complete locations. */
  #parts(length: number): EnsemblePart[] {
    if (length === 0 || this.#index === undefined) return [];
    this.#areMembersKnown = true;
    const index = { ...this.#index, days: this.#rows.days.subarray(0, length) };
    try {
      const from = this.locations.count;
      this.#firstGiven = from;
      let before: (DaySpan & { readonly row: number }) | undefined;
      let days = 0;
      for (let i = 0; i < this.#starts.length && this.#starts[i] < length; i++) {
        const [row, end] = [this.#starts[i], this.#endOf(i)];
        // Most locations have the same days and members as the one before.
        const isAlike = before?.rows === end - row && this.#rows.haveSameRows(before.row, row, end - row);
        before = { ...(isAlike && before ? before : this.#spanOf(index, row, end)), row };
        days += before.last - before.first + 1;
        const [north, east] = [index.latitude?.[row] ?? Number.NaN, index.longitude?.[row] ?? Number.NaN];
        if (!this.locations.addWhole(north, east, before)) throw this.#secondRun(index, row);
      }
      assertNotSparse(index, days * this.members.length, length);
      return pivot(this, { from, to: this.locations.count });
    } catch (cause) {
      if (cause instanceof RowOrderError || !isPlumecastError(cause, 'data')) throw cause;
      const { source, row, column, problem, received, allowed } = cause;
      throw new RowOrderError({ source, row, column, problem, received, allowed, cause });
    }
  }

  /** Whether a day of a member has no row. */
  #hasGaps({ from, to }: LocationRange): boolean {
    const { locations, members } = this;
    const all = (locations.lastDayOf(from) - locations.firstDayOf(from) + 1) * members.length;
    for (let location = from; location < to; location++) if (locations.rowsOf(location) < all) return true;
    return false;
  }

  /** The end of the rows of the location that begins at start `i`. */
  #endOf(i: number): number {
    return this.#starts[i + 1] ?? this.#rows.length;
  }

  /**
   * The days of a location with the rows from `row` up to `end`. Throws a DataError for the first row whose day is not
   * after the one before of its member.
   */
  #spanOf(index: RowIndex, row: number, end: number): DaySpan {
    const { days } = index;
    const { memberOf } = this.#rows;
    let [first, last] = [days[row], days[row]];
    for (let at = row; at < end; at++) {
      const day = days[at];
      if (day < first) first = day;
      if (day > last) last = day;
    }
    assertNotScattered(index, first, last, end - row);
    const latest = new Int32Array(this.members.length).fill(BEFORE_ALL_DAYS);
    for (let at = row; at < end; at++) {
      const member = memberOf[at];
      if (days[at] <= latest[member])
        throw wrongDay(index, at, memberOf.lastIndexOf(member, at - 1), this.members[member]);
      latest[member] = days[at];
    }
    return { first, last, rows: end - row };
  }

  #tooLong(source: string | undefined): RowOrderError {
    return new RowOrderError({
      source,
      problem: 'a location has too many rows',
      received: `more than ${MAX_OPEN_ROWS}`,
      allowed: 'at most that',
    });
  }

  #lateMember(name: string, { source, roles }: RowIndex): RowOrderError {
    return new RowOrderError({
      source,
      column: roles.member,
      problem: `member ${name} has no rows at the first locations`,
      allowed: 'the members of the first locations',
    });
  }

  #secondRun(index: RowIndex, row: number): RowOrderError {
    return new RowOrderError({
      source: index.source,
      row: rowNumber(index, row),
      column: index.roles.latitude,
      problem: `location ${describePlace(index, row)} begins again`,
      allowed: 'all rows of a location together',
    });
  }
}

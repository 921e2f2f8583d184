import { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../../core/float-array.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { DataError, type DataPlace, mentionOption } from '../../errors.js';
import { MemberNumbers } from './member-numbers.js';
import { type Layout, type LocationRange, layoutOf, type NumberedRows, pivot } from './pivot.js';
import type { EnsembleRows } from './read-rows.js';
import type { RowIndex } from './row-index.js';
import { RowLocations } from './row-locations.js';
import { RowOrder } from './row-order.js';
import { changedRows, eachRow, RowRuns, type RunBytes } from './row-runs.js';
import { assertNotScattered, assertNotSparse, RowOrderError } from './wrong-day.js';

/** How much is held at a time. */
export interface GatherLimits {
  /** The values whose rows are sorted at a time: in a long table, about 40 bytes each. */
  readonly runValues: number;
  /** The bytes of values of the locations that are given together; a location with more is given alone. */
  readonly pivotBytes: number;
}

export const GATHER_LIMITS: GatherLimits = { runValues: 524_288, pivotBytes: 8_388_608 };

/** The most bytes of values of a location, where they are not given all together. */
const MAX_LOCATION_BYTES = 1_073_741_824;

const BEFORE_ALL_DAYS = -1e9;

/**
 * Two rows of a place and, in a long table, a member, counted from 0 in the file: the day of the second is that of the
 * first, or before it.
 */
export interface DayFault {
  readonly member?: string | undefined;
  readonly before: number;
  readonly row: number;
}

/** The day of a row is wrong; which days are, only the table says. */
export class WrongDayError extends DataError {
  readonly fault: DayFault;

  constructor(fault: DayFault, source: string | undefined) {
    super({ source, row: fault.row + 1, problem: `day is not after that of row ${fault.before + 1}` });
    this.fault = fault;
  }
}

/** Parts of an ensemble, with the number of the locations that they have, and whether they are all. */
export interface GatheredParts {
  readonly parts: readonly EnsemblePart[];
  readonly isAll: boolean;
}

/**
 * Gathers rows by location. With `sort`, they may be in any order; without it, those of a long table too, but for the
 * days of each series, and rows that have all members by location or by day. Locations, and the members of a long
 * table, are in the order of their first row. Besides the rows of a run and the values of some locations, about 80
 * bytes are kept of each location; the rows are in `bytes`.
 */
export class GatheredRows implements NumberedRows {
  readonly locations = new RowLocations();
  readonly #mayBeUnsorted: boolean;
  readonly #bytes: RunBytes;
  readonly #limits: GatherLimits;
  readonly #memberNumbers = new MemberNumbers();
  /** The members of rows that have all of them. */
  #columns?: readonly string[];
  #runs?: RowRuns;
  #type: FloatType = 'float32';
  /** What is known of all rows, without any. */
  #index?: RowIndex;
  #rows = 0;
  /** The order of rows, where it matters or is a notice. */
  #order?: RowOrder;
  #values: FloatArray = new Float32Array(0);
  #pivoted: FloatArray = new Float32Array(0);

  constructor({ sort = false }: { readonly sort?: boolean | undefined }, bytes: RunBytes, limits: GatherLimits) {
    this.#mayBeUnsorted = sort;
    this.#bytes = bytes;
    this.#limits = limits;
  }

  get members(): readonly string[] {
    return this.#columns ?? this.#memberNumbers.names;
  }

  get type(): FloatType {
    return this.#type;
  }

  get width(): number {
    return this.#columns?.length ?? 1;
  }

  /** With `sort`: whether all rows were in the order of their places, members and days. */
  get isInOrder(): boolean {
    return this.#order?.isSorted ?? true;
  }

  /** Adds the rows of a table, and returns no parts yet. Throws DataError for a row without a member, and FileError. */
  add(rows: EnsembleRows): EnsemblePart[] {
    const { index, members: columns, type, head } = rows;
    const { days, latitude, longitude, rowsBefore } = index;
    const { length: count } = days;
    const runs = (this.#runs ??= this.#begin(rows));
    if (this.#values.length < count * columns.length) this.#values = floatArray(type, count * columns.length);
    for (const [m, column] of columns.entries()) column.copyTo(this.#values, m * count, 0, count);
    const memberOf = this.#columns === undefined ? this.#memberNumbers.of(rows) : undefined;
    const [locations, values, order] = [this.locations, this.#values, this.#order];
    const { use } = head;
    const { width } = runs;
    for (let row = 0; row < count; row++) {
      if (use !== undefined && !use(row)) continue;
      const day = days[row];
      const location =
        latitude === undefined || longitude === undefined
          ? locations.addUnplaced(day)
          : locations.add(latitude[row], longitude[row], day);
      const member = memberOf === undefined ? 0 : memberOf[row];
      order?.add(location, member, day);
      const at = runs.add(location, member, day, rowsBefore + row);
      for (let m = 0; m < width; m++) runs.values[at + m] = values[m * count + row];
    }
    this.#rows += count;
    return [];
  }

  /**
   * Ends the table, and returns parts of locations that fit into memory, whose values are good until the next are
   * requested. Throws RowOrderError for rows in an order that they may not have; DataError if there are no rows, if
   * days are scattered, and if a location has too many; WrongDayError for the first row in the file whose day is not
   * after the one before of its series, or with `sort`, if its series has that day already; FileError if rows cannot be
   * read back.
   */
  *end(): Generator<GatheredParts> {
    const ranges = this.#ends();
    for (const [i, range] of ranges.entries()) {
      const parts = pivot(this, range);
      if (parts === undefined) throw this.#firstFault(ranges.slice(i));
      yield { parts, isAll: ranges.length === 1 };
    }
  }

  /** The parts of a location, after all were given. */
  partsOf(location: number): readonly EnsemblePart[] {
    const parts = pivot(this, { from: location, to: location + 1 });
    if (parts === undefined) throw changedRows();
    return parts;
  }

  memory(length: number): FloatArray {
    if (this.#pivoted.length < length) this.#pivoted = floatArray(this.#type, length);
    return this.#pivoted.subarray(0, length);
  }

  scatter(range: LocationRange, { stride, dayZero }: Layout, into: FloatArray): boolean {
    const { from, to } = range;
    const { locations } = this;
    const { length: members } = this.members;
    const runs = this.#ended;
    const { width } = runs;
    const mayBeUnsorted = this.#mayBeUnsorted;
    const latest = new Int32Array(mayBeUnsorted ? 0 : (to - from) * members).fill(BEFORE_ALL_DAYS);
    const isThere = new Uint8Array(mayBeUnsorted ? into.length : 0);
    /** Writes the values of a row; false if its day is wrong. */
    const put = (location: number, member: number, day: number, values: FloatArray, row: number): boolean => {
      const at = dayZero[location] + member * stride[location] + day;
      if (mayBeUnsorted) {
        if (isThere[at] === 1) return false;
        isThere[at] = 1;
      } else {
        const series = location * members + member;
        if (day <= latest[series]) return false;
        latest[series] = day;
      }
      for (let m = 0; m < width; m++) into[at + m * stride[location]] = values[row * width + m];
      return true;
    };
    const { unsorted } = runs;
    if (unsorted !== undefined && to - from === locations.count) {
      const { locations: locationOf, members: memberOf, days, values } = unsorted;
      for (let row = 0; row < unsorted.count; row++) {
        if (!put(locationOf[row], memberOf[row], days[row], values, row)) return false;
      }
      return true;
    }
    let count = 0;
    for (const run of runs.between(from, to)) {
      const { starts, series: seriesOf, dayBits, firstDay: runDay, values } = run;
      const dayMask = 2 ** dayBits - 1;
      count += seriesOf.length;
      for (let i = 0; i < starts.length - 1; i++) {
        const location = run.firstLocation - from + i;
        const [firstDay, lastDay] = [locations.firstDayOf(from + location), locations.lastDayOf(from + location)];
        for (let row = starts[i]; row < starts[i + 1]; row++) {
          const day = runDay + (seriesOf[row] & dayMask);
          const member = seriesOf[row] >>> dayBits;
          if (!(day >= firstDay && day <= lastDay && member < members)) throw changedRows();
          if (!put(location, member, day, values, row)) return false;
        }
      }
    }
    let expected = 0;
    for (let location = from; location < to; location++) expected += locations.rowsOf(location);
    if (count !== expected) throw changedRows();
    return true;
  }

  placeOf(location: number, member: number, day: number): DataPlace {
    const series = this.#columns === undefined ? member : 0;
    let found: number | undefined;
    for (const run of this.#ended.between(location, location + 1)) {
      eachRow(run, (each) => {
        if (each.member === series && each.day === day) found = each.row;
      });
    }
    if (found === undefined) throw changedRows();
    return {
      source: this.#index?.source,
      row: found + 1,
      column: this.#columns?.[member] ?? this.#index?.valueNames[0],
    };
  }

  get #ended(): RowRuns {
    if (this.#runs === undefined) throw changedRows();
    return this.#runs;
  }

  #begin({ index, type, head, members }: EnsembleRows): RowRuns {
    const isLong = head.values.form === 'long';
    const { length: width } = members;
    this.#type = type;
    if (!isLong || this.#mayBeUnsorted) this.#order = new RowOrder();
    if (!isLong) this.#columns = members.map(({ name }) => name);
    // Its table must not hold the memory of the rows.
    const [days, table] = [new Int32Array(0), new Table(index.table.schema)];
    this.#index = { ...index, days, table, latitude: undefined, longitude: undefined, cell: () => undefined };
    return new RowRuns(this.#bytes, { type, width, length: Math.ceil(this.#limits.runValues / width) });
  }

  /** Ends the table, and returns ranges of locations that fit into memory. */
  #ends(): LocationRange[] {
    const [index, { locations }] = [this.#index, this];
    const { count } = locations;
    if (index === undefined || count === 0) {
      throw new DataError({ source: index?.source, problem: 'no rows', allowed: 'at least one day' });
    }
    if (!this.#mayBeUnsorted && this.#order?.isRegular === false) {
      throw new RowOrderError({
        source: index.source,
        problem: 'rows are neither by location nor by day',
        allowed: `all days of a location together; or each day with the same locations in the same order; or ${mentionOption('sort', true)} to sort the rows`,
      });
    }
    let days = 0;
    for (let at = 0; at < count; at++) {
      assertNotScattered(index, locations.firstDayOf(at), locations.lastDayOf(at), locations.rowsOf(at));
      days += locations.lastDayOf(at) - locations.firstDayOf(at) + 1;
    }
    assertNotSparse(index, (days * this.members.length) / this.width, this.#rows);
    return this.#ranges();
  }

  #ranges(): LocationRange[] {
    const { locations } = this;
    const { pivotBytes } = this.#limits;
    const bytesPerDay = valueBytes(this.#type) * this.members.length;
    const ranges: LocationRange[] = [];
    let [from, bytes] = [0, 0];
    for (let location = 0; location < locations.count; location++) {
      const days = locations.lastDayOf(location) - locations.firstDayOf(location) + 1;
      if (days * bytesPerDay > Math.max(MAX_LOCATION_BYTES, pivotBytes))
        throw this.#tooLong(location, days, bytesPerDay);
      if (location > from && bytes + days * bytesPerDay > pivotBytes) {
        ranges.push({ from, to: location });
        [from, bytes] = [location, 0];
      }
      bytes += days * bytesPerDay;
    }
    return [...ranges, { from, to: locations.count }];
  }

  /** The error for the first row in the file for which `pivot` gives undefined at the locations of some ranges. */
  #firstFault(ranges: readonly LocationRange[]): Error {
    const faults = ranges.flatMap((range) => this.#faultIn(range) ?? []);
    if (faults.length === 0) return changedRows();
    return new WrongDayError(
      faults.reduce((a, b) => (a.row < b.row ? a : b)),
      this.#index?.source,
    );
  }

  #faultIn(range: LocationRange): DayFault | undefined {
    const { members } = this;
    const mayBeUnsorted = this.#mayBeUnsorted;
    const { stride, dayZero, length } = layoutOf(this, range);
    const latest = new Int32Array((range.to - range.from) * members.length).fill(BEFORE_ALL_DAYS);
    /** For each series its latest row, or where days are in any order, for each value its row. */
    const rowOf = new Float64Array(mayBeUnsorted ? length : latest.length).fill(-1);
    let found: DayFault | undefined;
    for (const run of this.#ended.between(range.from, range.to)) {
      eachRow(run, ({ location, member, day, row }) => {
        const cell = location - range.from;
        const series = cell * members.length + member;
        const at = mayBeUnsorted ? dayZero[cell] + member * stride[cell] + day : series;
        const isRight = mayBeUnsorted ? rowOf[at] < 0 : day > latest[series];
        if (isRight) {
          latest[series] = day;
          rowOf[at] = row;
        } else if (found === undefined || row < found.row) {
          found = { member: this.#columns === undefined ? members[member] : undefined, before: rowOf[at], row };
        }
      });
    }
    return found;
  }

  #tooLong(location: number, days: number, bytesPerDay: number): DataError {
    const { locations } = this;
    return new DataError({
      source: this.#index?.source,
      problem: `location ${locations.latitudeOf(location)}, ${locations.longitudeOf(location)} has too many values`,
      received: `${days} days of ${this.members.length} members, ${days * bytesPerDay} bytes`,
      allowed: `at most ${MAX_LOCATION_BYTES} bytes`,
    });
  }
}

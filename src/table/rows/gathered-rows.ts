import { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../../core/number-arrays.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { nearestPlace } from '../../ensemble/nearest-cell.js';
import { DataError, type DataPlace, mentionOption } from '../../errors.js';
import type { AddedRows, BuildOptions, GivenParts } from './added-rows.js';
import {
  assertDense,
  type Layout,
  type LocationRange,
  layoutOf,
  MemberNumbers,
  type NumberedRows,
  pivot,
} from './pivot.js';
import { type DayFault, type RowIndex, RowOrderError, WrongDayError } from './row-index.js';
import { RowLocations } from './row-locations.js';
import type { EnsembleRows, SeriesReading } from './row-reader.js';
import { changedRows, eachRow, RowRuns, type RunBytes } from './row-runs.js';

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
 * Gathers rows by location. With `sort`, they may be in any order; without it, those of a long table too, but for the
 * days of each series, and rows that have all members by location or by day. Locations, and the members of a long
 * table, are in the order of their first row. Besides the rows of a run and the values of some locations, about 80
 * bytes are kept of each location; the rows are in `bytes`.
 */
export class GatheredRows implements NumberedRows, AddedRows {
  readonly isOrderAssumed = false;
  readonly reading: SeriesReading = { mayLackRows: true };
  readonly locations = new RowLocations();
  readonly #options: BuildOptions;
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
  /** The ranges of locations that are not given yet. */
  #unread: readonly LocationRange[] = [];
  /** The order of rows, where it matters or is a notice. */
  #order?: RowOrder;
  #values: FloatArray = new Float32Array(0);
  #pivoted: FloatArray = new Float32Array(0);

  constructor(options: BuildOptions, bytes: RunBytes, limits: GatherLimits) {
    this.#options = options;
    this.#mayBeUnsorted = options.sort === true;
    this.#bytes = bytes;
    this.#limits = limits;
  }

  get members(): readonly string[] {
    return this.#columns ?? this.#memberNumbers.names;
  }

  get type(): FloatType {
    return this.#type;
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
   * requested; at a point, of its place only, if they are many. Throws RowOrderError for rows in an order that they may
   * not have; DataError if there are no rows, if days are scattered, and if a location has too many; WrongDayError for
   * the first row in the file whose day is not after the one before of its series, or with `sort`, if its series has
   * that day already; FileError if rows cannot be read back.
   */
  *end(): Generator<GivenParts> {
    const ranges = this.#ends();
    const { point, source } = this.#options;
    for (const [i, range] of ranges.entries()) {
      this.#unread = ranges.slice(i);
      const parts = pivot(this, range);
      // Rows of places far from the point have to be right, too.
      if (point === undefined || ranges.length === 1) yield { parts, isAll: ranges.length === 1 };
    }
    this.#unread = [];
    if (point === undefined || ranges.length === 1) return;
    const numbers = this.locations.placesOf(0, this.locations.count);
    const from = nearestPlace(this.#index?.places?.placed(numbers) ?? numbers, point, source);
    yield { parts: pivot(this, { from, to: from + 1 }), isAll: true, isAtPoint: true };
  }

  memory(length: number): FloatArray {
    if (this.#pivoted.length < length) this.#pivoted = floatArray(this.#type, length);
    return this.#pivoted.subarray(0, length).fill(Number.NaN);
  }

  scatter(range: LocationRange, { stride, dayZero }: Layout, into: FloatArray): void {
    const { from, to } = range;
    const { locations } = this;
    const { length: members } = this.members;
    const runs = this.#ended;
    const { width } = runs;
    const mayBeUnsorted = this.#mayBeUnsorted;
    const latest = new Int32Array(mayBeUnsorted ? 0 : (to - from) * members).fill(BEFORE_ALL_DAYS);
    const isThere = new Uint8Array(mayBeUnsorted ? into.length : 0);
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
          const at = dayZero[location] + member * stride[location] + day;
          if (mayBeUnsorted) {
            if (isThere[at] === 1) throw this.#firstFault();
            isThere[at] = 1;
          } else {
            const series = location * members + member;
            if (day <= latest[series]) throw this.#firstFault();
            latest[series] = day;
          }
          for (let m = 0; m < width; m++) into[at + m * stride[location]] = values[row * width + m];
        }
      }
    }
    let expected = 0;
    for (let location = from; location < to; location++) expected += locations.rowsOf(location);
    if (count !== expected) throw changedRows();
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
    this.#runs?.end();
    const [index, { locations }] = [this.#index, this];
    const { count } = locations;
    if (index === undefined || count === 0) {
      throw new DataError({ source: this.#options.source, problem: 'no rows', allowed: 'at least one day' });
    }
    if (!this.#mayBeUnsorted && this.#order?.isRegular === false) {
      throw new RowOrderError({
        source: index.source,
        problem: 'rows are neither by location nor by day',
        allowed: `all days of a location together; or each day with the same locations in the same order; or ${mentionOption('sort', true)} to sort the rows`,
      });
    }
    assertDense(index, locations, this.members.length / (this.#columns?.length ?? 1), this.#rows);
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

  /** The error for the first row in the file that is wrong at the locations that are not given yet. */
  #firstFault(): Error {
    const faults = this.#unread.flatMap((range) => this.#faultIn(range) ?? []);
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

/** Finds out in which order rows come, by the numbers of their locations in the order of their first rows. */
class RowOrder {
  #rows = 0;
  #isSorted = true;
  #isByLocation = true;
  #isByDay = true;
  #startsByDay = false;
  /** The number of rows of the first day. */
  #rowsOfDay = 0;
  #location = 0;
  #member = 0;
  #day = 0;

  add(location: number, member: number, day: number): void {
    const row = this.#rows++;
    const before = row === 0 ? -1 : this.#location;
    const isSameDay = row === 0 || day === this.#day;
    if (row === 1) this.#startsByDay = isSameDay && location !== before;
    if (location < before) {
      this.#isByLocation = false;
      this.#isSorted = false;
    } else if (location === before) {
      if (member < this.#member || (member === this.#member && day <= this.#day)) this.#isSorted = false;
    }
    if (isSameDay && this.#rowsOfDay === 0) {
      if (location !== row) this.#isByDay = false;
    } else {
      if (this.#rowsOfDay === 0) this.#rowsOfDay = row;
      const place = row % this.#rowsOfDay;
      if (location !== place || (place === 0 ? day <= this.#day : day !== this.#day)) this.#isByDay = false;
    }
    this.#location = location;
    this.#member = member;
    this.#day = day;
  }

  /** Whether rows are in the order of their locations, members and days. */
  get isSorted(): boolean {
    return this.#isSorted;
  }

  /**
   * Whether rows that have all members go by day, each with the locations of the first day in the same order, where the
   * first two do, else by location; the days of a location may be out of order.
   */
  get isRegular(): boolean {
    if (!this.#startsByDay) return this.#isByLocation;
    return this.#isByDay && (this.#rowsOfDay === 0 || this.#rows % this.#rowsOfDay === 0);
  }
}

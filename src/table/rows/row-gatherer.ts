import { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../../core/float-array.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Places } from '../../ensemble/nearest-place.js';
import { DataError, mentionOption } from '../../errors.js';
import { codedColumn } from '../arrow/coded-column.js';
import { columnOf } from '../arrow/table-column.js';
import type { ReadOptions } from '../columns/read-options.js';
import { GatheredLocations } from './gathered-locations.js';
import {
  type DayFault,
  firstDayFault,
  type GatheredRows,
  type LocationRange,
  pivotedValues,
  pivotLocations,
} from './gathered-pivot.js';
import { RowOrderError } from './long-location-stream.js';
import { memberFinder } from './long-table.js';
import type { EnsembleRows } from './read-ensemble.js';
import { RowHeads } from './row-heads.js';
import type { RowIndex } from './row-index.js';
import { RowOrder } from './row-order.js';
import { RowReader } from './row-reader.js';
import { changedRows, RowRuns, type RunBytes } from './row-runs.js';
import { assertNotScattered, assertNotSparse } from './wrong-day.js';

/** How much is held at a time. */
export interface GatherLimits {
  /** The values whose rows are sorted at a time: in a long table, about 40 bytes each. */
  readonly runValues: number;
  /** The bytes of values of the locations that are given together; a location with more is given alone. */
  readonly pivotBytes: number;
}

export const GATHER_LIMITS: GatherLimits = { runValues: 524_288, pivotBytes: 8_388_608 };

/** The most bytes of values of a location. */
const MAX_LOCATION_BYTES = 1_073_741_824;

/** Which rows are gathered. */
export interface GatherOptions extends ReadOptions {
  /** Whether the days of a series may be in any order. */
  readonly sort?: boolean | undefined;
}

/**
 * Gathers the rows of a table, which comes table by table, by location. With `sort`, rows may be in any order; without
 * it, those of a long table too, but for the days of each series, and those that have all members by location or by
 * day. Locations, and the members of a long table, are in the order of their first row. Besides the rows of a run and
 * the values of some locations, about 80 bytes are kept of each location; the rows are in `bytes`.
 */
export class RowGatherer {
  readonly #options: GatherOptions;
  readonly #bytes: RunBytes;
  readonly #limits: GatherLimits;
  readonly #reader: RowReader;
  readonly #locations = new GatheredLocations();
  #members: string[] = [];
  #runs?: RowRuns;
  #type: FloatType = 'float32';
  /** What is known of all rows, without any. */
  #index?: RowIndex;
  /** The column of values of a long table; others have one for each member. */
  #valueColumn?: string;
  #rows = 0;
  /** The order of rows, where it matters or is a notice. */
  #order?: RowOrder;
  #values: FloatArray = new Float32Array(0);
  #pivoted: FloatArray = new Float32Array(0);

  constructor(options: GatherOptions, bytes: RunBytes, limits: GatherLimits) {
    const heads = new RowHeads(options);
    this.#options = options;
    this.#bytes = bytes;
    this.#limits = limits;
    this.#reader = new RowReader(options, { headOf: (table) => heads.add(table) });
  }

  /**
   * Adds a table; all tables have the same schema. Throws RowOrderError where only all tables together say which rows
   * are used, else as `readEnsemble` does, and what writing throws.
   */
  add(table: Table): void {
    const read = this.#reader.read(table);
    const { index, members: columns, type } = read;
    const { length: count } = index.days;
    this.#begin(read);
    if (this.#values.length < count * columns.length) this.#values = floatArray(type, count * columns.length);
    for (const [m, column] of columns.entries()) column.copyTo(this.#values, m * count, 0, count);
    this.#append(read, this.#seriesOf(read));
    this.#rows += count;
  }

  /** With `sort`: whether all rows were in the order of their places, members and days. */
  get isInOrder(): boolean {
    return this.#order?.isSorted ?? true;
  }

  /**
   * Ends the table, and returns ranges of locations that fit into memory. Throws RowOrderError for rows in an order that
   * they may not have, DataError if there are no rows, if days are scattered, and if a location has too many.
   */
  end(): LocationRange[] {
    this.#runs?.end();
    const { source } = this.#options;
    const locations = this.#locations;
    const { count } = locations;
    if (this.#index === undefined || count === 0) {
      throw new DataError({ source, problem: 'no rows', allowed: 'at least one day' });
    }
    if (!this.#options.sort && this.#order?.isRegular === false) {
      throw new RowOrderError({
        source,
        problem: 'rows are neither by location nor by day',
        allowed: `all days of a location together; or each day with the same locations in the same order; or ${mentionOption('sort', true)} to sort the rows`,
      });
    }
    for (let at = 0; at < count; at++) {
      assertNotScattered(this.#index, locations.firstDayOf(at), locations.lastDayOf(at), locations.rowsOf(at));
    }
    const days = pivotedValues(this.#gathered(), { from: 0, to: count }) / (this.#runs as RowRuns).width;
    assertNotSparse(this.#index, days, this.#rows);
    return this.#ranges();
  }

  /**
   * The ensemble of the locations of a range, whose values are good until the next one is requested; undefined if the
   * day of a row is not after the one before of its series, or with `sort`, if a series has it already. Throws FileError
   * if rows cannot be read back.
   */
  ensemble(range: LocationRange): Ensemble | undefined {
    const count = pivotedValues(this.#gathered(), range);
    if (this.#pivoted.length < count) this.#pivoted = floatArray(this.#type, count);
    const { source } = this.#options;
    const placeOf = (row: number, member: string) => ({ source, row: row + 1, column: this.#valueColumn ?? member });
    const parts = pivotLocations(this.#gathered(), range, this.#pivoted.subarray(0, count), placeOf);
    return parts && this.#reader.ensemble(parts, (this.#index as RowIndex).table);
  }

  /**
   * The first row in the file for which `ensemble` gives undefined. Throws FileError if there is none at the locations
   * of these ranges.
   */
  firstFault(ranges: readonly LocationRange[]): DayFault {
    const faults = ranges.flatMap((range) => firstDayFault(this.#gathered(), range) ?? []);
    if (faults.length === 0) throw changedRows();
    return faults.reduce((a, b) => (a.row < b.row ? a : b));
  }

  /** The places of all locations. */
  places(): Places {
    return this.#locations.placesOf(0, this.#locations.count);
  }

  #begin({ index, type, head, members }: EnsembleRows): void {
    if (this.#runs !== undefined) return;
    const isLong = head.values.form === 'long';
    const { length: width } = members;
    this.#type = type;
    this.#runs = new RowRuns(this.#bytes, { type, width, length: Math.ceil(this.#limits.runValues / width) });
    if (!isLong || this.#options.sort) this.#order = new RowOrder();
    if (isLong) this.#valueColumn = head.values.names[0];
    else this.#members = members.map(({ name }) => name);
    // Its table must not hold the memory of the rows.
    const [days, table] = [new Int32Array(0), new Table(index.table.schema)];
    this.#index = { ...index, days, table, latitude: undefined, longitude: undefined, cell: () => undefined };
  }

  /** Gives the number of the member of a row of a long table; 0 where rows have all members. */
  #seriesOf({ head, index }: EnsembleRows): (row: number) => number {
    if (head.values.form !== 'long') return () => 0;
    const memberColumn = index.roles.member as string;
    const member = codedColumn(columnOf(index.table, memberColumn));
    const find = memberFinder({ ...index, member, memberColumn }, this.#members);
    const { codes } = member;
    const memberOf: number[] = [];
    return (row) => (memberOf[codes[row]] ??= find(row));
  }

  #append({ index, head: { use } }: EnsembleRows, seriesOf: (row: number) => number): void {
    const { days, latitude, longitude, rowsBefore } = index;
    const [runs, locations, values] = [this.#runs as RowRuns, this.#locations, this.#values];
    const { length: count } = days;
    const { width } = runs;
    const order = this.#order;
    for (let row = 0; row < count; row++) {
      if (use !== undefined && !use(row)) continue;
      const day = days[row];
      const location =
        latitude === undefined || longitude === undefined
          ? locations.addUnplaced(day)
          : locations.add(latitude[row], longitude[row], day);
      const member = seriesOf(row);
      order?.add(location, member, day);
      const at = runs.add(location, member, day, rowsBefore + row);
      for (let m = 0; m < width; m++) runs.values[at + m] = values[m * count + row];
    }
  }

  #gathered(): GatheredRows {
    const areDaysInAnyOrder = this.#options.sort === true;
    return { runs: this.#runs as RowRuns, locations: this.#locations, members: this.#members, areDaysInAnyOrder };
  }

  #ranges(): LocationRange[] {
    const { count } = this.#locations;
    const bytesPerValue = valueBytes(this.#type);
    const ranges: LocationRange[] = [];
    let [from, bytes] = [0, 0];
    for (let location = 0; location < count; location++) {
      const own = pivotedValues(this.#gathered(), { from: location, to: location + 1 }) * bytesPerValue;
      if (own > MAX_LOCATION_BYTES) throw this.#tooLong(location, own);
      if (location > from && bytes + own > this.#limits.pivotBytes) {
        ranges.push({ from, to: location });
        [from, bytes] = [location, 0];
      }
      bytes += own;
    }
    ranges.push({ from, to: count });
    return ranges;
  }

  #tooLong(location: number, bytes: number): DataError {
    const locations = this.#locations;
    const days = locations.lastDayOf(location) - locations.firstDayOf(location) + 1;
    return new DataError({
      source: this.#options.source,
      problem: `location ${locations.latitudeOf(location)}, ${locations.longitudeOf(location)} has too many values`,
      received: `${days} days of ${this.#members.length} members, ${bytes} bytes`,
      allowed: `at most ${MAX_LOCATION_BYTES} bytes`,
    });
  }
}

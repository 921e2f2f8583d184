import { Table } from 'apache-arrow';
import { type FloatArray, type FloatType, floatArray, valueBytes } from '../core/float-array.js';
import type { Ensemble } from '../ensemble/ensemble.js';
import type { Places } from '../ensemble/nearest-place.js';
import { DataError } from '../errors.js';
import { codedColumn } from './coded-column.js';
import { GatheredLocations } from './gathered-locations.js';
import {
  type DayFault,
  firstDayFault,
  type GatheredRows,
  type LocationRange,
  pivotedValues,
  pivotLocations,
} from './gathered-pivot.js';
import { memberFinder } from './long-table.js';
import type { EnsembleRows } from './read-ensemble.js';
import type { ReadOptions } from './read-options.js';
import { RowHeads } from './row-heads.js';
import type { RowIndex } from './row-index.js';
import { RowReader } from './row-reader.js';
import { changedRows, RowRuns, type RunBytes } from './row-runs.js';
import { columnOf } from './table-column.js';
import { assertNotScattered, assertNotSparse } from './wrong-day.js';

/** How much is held at a time. */
export interface GatherLimits {
  /** The rows that are sorted at a time: they take about 40 bytes each. */
  readonly runRows: number;
  /** The bytes of values of the locations that are given together; a location with more is given alone. */
  readonly pivotBytes: number;
}

export const GATHER_LIMITS: GatherLimits = { runRows: 524_288, pivotBytes: 33_554_432 };

/** The most bytes of values of a location. */
const MAX_LOCATION_BYTES = 1_073_741_824;

/**
 * Gathers the rows of a long table, which comes table by table with its rows in any order but the days of each series
 * ascending, by location. Members and locations are in the order of their first row. Besides the rows of a run and the
 * values of some locations, about 120 bytes are kept of each location; the rows are in `bytes`.
 */
export class LongRowGatherer {
  readonly #options: ReadOptions;
  readonly #bytes: RunBytes;
  readonly #limits: GatherLimits;
  readonly #reader: RowReader;
  readonly #locations = new GatheredLocations();
  readonly #members: string[] = [];
  #runs?: RowRuns;
  #type: FloatType = 'float32';
  /** What is known of all rows, without any. */
  #index?: RowIndex;
  #valueColumn = '';
  #rows = 0;
  #values: FloatArray = new Float32Array(0);
  #pivoted: FloatArray = new Float32Array(0);

  constructor(options: ReadOptions, bytes: RunBytes, limits: GatherLimits) {
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
    const { index, head, members: columns, type } = read;
    const count = index.days.length;
    this.#begin(read);
    if (this.#values.length < count) this.#values = floatArray(type, count);
    columns[0].copyTo(this.#values, 0, 0, count);
    const memberColumn = index.roles.member as string;
    const member = codedColumn(columnOf(table, memberColumn));
    const find = memberFinder({ ...index, member, memberColumn }, this.#members);
    this.#append(index, member.codes, find, head.use);
    this.#rows += count;
  }

  /**
   * Ends the table, and returns ranges of locations that fit into memory. Throws DataError if there are no rows, if
   * days are scattered, and if a location has too many.
   */
  end(): LocationRange[] {
    this.#runs?.end();
    const { source } = this.#options;
    const { count, first, last, rows } = this.#locations;
    if (this.#index === undefined || count === 0) {
      throw new DataError({ source, problem: 'no rows', allowed: 'at least one day' });
    }
    for (let at = 0; at < count; at++) assertNotScattered(this.#index, first[at], last[at], rows[at]);
    assertNotSparse(this.#index, pivotedValues(this.#gathered(), { from: 0, to: count }), this.#rows);
    return this.#ranges();
  }

  /**
   * The ensemble of the locations of a range, whose values are good until the next one is requested; undefined if the
   * day of a row is not after the one before of its member. Throws FileError if rows cannot be read back.
   */
  ensemble(range: LocationRange): Ensemble | undefined {
    const count = pivotedValues(this.#gathered(), range);
    if (this.#pivoted.length < count) this.#pivoted = floatArray(this.#type, count);
    const [source, column] = [this.#options.source, this.#valueColumn];
    const placeOf = (row: number) => ({ source, row: row + 1, column });
    const parts = pivotLocations(this.#gathered(), range, this.#pivoted.subarray(0, count), placeOf);
    return parts && this.#reader.ensemble(parts, (this.#index as RowIndex).table);
  }

  /**
   * The first row in the file whose day is not after that of the row before of its location and member. Throws
   * FileError if there is none at the locations of these ranges.
   */
  firstFault(ranges: readonly LocationRange[]): DayFault {
    const faults = ranges.flatMap((range) => firstDayFault(this.#gathered(), range) ?? []);
    if (faults.length === 0) throw changedRows();
    return faults.reduce((a, b) => (a.row < b.row ? a : b));
  }

  /** The places of all locations. */
  places(): Places {
    const { latitude, longitude, count } = this.#locations;
    return { latitude: latitude.subarray(0, count), longitude: longitude.subarray(0, count) };
  }

  #begin({ index, type, head }: EnsembleRows): void {
    if (this.#runs !== undefined) return;
    this.#type = type;
    this.#runs = new RowRuns(this.#bytes, type, this.#limits.runRows);
    this.#valueColumn = head.values.names[0];
    // Its table must not hold the memory of the rows.
    const [days, table] = [new Int32Array(0), new Table(index.table.schema)];
    this.#index = { ...index, days, table, latitude: undefined, longitude: undefined, cell: () => undefined };
  }

  #append(
    { days, latitude, longitude, rowsBefore }: RowIndex,
    codes: Int32Array,
    find: (row: number) => number,
    use: ((row: number) => boolean) | undefined,
  ): void {
    const [runs, locations, values] = [this.#runs as RowRuns, this.#locations, this.#values];
    const memberOf: number[] = [];
    for (let row = 0; row < days.length; row++) {
      if (use !== undefined && !use(row)) continue;
      const day = days[row];
      const location =
        latitude === undefined || longitude === undefined
          ? locations.addUnplaced(day)
          : locations.add(latitude[row], longitude[row], day);
      const member = (memberOf[codes[row]] ??= find(row));
      runs.add(location, member, day, values[row], rowsBefore + row);
    }
  }

  #gathered(): GatheredRows {
    return { runs: this.#runs as RowRuns, locations: this.#locations, members: this.#members };
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
    const { latitude, longitude, first, last } = this.#locations;
    return new DataError({
      source: this.#options.source,
      problem: `location ${latitude[location]}, ${longitude[location]} has too many values`,
      received: `${last[location] - first[location] + 1} days of ${this.#members.length} members, ${bytes} bytes`,
      allowed: `at most ${MAX_LOCATION_BYTES} bytes`,
    });
  }
}

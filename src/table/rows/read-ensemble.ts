import type { Table } from 'apache-arrow';
import { floatArray } from '../../core/number-arrays.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { nearestCell } from '../../ensemble/nearest-cell.js';
import type { Point } from '../../ensemble/nearest-place.js';
import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import { ownTable } from '../arrow/own-table.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { withCoordinates } from '../columns/coordinates.js';
import type { ReadOptions } from '../columns/read-options.js';
import { assertDense, type Locations, numberMembers, pivot } from './pivot.js';
import { createParts, rowBlocks } from './row-blocks.js';
import { type RowIndex, rowNumber, wrongDay } from './row-index.js';
import { type EnsembleRows, readHead, readRows } from './row-reader.js';

/**
 * Reads daily values of one variable from an Arrow table in any of four forms: wide (a column per member), long (a row
 * per member and day), a list of members in each row, or a single series, which is an ensemble of one. One place or
 * many; nulls and NaN are missing. Throws DataError for what is wrong in the table, and OptionError for options that do
 * not fit it.
 */
export function readEnsemble(given: Table, options: ReadOptions = {}): Ensemble {
  const table = ownTable(given, options.source);
  const head = readHead(table, options);
  const { variable, units, metadata, notes } = head;
  const rows = readRows(table, head, options.source);
  const { index, members, type } = rows;
  const isLong = head.values.form === 'long';
  const parts = isLong ? longTableParts(rows) : createParts(index, rowBlocks(index), members, type);
  return { variable, units, metadata, notes, parts: withCoordinates(parts, table.schema.metadata, index.places) };
}

const BEFORE_ALL_DAYS = -1e9;

/**
 * Turns a long table into parts of an ensemble; rows may be in any order but for the days of each series, which ascend.
 * Members and locations are in the order of their first row. Throws a DataError for the first row whose day is not
 * after the one before of its series, for a row without a member, if no row is used, and if days are scattered.
 */
function longTableParts(rows: EnsembleRows): EnsemblePart[] {
  const { index, head, members: columns, type } = rows;
  const { days, source } = index;
  const member = codedColumn(columnOf(index.table, index.roles.member as string));
  const members: string[] = [];
  const locations = locationsOf(index, head.use);
  const { count, locationOf } = locations;
  numberMembers(rows, member, members);
  const memberOf = member.codes;
  if (count === 0) throw new DataError({ source, problem: 'no rows', allowed: 'at least one day' });
  assertDense(index, locations, members.length, days.length);
  const values = floatArray(type, days.length);
  columns[0].copyTo(values, 0, 0, days.length);
  const isOf = (row: number, location: number, member: number) =>
    locationOf[row] === location && memberOf[row] === member;
  return pivot(
    {
      ...{ locations, members, type },
      memory: (length) => floatArray(type, length).fill(Number.NaN),
      scatter(_, { stride, dayZero }, into) {
        /** The last day so far of each member at each location. */
        const latest = new Int32Array(count * members.length).fill(BEFORE_ALL_DAYS);
        for (let row = 0; row < days.length; row++) {
          const location = locationOf[row];
          if (location < 0) continue;
          const member = memberOf[row];
          const day = days[row];
          const series = location * members.length + member;
          if (day <= latest[series]) {
            let before = row - 1;
            while (!isOf(before, location, member)) before--;
            throw wrongDay(index, row, before, members[member]);
          }
          latest[series] = day;
          into[dayZero[location] + member * stride[location] + day] = values[row];
        }
      },
      placeOf: (location, member, day) => ({
        source,
        row: rowNumber(
          index,
          days.findIndex((each, row) => each === day && isOf(row, location, member)),
        ),
        column: columns[0].name,
      }),
    },
    { from: 0, to: count },
  );
}

/**
 * The locations of a table, in the order of their first rows, and the one of each row; -1 for rows that are not used.
 */
function locationsOf(
  { days, latitude, longitude }: RowIndex,
  use: (row: number) => boolean = () => true,
): Locations & { readonly locationOf: Int32Array } {
  const locationOf = new Int32Array(days.length).fill(-1);
  const found: { readonly row: number; first: number; last: number; rows: number }[] = [];
  const places = new PlaceRows();
  let [north, east] = [Number.NaN, Number.NaN];
  let location = 0;
  for (let row = 0; row < days.length; row++) {
    if (!use(row)) continue;
    const day = days[row];
    const [latitudeOfRow, longitudeOfRow] = [latitude?.[row] ?? 0, longitude?.[row] ?? 0];
    if (latitudeOfRow !== north || longitudeOfRow !== east) {
      [north, east] = [latitudeOfRow, longitudeOfRow];
      location = places.add(north, east, found.length) ?? found.push({ row, first: day, last: day, rows: 0 }) - 1;
    }
    locationOf[row] = location;
    const span = found[location];
    span.rows++;
    if (day < span.first) span.first = day;
    if (day > span.last) span.last = day;
  }
  const degrees = (of: Float64Array | undefined, from: number, to: number) =>
    Float64Array.from(found.slice(from, to), ({ row }) => of?.[row] ?? Number.NaN);
  return {
    locationOf,
    count: found.length,
    firstDayOf: (location) => found[location].first,
    lastDayOf: (location) => found[location].last,
    rowsOf: (location) => found[location].rows,
    placesOf: (from, to) => ({ latitude: degrees(latitude, from, to), longitude: degrees(longitude, from, to) }),
  };
}

/** By this, functions find that a table is open. A page may have two copies of the package. */
export const OPENED: unique symbol = /* @__PURE__ */ Symbol.for('plumecast.open') as never;

/** What was read from a table once. */
export interface Opened {
  /**
   * The ensemble, or the cell of it that is nearest to a point. Throws OptionError for how to read it, since it is read;
   * and what `nearestCell` throws.
   *
   * @internal
   */
  [OPENED](options: RowOptions): Ensemble;
}

/** How to read the rows of a table, and at which point. */
export interface RowOptions extends ReadOptions {
  readonly point?: Point;
}

/** The ensemble of a table, or of one that is open, at the requested point if there is one. Throws as `readEnsemble` does. */
export function ensembleOf(data: Table | Opened, options: RowOptions): Ensemble {
  return isOpened(data) ? data[OPENED](options) : requestedEnsemble(data, options);
}

/** The ensemble of a table, at the requested point if there is one. Throws as `readEnsemble` does. */
export function requestedEnsemble(table: Table, options: RowOptions): Ensemble {
  const ensemble = readEnsemble(table, options);
  return options.point === undefined ? ensemble : nearestCell(ensemble, options.point, options.source);
}

/** Whether this is a table that is open. */
export function isOpened(data: Table | Opened | undefined): data is Opened {
  return OPENED in Object(data);
}

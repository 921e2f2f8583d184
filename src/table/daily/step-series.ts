import { PlaceRows } from '../../ensemble/place-rows.js';
import { DataError } from '../../errors.js';
import { codedColumn } from '../arrow/stored-values.js';
import { columnOf } from '../arrow/table-schema.js';
import { labelColumns } from '../columns/column-roles.js';
import { describePlace, type RowIndex, rowNumber } from '../rows/row-index.js';
import type { EnsembleRows } from '../rows/row-reader.js';

/** The time steps of one place, or if the table is long, of one member at one place. */
export interface StepSeries {
  readonly place: number;
  readonly member: number;
  /** In the order of their times. */
  readonly rows: Int32Array;
}

/** The series of a table: places and members in the order of their first rows. */
export interface SeriesOfTable {
  /** The first row of each place. */
  readonly places: readonly number[];
  /** The number of members; 1 if each row has all members. */
  readonly members: number;
  readonly series: readonly StepSeries[];
}

/**
 * Sorts the rows that are used by place, member and time; `times` are in seconds. Throws a DataError for a row of a
 * long table without a member, for a time that comes twice, and if no row is used.
 */
export function stepSeries(
  { head, index }: EnsembleRows,
  times: Float64Array,
  twice: (row: number, before: number) => DataError = (row, before) => timeTwice(index, row, before),
): SeriesOfTable {
  const { use = () => true } = head;
  const { placeOf, places } = placesOfRows(index, use);
  const { memberOf, members } =
    head.values.form === 'long' ? membersOfRows(index, use) : { memberOf: new Int32Array(times.length), members: 1 };
  if (places.length === 0) {
    throw new DataError({ source: index.source, problem: 'no rows', allowed: 'at least one day' });
  }
  const counts = new Int32Array(places.length * members + 1);
  const seriesOf = placeOf.map((place, row) => (place < 0 ? -1 : place * members + memberOf[row]));
  for (const id of seriesOf) if (id >= 0) counts[id + 1]++;
  for (let id = 0; id + 1 < counts.length; id++) counts[id + 1] += counts[id];
  const next = counts.slice();
  const sorted = new Int32Array(counts[counts.length - 1]);
  seriesOf.forEach((id, row) => {
    if (id >= 0) sorted[next[id]++] = row;
  });
  const series: StepSeries[] = [];
  for (let id = 0; id + 1 < counts.length; id++) {
    const rows = inOrder(sorted.subarray(counts[id], counts[id + 1]), times, twice);
    if (rows.length > 0) series.push({ place: Math.floor(id / members), member: id % members, rows });
  }
  return { places, members, series };
}

/** The rows that are used, sorted by place, member and time. Throws `twice` for a time that comes twice. */
export function rowsBySeries(
  rows: EnsembleRows,
  times: Float64Array,
  twice: (row: number, before: number) => DataError,
): Int32Array {
  const { series } = stepSeries(rows, times, twice);
  const order = new Int32Array(series.reduce((sum, one) => sum + one.rows.length, 0));
  let at = 0;
  for (const one of series) {
    order.set(one.rows, at);
    at += one.rows.length;
  }
  return order;
}

function placesOfRows(index: RowIndex, use: (row: number) => boolean): { placeOf: Int32Array; places: number[] } {
  const { latitude, longitude, days } = index;
  const placeOf = new Int32Array(days.length).fill(-1);
  const known = new PlaceRows();
  const places: number[] = [];
  for (let row = 0; row < days.length; row++) {
    if (!use(row)) continue;
    const place = known.add(latitude?.[row] ?? 0, longitude?.[row] ?? 0, places.length);
    placeOf[row] = place ?? places.push(row) - 1;
  }
  return { placeOf, places };
}

function membersOfRows(index: RowIndex, use: (row: number) => boolean): { memberOf: Int32Array; members: number } {
  const column = index.roles.member as string;
  const { codes, values } = codedColumn(columnOf(index.table, column));
  const memberOfCode = new Int32Array(values.length).fill(-1);
  let members = 0;
  const memberOf = codes.map((code, row) => {
    if (!use(row)) return -1;
    if (code < 0) throw missingMember(index, row, column);
    if (memberOfCode[code] < 0) memberOfCode[code] = members++;
    return memberOfCode[code];
  });
  return { memberOf, members };
}

/** Sorts the rows of one series by time, in place. */
function inOrder(
  rows: Int32Array,
  times: Float64Array,
  timeTwice: (row: number, before: number) => DataError,
): Int32Array {
  const isInOrder = rows.every((row, i) => i === 0 || times[row] > times[rows[i - 1]]);
  if (isInOrder) return rows;
  rows.sort((a, b) => times[a] - times[b] || a - b);
  const twice = rows.findIndex((row, i) => i > 0 && times[row] === times[rows[i - 1]]);
  if (twice > 0) throw timeTwice(rows[twice], rows[twice - 1]);
  return rows;
}

function missingMember(index: RowIndex, row: number, column: string): DataError {
  return new DataError({
    source: index.source,
    row: rowNumber(index, row),
    column,
    problem: 'missing member',
    received: null,
    allowed: 'a number or name',
  });
}

function timeTwice(index: RowIndex, row: number, before: number): DataError {
  const { source, dateColumn, table, roles } = index;
  const differing = labelColumns(table, roles).filter((name) => index.cell(name, row) !== index.cell(name, before));
  const where = index.latitude === undefined ? '' : ` at ${describePlace(index, row)}`;
  return new DataError({
    source,
    row: rowNumber(index, row),
    column: dateColumn,
    problem: `time given twice${where}, first in row ${rowNumber(index, before)}${differing.length > 0 ? `, in rows that differ in ${differing.join(', ')}` : ''}`,
    received: String(index.cell(dateColumn, row)),
    allowed: 'each time once for a place and member; keep the rows of one of them',
  });
}

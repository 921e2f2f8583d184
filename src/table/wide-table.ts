import type { Table } from 'apache-arrow';
import type { FloatArray } from '../core/float-array.js';
import { statedCalendar } from './table-calendar.js';
import { dates, numbers, tableOf } from './write-table.js';

/** The columns of a canonical wide table, all of one length. */
export interface WideColumns {
  latitude: Float64Array;
  longitude: Float64Array;
  /** Days since 1970-01-01, of the calendar that the metadata state. */
  date: Int32Array;
  members: readonly FloatArray[];
}

/**
 * Wraps columns, without copying, as an Arrow table in the canonical wide form with one record batch. Member columns
 * are named `member_00` and so on, zero-padded to the largest index; NaN is null.
 */
export function wideTable(
  { latitude, longitude, date, members }: WideColumns,
  metadata: ReadonlyMap<string, string>,
): Table {
  return tableOf(
    [
      numbers('latitude', latitude),
      numbers('longitude', longitude),
      dates('date', date, statedCalendar(metadata)),
      ...members.map((values, index) => numbers(memberName(index, members.length), values)),
    ],
    metadata,
  );
}

/** The name of a member's column in output: `member_00`, padded to the largest index of `count` members. */
export function memberName(index: number, count: number): string {
  return `member_${String(index).padStart(Math.max(2, String(count - 1).length), '0')}`;
}

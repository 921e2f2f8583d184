import type { Table } from 'apache-arrow';
import type { FloatArray } from '../../core/number-arrays.js';
import type { Places } from '../../ensemble/nearest-place.js';
import type { PlaceLabels } from '../../ensemble/place-labels.js';
import { createTable, dates, numbers, columnsOfLabels } from './create-table.js';
import { statedCalendar } from '../columns/day-column.js';

/** The columns of a canonical wide table, all of the same length. */
export interface WideColumns {
  latitude: Float64Array;
  longitude: Float64Array;
  /** The labels of each row, where places have some. */
  labels?: PlaceLabels | undefined;
  /** Days since 1970-01-01, of the calendar that the metadata state. */
  date: Int32Array;
  members: readonly FloatArray[];
}

/**
 * Makes an Arrow table in the canonical wide form, with one record batch; columns are not copied. Member columns are
 * named
 * `member_00` and so on, zero-padded to the largest index; NaN becomes null.
 */
export function wideTable(
  { latitude, longitude, labels, date, members }: WideColumns,
  metadata: ReadonlyMap<string, string>,
): Table {
  return createTable(
    [
      numbers('latitude', latitude),
      numbers('longitude', longitude),
      ...columnsOfLabels(labels),
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

/** The columns of place and day of a wide table. */
export interface LocationRows {
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  readonly labels: PlaceLabels | undefined;
  /** Days since 1970-01-01. */
  readonly date: Int32Array;
}

/** Makes rows location by location, with `days` days of each from `firstDay` on. */
export function locationRows(
  { latitude, longitude, labels }: Places,
  { firstDay, days }: { readonly firstDay: number; readonly days: number },
): LocationRows {
  const length = latitude.length * days;
  const rows = {
    latitude: new Float64Array(length),
    longitude: new Float64Array(length),
    labels: labels && { ...labels, of: new Int32Array(length) },
    date: new Int32Array(length),
  };
  for (let cell = 0, row = 0; cell < latitude.length; cell++) {
    for (let day = 0; day < days; day++, row++) {
      rows.latitude[row] = latitude[cell];
      rows.longitude[row] = longitude[cell];
      if (labels) (rows.labels as PlaceLabels).of[row] = labels.of[cell];
      rows.date[row] = firstDay + day;
    }
  }
  return rows;
}

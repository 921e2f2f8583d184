import { DataError } from '../../errors.js';
import { isTooSparse } from '../../period/day.js';

/** The daily values of one member at one place. */
export interface MemberDays {
  readonly place: number;
  readonly member: number;
  readonly firstDay: number;
  readonly values: Float64Array;
}

/** Rows of days, place by place, with a column of values for each member. */
interface WideDays {
  readonly place: Int32Array;
  /** Days since 1970-01-01. */
  readonly date: Int32Array;
  readonly members: readonly Float64Array[];
}

/**
 * Arranges series of days, in the order of their places, as columns: each place has the days from its first to its last
 * one, with NaN for the missing days of a member. Throws a DataError if nearly all values would be missing.
 */
export function wideDays(series: readonly MemberDays[], members: number, source?: string): WideDays {
  const spans = spansOf(series);
  const length = spans.reduce((sum, { first, end }) => sum + end - first, 0);
  const present = series.reduce((sum, { values }) => sum + values.length, 0);
  if (isTooSparse(length * members, present)) {
    throw new DataError({
      ...{ source, problem: 'days are scattered' },
      received: `${length * members} days for ${present} values`,
      allowed: 'members and places of about the same days; some of these times may be mistaken',
    });
  }
  const columns = Array.from({ length: members }, () => new Float64Array(length).fill(Number.NaN));
  const place = new Int32Array(length);
  const date = new Int32Array(length);
  let row = 0;
  for (const { first, end, series: own } of spans) {
    for (const { member, firstDay, values } of own) columns[member].set(values, row + firstDay - first);
    place.fill(own[0].place, row, row + end - first);
    for (let day = first; day < end; day++) date[row++] = day;
  }
  return { place, date, members: columns };
}

/** The days of a place, from `first` to `end` (exclusive). */
interface PlaceSpan {
  first: number;
  end: number;
  readonly series: MemberDays[];
}

function spansOf(series: readonly MemberDays[]): PlaceSpan[] {
  const spans: PlaceSpan[] = [];
  for (const days of series) {
    const { place, firstDay, values } = days;
    let span = spans.at(-1);
    if (span?.series[0].place !== place) spans.push((span = { first: firstDay, end: firstDay, series: [] }));
    span.first = Math.min(span.first, firstDay);
    span.end = Math.max(span.end, firstDay + values.length);
    span.series.push(days);
  }
  return spans;
}

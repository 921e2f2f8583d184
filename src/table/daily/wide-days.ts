import { DataError } from '../../errors.js';
import { isTooSparse } from '../../period/scattered-days.js';

/** The daily values of one member at one place. */
export interface MemberDays {
  readonly place: number;
  readonly member: number;
  readonly firstDay: number;
  readonly values: Float64Array;
}

/** Rows of days, place by place; columns of values by member. */
export interface WideDays {
  readonly place: Int32Array;
  /** Days since 1970-01-01. */
  readonly date: Int32Array;
  readonly members: readonly Float64Array[];
}

/**
 * Puts series of days, which are in the order of their places, beside each other: each place has the days from its first to its last one;
 * NaN where a member lacks one. Throws a DataError where that makes far too many values of those that there are.
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
  for (const { first, end, of } of spans) {
    for (const { member, firstDay, values } of of) columns[member].set(values, row + firstDay - first);
    place.fill(of[0].place, row, row + end - first);
    for (let day = first; day < end; day++) date[row++] = day;
  }
  return { place, date, members: columns };
}

/** The days of a place, up to, not including, `end`. */
interface PlaceSpan {
  first: number;
  end: number;
  readonly of: MemberDays[];
}

function spansOf(series: readonly MemberDays[]): PlaceSpan[] {
  const spans: PlaceSpan[] = [];
  for (const days of series) {
    const { place, firstDay, values } = days;
    let span = spans.at(-1);
    if (span?.of[0].place !== place) spans.push((span = { first: firstDay, end: firstDay, of: [] }));
    span.first = Math.min(span.first, firstDay);
    span.end = Math.max(span.end, firstDay + values.length);
    span.of.push(days);
  }
  return spans;
}

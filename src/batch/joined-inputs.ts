import type { Float64, Table, Vector } from 'apache-arrow';
import { DataError } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import { dayColumn, statedCalendar } from '../table/columns/day-column.js';

/** Checks that inputs whose results go into one file have the same number of members. */
export class JoinedMembers {
  #first: { readonly input: string; readonly members: number } | undefined;

  /** Throws DataError if the input has another number of members than the first one. */
  add(input: string, members: number): void {
    this.#first ??= { input, members };
    if (members === this.#first.members) return;
    throw new DataError({
      source: input,
      problem: `has a different number of members than ${this.#first.input}, and both go into one file`,
      received: members,
      allowed: `${this.#first.members}, or a name with {input}, for a file of each`,
    });
  }
}

/** A run of consecutive windows of a place, from its first to its last day. */
interface Span {
  readonly input: string;
  readonly first: number;
  last: number;
}

/** Checks that inputs whose results go into one file do not have the same place and window twice. */
export class JoinedPlaces {
  readonly #spans = new Map<string, Span[]>();
  /** The calendar of the last table. */
  #calendar: ModelCalendar | undefined;

  /** Throws DataError for a place and window of a table of results that another input has too. */
  add(table: Table, input: string, kind: string): void {
    const calendar = statedCalendar(table.schema.metadata);
    this.#calendar = calendar;
    const [latitude, longitude] = ['latitude', 'longitude'].map((name) => valuesOf(table, name));
    const [start, end] = ['start', 'end'].map((name) =>
      dayColumn(table.getChild(name) as Vector, name, input, calendar),
    );
    for (let row = 0; row < table.numRows; row++) {
      const place = `${kind} ${latitude[row]} ${longitude[row]}`;
      this.#addWindow(place, input, start[row], end[row]);
    }
  }

  #addWindow(place: string, input: string, start: number, end: number): void {
    const spans = this.#spans.get(place) ?? [];
    if (spans.length === 0) this.#spans.set(place, spans);
    const own = spans[spans.length - 1];
    if (own?.input === input && start === own.last + 1) {
      own.last = end;
    } else {
      spans.push({ input, first: start, last: end });
    }
    const other = spans.find((span) => span.input !== input && span.first <= end && span.last >= start);
    if (other === undefined) return;
    throw new DataError({
      source: input,
      problem: `has a place and day that ${other.input} has too, and both go into one file`,
      received: dateText(this.#calendar, Math.max(start, other.first)),
      allowed: 'inputs of different places or days, or a name with {input}, for a file of each',
    });
  }
}

function valuesOf(table: Table, name: string): ArrayLike<number> {
  const { data } = table.getChild(name) as Vector<Float64>;
  return data.length === 1 ? data[0].values : data.flatMap(({ values }) => Array.from(values));
}

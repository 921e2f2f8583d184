import type { Float64, Table, Vector } from 'apache-arrow';
import { DataError } from '../errors.js';
import { dateText, type ModelCalendar } from '../period/calendar.js';
import { dayColumn } from '../table/day-column.js';
import { statedCalendar } from '../table/table-calendar.js';

/** The windows of a place that are written, by the first day of each: a run of them is its first and last day. */
interface Span {
  readonly input: string;
  readonly first: number;
  last: number;
}

/** Keeps inputs whose results become one file from having the same place and window twice. */
export class JoinedPlaces {
  readonly #spans = new Map<string, Span[]>();
  /** Of the last table. */
  #calendar: ModelCalendar | undefined;

  /** Throws DataError where a place and window of a table of results is there already, from another input. */
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
      problem: `has a place and day that ${other.input} has, too, and both are to become one file`,
      received: dateText(this.#calendar, Math.max(start, other.first)),
      allowed: 'inputs of different places or days, or a name with {input}, which makes a file of each',
    });
  }
}

function valuesOf(table: Table, name: string): ArrayLike<number> {
  const { data } = table.getChild(name) as Vector<Float64>;
  return data.length === 1 ? data[0].values : data.flatMap(({ values }) => Array.from(values));
}

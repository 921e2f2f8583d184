import { unusable } from '../errors.js';
import { checkCalendarDay, type ModelCalendar, modelCalendar } from './calendar.js';
import type { Together } from './fill-together.js';
import type { WindowTable, WindowTableOptions } from './period.js';

/** Windows of any kind, besides days, ISO weeks and months: what `windowsOf` returns. */
export interface Windows {
  /** What they are, as `windowsOf` reads it: `seasons`, `DJF,MAM`, `years from 10`, `rolling 7`; lists as JSON. */
  readonly text: string;
  /** The keys of all windows, where these do not depend on the days: of a list, and of counted days. */
  readonly keys?: readonly string[];
  /** The days of each window, where there is one for each day on which one ends. */
  readonly rolling?: number;
  /**
   * The windows that end in a year, where they recur in every year, in order: the period of the year is their key, `DJF`
   * of `2026-DJF`. Absent for others.
   */
  ofYear?(year: number, calendar?: ModelCalendar): readonly FoundWindow[];
  /**
   * The windows of the days from `firstDay` to `lastDay`, both day numbers and inclusive, in order of time: by their
   * first day, and then by their last. Like `windowTable`, which is for days, weeks and months.
   */
  table(firstDay: number, lastDay: number, options?: WindowsOptions): WindowTable;
}

/** Options of `table` of windows. */
export interface WindowsOptions extends WindowTableOptions {
  /** The day number of the first whole day of the data, from which `days 1-7` counts. Default: `firstDay`. */
  origin?: number;
}

/** A window: its first and last day since 1970-01-01, both inclusive, and its key; of a year, the key of its period of the year. */
export type FoundWindow = readonly [start: number, end: number, key: string];

/** Some days, and what is known of them. */
export interface Span {
  readonly first: number;
  readonly last: number;
  readonly origin: number;
  readonly calendar: ModelCalendar | undefined;
}

/** Finds the windows of a span: all that have a day in it, and perhaps others. */
export type Find = (span: Span) => Iterable<FoundWindow>;

/** What else is known of windows. */
export interface Known extends Pick<Windows, 'keys' | 'rolling'> {
  /** How windows that roll are filled together. */
  readonly together?: Together;
  /** The windows that end in a year, with the periods of the year as their keys. */
  readonly ofYear?: (year: number, calendar: ModelCalendar | undefined) => Iterable<FoundWindow>;
}

/** Windows that are found for a span. */
export class FoundWindows implements Windows {
  readonly text: string;
  readonly keys?: readonly string[];
  readonly rolling?: number;
  readonly ofYear?: (year: number, calendar?: ModelCalendar) => readonly FoundWindow[];
  readonly #find: Find;
  readonly #together?: Together;

  constructor(text: string, find: Find, { keys, rolling, together, ofYear }: Known = {}) {
    this.text = text;
    this.keys = keys;
    this.rolling = rolling;
    this.#together = together;
    if (ofYear) this.ofYear = (year, calendar) => [...ofYear(year, calendar)].sort(inTime);
    this.#find = find;
  }

  table(firstDay: number, lastDay: number, options: WindowsOptions = {}): WindowTable {
    if (typeof options !== 'object' || options === null)
      throw unusable('options', options, 'an object, such as { partial: true }');
    if (typeof lastDay !== 'number') throw unusable('lastDay', lastDay, 'a day number');
    const { origin = firstDay, partial = false } = options;
    const calendar = modelCalendar(options.calendar);
    checkCalendarDay(calendar, 'firstDay', firstDay);
    checkCalendarDay(calendar, 'origin', origin);
    if (!(lastDay < firstDay)) checkCalendarDay(calendar, 'lastDay', lastDay);
    const span = { first: firstDay, last: lastDay, origin, calendar };
    const all = lastDay < firstDay ? [] : [...this.#find(span)];
    const kept = all.filter(([start, end]) =>
      partial ? start <= lastDay && end >= firstDay : start >= firstDay && end <= lastDay,
    );
    const table = tableOf(String(this), kept.sort(inTime), span);
    return this.rolling === undefined ? table : { ...table, rolling: this.rolling, ...this.#together };
  }

  toJSON(): string {
    return this.text;
  }

  /** The text, or `list`: what messages and metadata say. */
  toString(): string {
    return this.text.startsWith('[') ? 'list' : this.text;
  }
}

function inTime([start, end]: FoundWindow, [otherStart, otherEnd]: FoundWindow): number {
  return start - otherStart || end - otherEnd;
}

function tableOf(granularity: string, found: readonly FoundWindow[], { first, last, calendar }: Span): WindowTable {
  const count = found.length;
  const ofWindows = (pick: (window: FoundWindow) => number) => Int32Array.from(found, pick);
  const table = {
    start: ofWindows(([start]) => start),
    end: ofWindows(([, end]) => end),
    first: ofWindows(([start]) => Math.max(start, first) - first),
    days: ofWindows(([start, end]) => Math.min(end, last) - Math.max(start, first) + 1),
    complete: Uint8Array.from(found, ([start, end]) => (start >= first && end <= last ? 1 : 0)),
    keys: found.map(([, , key]) => key),
  };
  return { granularity, count, ...table, firstDay: first, lastDay: last, ...(calendar && { calendar }) };
}

import type { Table } from 'apache-arrow';
import { DataError, OptionError } from '../../errors.js';
import { CALENDARS, type ModelCalendar, modelCalendar } from '../../period/calendar.js';

/** The calendar that metadata state, if it is not the real one. Throws DataError for one that is not supported. */
export function statedCalendar(metadata: ReadonlyMap<string, string>, source?: string): ModelCalendar | undefined {
  const name = metadata.get('calendar');
  if (name === undefined || CALENDARS.includes(name.toLowerCase())) return modelCalendar(name);
  const allowed = `${CALENDARS.join(', ')}; convert dates of others first, for example with convert_calendar of xarray`;
  throw new DataError({ source, problem: 'its calendar is not supported', received: name, allowed });
}

/**
 * The calendar of a table's dates, if it is not the real one, as its metadata or the caller state it. Throws DataError
 * for one that is not supported, and OptionError if the two differ.
 */
export function tableCalendar(
  { schema: { metadata } }: Table,
  { calendar, source }: { readonly calendar?: string; readonly source?: string },
): ModelCalendar | undefined {
  const stated = statedCalendar(metadata, source);
  if (calendar === undefined) return stated;
  const given = modelCalendar(calendar);
  if (metadata.has('calendar') && given !== stated) throw otherCalendar(calendar, metadata.get('calendar'), source);
  return given;
}

/** The error for a given calendar that is not the one that the data state. */
export function otherCalendar(given: string, stated: string | undefined, source: string | undefined): OptionError {
  return new OptionError({
    subject: source === undefined ? 'calendar' : `${source}, calendar`,
    problem: 'the data state another one',
    received: given,
    allowed: `${stated}, or to leave it out`,
  });
}

/** A note on dates of a model calendar, for people; none for the real calendar. */
export function calendarNotes(calendar: ModelCalendar | undefined): string[] {
  return calendar === undefined ? [] : [`dates of calendar ${calendar}: days and months are its own`];
}

/**
 * Throws DataError if dates are of a model calendar; `purpose` says what needs real dates, as in `blending needs real
 * dates`.
 */
export function assertRealDates(metadata: ReadonlyMap<string, string>, purpose: string, source?: string): void {
  const calendar = statedCalendar(metadata, source);
  if (calendar === undefined) return;
  throw new DataError({
    source,
    problem: `dates are not of the real calendar, and ${purpose} needs real dates`,
    received: `calendar ${calendar}`,
    allowed:
      'standard, gregorian or proleptic_gregorian; convert the dates first, for example with convert_calendar of xarray',
  });
}

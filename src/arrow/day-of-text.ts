import { type ModelCalendar, parseDateOf } from '../period/calendar.js';

/**
 * The UTC day of a text that is a date, `2024-02-29`, or a date and a time, `2024-02-29T23:00:00-02:00`; without an offset, a
 * time is UTC. The date is of the real calendar, or of the one that is given. Throws an OptionError for another form and for a date that does not exist.
 */
export function dayOfText(text: string, calendar?: ModelCalendar): number {
  const trimmed = text.trim();
  const [, date, time = ''] = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}(?::?\d{2}){0,2}.*))?$/.exec(trimmed) ?? [];
  if (date === undefined) return parseDateOf(calendar, trimmed);
  const day = parseDateOf(calendar, date);
  const offset = /([+-])(\d{2})(?::?(\d{2}))?$/.exec(time);
  if (offset === null) return day;
  const [, hours, minutes = '0'] = /^(\d{2}):?(\d{2})?/.exec(time) as RegExpExecArray;
  const shift = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
  const utc = Number(hours) * 60 + Number(minutes) + (offset[1] === '-' ? shift : -shift);
  return day + Math.floor(utc / 1440);
}

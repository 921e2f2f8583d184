import type { OptionError } from '../../errors.js';
import { type ModelCalendar, parseCalendarDate } from '../../period/calendar.js';
import { DAY_MILLISECONDS, dayNumber } from '../../period/day.js';

/** The forms of dates that are read, for messages. */
export const DATE_FORMS = '2026-03-02, 2026-03-02T06:00Z, 20260302, Arrow dates or timestamps';

const MINUTE = 60_000;

/** Date, time and zone; without separators, each part must have two digits. */
const DATE =
  /^(\d{4})(?:([-/.])(\d\d?)\2(\d\d?)|(\d\d)(\d\d))(?:(?:T| +)(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?(?: ?(Z|UTC|GMT|([+-])(\d\d)(?::?(\d\d))?))?)?$/i;

/** A text that is a date. */
export interface ParsedDate {
  readonly time: number;
  readonly separator: string;
  /** Whether it states a zone, as times of UTC do, too. */
  readonly isZoned: boolean;
}

/** What is wrong with a text that is not a date. */
export interface WrongText {
  readonly problem: string;
  readonly allowed: string;
}

/** Reads a date, or a date and a time, of the real calendar or of `calendar`. A time without an offset is UTC. */
export function parseDateText(text: string, calendar?: ModelCalendar): ParsedDate | WrongText {
  const found = DATE.exec(text);
  if (found === null) return { problem: 'is not a date in a known form', allowed: DATE_FORMS };
  const [, year, separator = '', m, d, mm, dd, hour = '0', minute = '0', second = '0', fraction = '', zone] = found;
  const [sign, hoursAhead = '0', minutesAhead = '0'] = found.slice(12);
  try {
    const [month, date] = [m ?? mm, d ?? dd];
    const day =
      calendar === undefined
        ? dayNumber(Number(year), Number(month), Number(date))
        : parseCalendarDate(calendar, `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`);
    if ([hour, hoursAhead].some((h) => Number(h) > 23) || [minute, second, minutesAhead].some((m) => Number(m) > 59)) {
      return { problem: 'is not a time of day', allowed: 'hours from 00 to 23, minutes and seconds to 59' };
    }
    const ahead = (Number(hoursAhead) * 60 + Number(minutesAhead)) * (sign === '-' ? -1 : 1);
    const minutes = Number(hour) * 60 + Number(minute) - ahead;
    const milliseconds = Number(second) * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
    return { time: day * DAY_MILLISECONDS + minutes * MINUTE + milliseconds, separator, isZoned: zone !== undefined };
  } catch (error) {
    const { problem, allowed = DATE_FORMS } = error as OptionError;
    return { problem, allowed };
  }
}

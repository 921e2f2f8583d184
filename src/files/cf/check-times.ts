import { DataError } from '../../errors.js';
import { calendarSpan } from '../../period/calendar.js';
import { daysFromCivil } from '../../period/civil.js';
import { modelPart, type TimeCalendar } from './time-units.js';

const DAY = 86_400;
/** From here on the calendars `standard` and `gregorian` are the Gregorian one, whose dates are the real ones. */
const GREGORIAN_SECOND = daysFromCivil(1582, 10, 15) * DAY;

/** What messages say of times. */
export interface NamedTimes {
  readonly source: string;
  /** The coordinate that they are from. */
  readonly column: string;
  /** What each is: `time`, `bound`. */
  readonly noun: string;
  readonly calendar: TimeCalendar;
  /** A value as the file has it, with its units. */
  readonly stored: (index: number) => string;
}

/**
 * Checks times in seconds since 1970-01-01 UTC before anything is computed by them. Throws DataError that names the first that is missing, or
 * is not of the years 1 to 9999, or is of the Julian part of a mixed calendar: its date would not be the one that the file means.
 */
export function assertTimes(seconds: Float64Array, { source, column, noun, calendar, stored }: NamedTimes): void {
  const [firstDay, lastDay] = calendarSpan(modelPart(calendar));
  const [first, end] = [firstDay * DAY, (lastDay + 1) * DAY];
  const from = calendar === 'standard' ? GREGORIAN_SECOND : first;
  const wrong = seconds.findIndex((time) => !(time >= from && time <= end));
  if (wrong < 0) return;
  if (Number.isNaN(seconds[wrong])) {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is missing`, allowed: `a ${noun} for every step` },
    });
  }
  if (seconds[wrong] >= first && seconds[wrong] < GREGORIAN_SECOND) {
    throw new DataError({
      ...{ source, column, problem: `${noun} ${wrong + 1} is a date of the Julian calendar`, received: stored(wrong) },
      allowed:
        'times from 1582-10-15 on, where calendar standard is the real one; the calendar proleptic_gregorian, given as calendar, where the dates are of it',
    });
  }
  throw new DataError({
    ...{ source, column, problem: `${noun} ${wrong + 1} is not within the years 1 to 9999` },
    ...{ received: stored(wrong), allowed: 'times from 0001-01-01T00:00:00Z to the end of 9999-12-31' },
  });
}

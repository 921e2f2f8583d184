import { OptionError, unusable } from '../errors.js';
import {
  checkDay,
  dateParts,
  daysFromCivil,
  FIRST_DAY,
  fourDigits,
  LAST_DAY,
  packedCivilFromDays,
  parseDate,
  twoDigits,
} from './day.js';

/**
 * The calendars of climate models, by their CF names, in which all years have the same days: 365, 366, or twelve months
 * of 30.
 *
 * Their days are counted like real ones, from 1970-01-01, which is 0, but within their own calendar: day numbers of two
 * calendars cannot be compared. They have no weekdays, and so no weeks.
 */
export type ModelCalendar = 'noleap' | 'all_leap' | '360_day';

/** The names of the supported calendars, and the model calendar of each; undefined for the real calendar. */
const MODEL_CALENDARS: Readonly<Record<string, ModelCalendar | undefined>> = {
  standard: undefined,
  gregorian: undefined,
  proleptic_gregorian: undefined,
  noleap: 'noleap',
  '365_day': 'noleap',
  all_leap: 'all_leap',
  '366_day': 'all_leap',
  '360_day': '360_day',
};

/** The names of all supported calendars. */
export const CALENDARS: readonly string[] = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ Object.keys(MODEL_CALENDARS));

/** What messages say of a calendar that is not supported. */
export const allowedCalendars = () =>
  `${CALENDARS.join(', ')}; convert dates of others first, as by convert_calendar of xarray`;

/** The model calendar of a CF name; undefined for the real calendar, which is the default. */
export function modelCalendar(name = 'standard'): ModelCalendar | undefined {
  const lower = typeof name === 'string' ? name.toLowerCase() : '';
  if (CALENDARS.includes(lower)) return MODEL_CALENDARS[lower];
  throw new OptionError({
    subject: 'calendar',
    problem: 'is not supported',
    received: name,
    allowed: allowedCalendars(),
  });
}

/** The number of days of a month of a model calendar, `month` from 1 to 12; NaN for any other month. */
export function daysInModelMonth(calendar: ModelCalendar, month: number): number {
  if (!(Number.isInteger(month) && month >= 1 && month <= 12)) return Number.NaN;
  if (calendar === '360_day') return 30;
  if (month === 2) return calendar === 'noleap' ? 28 : 29;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * The day number of a date of the years 0 to 9999, in the real calendar if `calendar` is undefined. Nothing is checked.
 */
export function daysFromDate(calendar: ModelCalendar | undefined, year: number, month: number, day: number): number {
  if (calendar === undefined) return daysFromCivil(year, month, day);
  let days = (year - 1970) * daysInModelYear(calendar) + day - 1;
  for (let m = 1; m < month; m++) days += daysInModelMonth(calendar, m);
  return days;
}

function daysInModelYear(calendar: ModelCalendar): number {
  return calendar === '360_day' ? 360 : calendar === 'noleap' ? 365 : 366;
}

/** The date of a day number, packed as by `packedCivilFromDays`, in the real calendar if `calendar` is undefined. */
export function packedDate(calendar: ModelCalendar | undefined, day: number): number {
  if (calendar === undefined) return packedCivilFromDays(day);
  const perYear = daysInModelYear(calendar);
  const years = Math.floor(day / perYear);
  let [month, rest] = [1, day - years * perYear];
  for (let days = daysInModelMonth(calendar, 1); rest >= days; days = daysInModelMonth(calendar, ++month)) rest -= days;
  return ((((1970 + years) << 4) | month) << 5) | (rest + 1);
}

/** The first and the last day number of the years 1 to 9999. */
export function calendarSpan(calendar: ModelCalendar | undefined): readonly [number, number] {
  if (calendar === undefined) return [FIRST_DAY, LAST_DAY];
  return [daysFromDate(calendar, 1, 1, 1), daysFromDate(calendar, 10_000, 1, 1) - 1];
}

/** Throws an OptionError about `subject` unless `day` is a day number of the years 1 to 9999 of a calendar. */
export function checkCalendarDay(calendar: ModelCalendar | undefined, subject: string, day: number): void {
  if (calendar === undefined) {
    checkDay(subject, day);
    return;
  }
  const [first, last] = calendarSpan(calendar);
  if (Number.isInteger(day) && day >= first && day <= last) return;
  throw unusable(subject, day, `an integer from ${first} to ${last}, days since 1970-01-01 of calendar ${calendar}`);
}

/** A day number of the years 1 to 9999 as `YYYY-MM-DD`. Nothing is checked. */
export function dateText(calendar: ModelCalendar | undefined, day: number): string {
  const packed = packedDate(calendar, day);
  return `${fourDigits(packed >> 9)}-${twoDigits((packed >> 5) & 15)}-${twoDigits(packed & 31)}`;
}

/** A day as `YYYY-MM-DD`: of a Date the day in UTC; anything else as it is, for `parseCalendarDate` to check. */
export function dayText(day: string | Date): string {
  return day instanceof Date && !Number.isNaN(day.getTime()) ? day.toISOString().slice(0, 10) : (day as string);
}

/** The day number of a date written `YYYY-MM-DD`. Throws an OptionError about `subject`, as `parseDate` does. */
export function parseCalendarDate(calendar: ModelCalendar | undefined, text: string, subject = 'date'): number {
  if (calendar === undefined) return parseDate(text, subject);
  const [year, month, day] = dateParts(text, subject);
  if (year >= 1 && day >= 1 && day <= daysInModelMonth(calendar, month)) {
    return daysFromDate(calendar, year, month, day);
  }
  const allowed = `dates that calendar ${calendar} has`;
  throw new OptionError({ subject, problem: 'does not exist', received: text, allowed });
}

/**
 * The day of a model calendar that has the same year, month and day as a real day. Throws an OptionError about
 * `subject` where there is none, such as 31 January in a calendar with 30 days a month.
 */
export function sameDateIn(calendar: ModelCalendar, realDay: number, subject = 'date'): number {
  return parseCalendarDate(calendar, dateText(undefined, realDay), subject);
}

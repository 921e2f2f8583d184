/** The calendar: days as numbers since 1970-01-01, ISO weeks, months, and the windows and period keys of a range of days. */
export { daysInMonth, isLeapYear, weekday } from './period/checked-day.js';
export {
  type CivilDate,
  civilDate,
  dayNumber,
  FIRST_DAY,
  formatDate,
  LAST_DAY,
  parseDate,
} from './period/day.js';
export {
  type CalendarMonth,
  formatMonth,
  formatWeek,
  GRANULARITIES,
  type Granularity,
  type IsoWeek,
  isoWeek,
  monthEnd,
  monthStart,
  type Period,
  parseMonth,
  parsePeriod,
  parseWeek,
  periodKey,
  type WindowTable,
  type WindowTableOptions,
  weekStart,
  weeksInYear,
  windowTable,
} from './period/period.js';
export { type NamedWindow, type Windows, type WindowsOptions, windowsOf } from './period/windows.js';

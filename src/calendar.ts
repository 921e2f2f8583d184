/** The calendar: days as numbers since 1970-01-01, ISO weeks, months, and the windows and period keys of a range of days. */
export {
  type CivilDate,
  civilDate,
  dayNumber,
  daysInMonth,
  FIRST_DAY,
  formatDate,
  isLeapYear,
  LAST_DAY,
  parseDate,
  weekday,
} from './period/day.js';
export { formatWeek, type IsoWeek, isoWeek, parseWeek, weekStart, weeksInYear } from './period/iso-week.js';
export { type CalendarMonth, formatMonth, monthEnd, monthStart, parseMonth } from './period/month.js';
export { type Period, parsePeriod, periodKey } from './period/period-key.js';
export {
  GRANULARITIES,
  type Granularity,
  type WindowTable,
  type WindowTableOptions,
  windowTable,
} from './period/window-table.js';

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
} from './day.js';
export { formatWeek, type IsoWeek, isoWeek, parseWeek, weekStart, weeksInYear } from './iso-week.js';
export { type CalendarMonth, formatMonth, monthEnd, monthStart, parseMonth } from './month.js';
export { type Period, parsePeriod, periodKey } from './period-key.js';
export {
  GRANULARITIES,
  type Granularity,
  type WindowTable,
  type WindowTableOptions,
  windowTable,
} from './window-table.js';

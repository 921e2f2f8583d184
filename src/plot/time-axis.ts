import type { LocalDays } from '../ensemble/local-days.js';
import { daysFromDate, type ModelCalendar, packedDate } from '../period/calendar.js';
import { DAY_SECONDS, twoDigits, weekday } from '../period/day.js';
import { isoWeek } from '../period/period.js';
import { STEPS } from '../period/stated-days.js';
import { FONT, textWidth } from './text-size.js';

/** Some days with a label: from the beginning of day number `from` up to that of `to`. */
export interface LabelledSpan {
  readonly from: number;
  readonly to: number;
  readonly label: string;
}

/** The labels of an axis of days: ticks, and below them the months or years that they are in. */
export interface TimeAxis {
  readonly ticks: readonly LabelledSpan[];
  /** Whether labels of ticks are in the middle of their span, or at its beginning. */
  readonly areCentred: boolean;
  readonly groups: readonly LabelledSpan[];
}

/** What an axis of days shows. */
export interface AxisDays {
  /** The first and the last day number, inclusive. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** The calendar of the days, where it is not the real one. */
  readonly calendar?: ModelCalendar;
  /** The days of a zone, by whose clocks hours are; default UTC. */
  readonly days?: LocalDays | undefined;
  /** The length of the axis in pixels. */
  readonly length: number;
  /** The granularity of the data: ticks are not closer. */
  readonly granularity?: string;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
/** Pixels between the labels of neighbouring ticks; those of weeks differ in their last digits only. */
const [GAP, WEEK_GAP] = [7, 5];
const YEAR_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/** Chooses the ticks of an axis of days: the closest ones whose labels do not touch. */
export function timeAxis(axis: AxisDays): TimeAxis {
  const perDay = axis.length / (axis.lastDay - axis.firstDay + 1);
  const fits = (label: string, days: number, gap = GAP) => textWidth(label, FONT.small) + gap <= days * perDay;
  const hours = axis.granularity === STEPS && HOUR_STEPS.find((step) => fits('00', step / 24));
  if (hours)
    return {
      ticks: hourTicks(axis, hours),
      areCentred: false,
      groups: days(axis, 1, axis.calendar === undefined, fits('Wed 30 Mar', 1)),
    };
  if (axis.granularity === 'weekly' && fits('W10', 7, WEEK_GAP)) {
    return {
      ticks: weeks(axis, ({ week }) => `W${twoDigits(week)}`),
      areCentred: true,
      groups: years(axis, 1, isoYear),
    };
  }
  const isMonthly = /^(monthly|seasons|years.*|[JFMASOND,]{2,})$/.test(axis.granularity ?? '');
  if (axis.calendar === undefined && fits('Wed 30', 1) && !isMonthly)
    return { ticks: days(axis, 1, true), areCentred: true, groups: months(axis, 1, perDay) };
  if (fits('30', 1) && !isMonthly) return { ticks: days(axis, 1), areCentred: true, groups: months(axis, 1, perDay) };
  if (axis.calendar === undefined && fits('30', 7) && !isMonthly) {
    const ticks = weeks(axis, ({ start }) => String(packedDate(undefined, start) & 31));
    return { ticks, areCentred: false, groups: months(axis, 1, perDay) };
  }
  if (fits('30', 10) && !isMonthly)
    return { ticks: days(axis, 10), areCentred: false, groups: months(axis, 1, perDay) };
  for (const step of [1, 3, 6]) {
    if (fits('May', 28 * step)) return { ticks: months(axis, step), areCentred: step === 1, groups: years(axis, 1) };
  }
  const step = YEAR_STEPS.find((years) => fits('2000', 365 * years)) ?? YEAR_STEPS[YEAR_STEPS.length - 1];
  return { ticks: years(axis, step), areCentred: step === 1, groups: [] };
}

/** Hours between ticks within days. */
const HOUR_STEPS = [1, 3, 6, 12];

/** Every `step` hours by the clocks of the zone. Hours that clocks skip have no tick. */
function hourTicks({ firstDay, lastDay, days }: AxisDays, step: number): LabelledSpan[] {
  const ticks: LabelledSpan[] = [];
  const begin = days?.dayStart ?? 0;
  for (let day = firstDay; day <= lastDay; day++) {
    for (let hour = step * Math.ceil(begin / 3600 / step); hour * 3600 < begin + DAY_SECONDS; hour += step) {
      const wall = day * DAY_SECONDS + hour * 3600;
      const time = days ? days.zone.timeOf(wall) : wall;
      if (days && time + days.zone.offset(time) !== wall) continue;
      const from = days?.position(time) ?? time / DAY_SECONDS;
      ticks.push({ from, to: from + step / 24, label: twoDigits(hour % 24) });
    }
  }
  return ticks;
}

/** The name of the month of a day. */
function monthOf(calendar: ModelCalendar | undefined, day: number): string {
  return MONTHS[((packedDate(calendar, day) >> 5) & 15) - 1];
}

/** Each day, with its weekday and month where there is space, or the first of each `step` days of a month. */
function days(
  { firstDay, lastDay, calendar }: AxisDays,
  step: number,
  hasWeekdays = false,
  hasMonths = false,
): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  for (let day = firstDay; day <= lastDay; day++) {
    const ofMonth = packedDate(calendar, day) & 31;
    // A tick on the 31st would touch that of the 1st.
    if ((ofMonth - 1) % step === 0 && (step === 1 || ofMonth < 30))
      spans.push({
        ...{ from: day, to: day + step },
        label: `${hasWeekdays ? `${WEEKDAYS[weekday(day) - 1]} ` : ''}${ofMonth}${hasMonths ? ` ${monthOf(calendar, day)}` : ''}`,
      });
  }
  return spans;
}

interface AxisWeek {
  readonly start: number;
  readonly week: number;
}

function weeks({ firstDay, lastDay }: AxisDays, label: (week: AxisWeek) => string): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  // Day 0 was a Thursday.
  for (let start = Math.floor((firstDay + 3) / 7) * 7 - 3; start <= lastDay; start += 7) {
    spans.push({ from: start, to: start + 7, label: label({ start, week: isoWeek(Math.max(start, firstDay)).week }) });
  }
  return spans;
}

/** Each `step` months of a year, with the year where they are groups of days. */
function months({ firstDay, lastDay, calendar }: AxisDays, step: number, perDay?: number): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  const first = packedDate(calendar, firstDay);
  const startOf = (month: number) => daysFromDate(calendar, Math.floor(month / 12), (month % 12) + 1, 1);
  let month = (first >> 9) * 12 + ((first >> 5) & 15) - 1;
  month -= month % step;
  for (; startOf(month) <= lastDay; month += step) {
    const span = { from: startOf(month), to: startOf(month + step) };
    const name = MONTHS[month % 12];
    const visible = (Math.min(span.to, lastDay + 1) - Math.max(span.from, firstDay)) * (perDay ?? 0);
    const dated = `${name} ${Math.floor(month / 12)}`;
    const isDated = perDay !== undefined && textWidth(dated, FONT.small) + GAP <= visible;
    spans.push({ ...span, label: isDated ? dated : name });
  }
  return spans;
}

const civilYear = (axis: AxisDays, day: number) => packedDate(axis.calendar, day) >> 9;
const isoYear = (_: AxisDays, day: number) => isoWeek(day).year;

/** Each `step` years: calendar years, or those that ISO weeks belong to. */
function years(axis: AxisDays, step: number, yearOf = civilYear): LabelledSpan[] {
  const spans: LabelledSpan[] = [];
  const startOf = (year: number) => {
    const day = daysFromDate(axis.calendar, year, 1, 1);
    // The week of 4 January is the first of its ISO year.
    return yearOf === civilYear ? day : Math.floor((day + 6) / 7) * 7 - 3;
  };
  let year = yearOf(axis, axis.firstDay);
  year -= year % step;
  for (; startOf(year) <= axis.lastDay; year += step) {
    spans.push({ from: startOf(year), to: startOf(year + step), label: String(year) });
  }
  return spans;
}

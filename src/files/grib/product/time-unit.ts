import { DAY_SECONDS } from '../../../period/day.js';

/** Seconds of the units in code table 4.4, and table 4 of edition 1, that have a fixed length. */
const SECONDS: Readonly<Record<number, number>> = {
  0: 60,
  1: 3600,
  2: DAY_SECONDS,
  10: 10_800,
  11: 21_600,
  12: 43_200,
  13: 1,
};
/** Months of the others. */
const MONTHS: Readonly<Record<number, number>> = { 3: 1, 4: 12, 5: 120, 6: 360, 7: 1200 };

/** The beginning of the year 1 and the end of the year 9999, in seconds since 1970-01-01 UTC. */
const [FIRST, LAST] = [-62_135_596_800, 253_402_300_800];

/**
 * The time in seconds since 1970-01-01 UTC that lies `count` units of code table 4.4 after another; undefined for a
 * unit that is not in the table, and for times outside of the years 1 to 9999. Months and years are those of the
 * calendar.
 */
export function addTime(seconds: number, count: number, unit: number): number | undefined {
  const sum =
    unit in MONTHS ? addMonths(seconds, count * MONTHS[unit]) : seconds + count * (SECONDS[unit] ?? Number.NaN);
  return sum >= FIRST && sum <= LAST ? sum : undefined;
}

/** The same day of another month, or its last day where it has fewer. */
function addMonths(seconds: number, months: number): number {
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + months, 1);
  const last = new Date(date);
  last.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate())) / 1000;
}

/**
 * Seconds since 1970-01-01 UTC of a date and time; undefined where a part is not within its limits. The hour 24 and the
 * second 60 are those of the next day and minute.
 */
export function utcSeconds(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day || year < 1) return undefined;
  if (hour > 24 || minute > 59 || second > 60) return undefined;
  return date.getTime() / 1000 + hour * 3600 + minute * 60 + second;
}

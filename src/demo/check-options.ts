import { OptionError } from '../errors.js';
import { formatDate, LAST_DAY } from '../period/day.js';

/** Throws an OptionError unless `value` is an integer from `least` to `most`. */
export function checkInteger(subject: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new OptionError({
    subject,
    problem: 'is not an integer in range',
    received: value,
    allowed: `an integer from ${least} to ${most}`,
  });
}

/** The maximum number of members of an ensemble. */
export const MAX_MEMBERS = 10_000;

/** Throws an OptionError unless `members` is a number of members. */
export function checkMembers(members: number): void {
  checkInteger('members', members, 1, MAX_MEMBERS);
}

/** Throws an OptionError unless the point lies on Earth, with its longitude counted from -180 or from 0. */
export function checkPoint({ latitude, longitude }: { latitude: number; longitude: number }): void {
  checkNumber('latitude', latitude, -90, 90);
  checkNumber('longitude', longitude, -180, 360);
}

/** Throws an OptionError unless the days from `initDate` on lie in the years 1 to 9999. */
export function checkSpan(initDate: number, days: number): void {
  // Also throws where initDate is not a day number.
  const date = formatDate(initDate);
  const most = LAST_DAY - initDate + 1;
  if (Number.isInteger(days) && days >= 1 && days <= most) return;
  throw new OptionError({
    subject: 'days',
    problem: 'is not a number of days in range',
    received: days,
    allowed: `an integer from 1 to ${most}, counted from ${date}`,
  });
}

function checkNumber(subject: string, value: number, least: number, most: number): void {
  if (typeof value === 'number' && value >= least && value <= most) return;
  throw new OptionError({ subject, problem: 'is out of range', received: value, allowed: `${least} to ${most}` });
}

import { dateText, type ModelCalendar } from '../../period/calendar.js';
import { twoDigits } from '../../period/digits.js';

const DAY = 86_400;

/** Seconds since 1970-01-01 UTC of the real or a model calendar, from year 1 on, as text: `2022-10-02T00:00:00Z`. */
export function utcText(seconds: number, calendar?: ModelCalendar): string {
  const day = Math.floor(seconds / DAY);
  const second = Math.floor(seconds - day * DAY);
  const time = [second / 3600, (second / 60) % 60, second % 60].map((part) => twoDigits(Math.floor(part)));
  return `${dateText(calendar, day)}T${time.join(':')}Z`;
}

import { packedCivilFromDays } from '../period/civil.js';
import { fourDigits, twoDigits } from '../period/digits.js';

const DAY = 86_400;

/** Seconds since 1970-01-01 UTC, from year 1 on, as text: `2022-10-02T00:00:00Z`. */
export function utcText(seconds: number): string {
  const day = Math.floor(seconds / DAY);
  const packed = packedCivilFromDays(day);
  const second = Math.floor(seconds - day * DAY);
  const date = `${fourDigits(packed >> 9)}-${twoDigits((packed >> 5) & 15)}-${twoDigits(packed & 31)}`;
  const time = [second / 3600, (second / 60) % 60, second % 60].map((part) => twoDigits(Math.floor(part)));
  return `${date}T${time.join(':')}Z`;
}

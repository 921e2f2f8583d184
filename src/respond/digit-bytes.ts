import { daysFromCivil, packedCivilFromDays, yearFromDays } from '../period/civil.js';
import type { Granularity } from '../period/window-table.js';

const LARGEST_INT = 0x7fffffff;
const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];
const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const CAPITAL_W = 87;

/** The bytes that `putDecimal` and `putPeriod` write at most. */
export const MOST_DIGIT_BYTES = 16;

/**
 * Writes a number rounded to `decimals` places, halves away from zero, without zeros at their end and without -0, and returns where
 * it ends. Returns -1, with nothing written, for NaN, for numbers of 2^31 and more after scaling, for more than 9 decimals, and for
 * a float64 number that only its exact value tells on which side of a half it is: `toFixed` knows all of these.
 */
export function putDecimal(bytes: Uint8Array, start: number, value: number, decimals: number): number {
  const scale = TENS[decimals];
  const scaled = Math.abs(value) * scale;
  // Written so that NaN, of a scale that is not in the table too, is refused as well.
  if (!(scaled < LARGEST_INT)) return -1;
  const units = (scaled + 0.5) | 0;
  // The product may have been rounded onto a half, never across one, as halves are float64 numbers; just below one the sum may have
  // been rounded up. Of a float32 number both are exact.
  if (units - scaled >= 0.5 && Math.fround(value) !== value) return -1;

  let at = start;
  if (value < 0 && units > 0) bytes[at++] = MINUS;
  const whole = (units / scale) | 0;
  const fraction = (units - Math.imul(whole, scale)) | 0;
  if (whole < 10) bytes[at++] = ZERO + whole;
  else at = putDigits(bytes, at, whole, digitCount(whole));
  if (fraction === 0) return at;
  bytes[at] = POINT;
  at = putDigits(bytes, at + 1, fraction, decimals);
  while (bytes[at - 1] === ZERO) at--;
  return at;
}

/** Writes the key of the period that begins with day number `start`, `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`, and returns where it ends. */
export function putPeriod(bytes: Uint8Array, at: number, granularity: Granularity, start: number): number {
  if (granularity === 'weekly') return putWeek(bytes, at, start + 3);
  const packed = packedCivilFromDays(start);
  let end = putDigits(bytes, at, packed >> 9, 4);
  bytes[end] = MINUS;
  end = putDigits(bytes, end + 1, (packed >> 5) & 15, 2);
  if (granularity === 'monthly') return end;
  bytes[end] = MINUS;
  return putDigits(bytes, end + 1, packed & 31, 2);
}

/** The ISO week that a Thursday lies in: its year is the week's. */
function putWeek(bytes: Uint8Array, at: number, thursday: number): number {
  const year = yearFromDays(thursday);
  const end = putDigits(bytes, at, year, 4);
  bytes[end] = MINUS;
  bytes[end + 1] = CAPITAL_W;
  return putDigits(bytes, end + 2, (((thursday - daysFromCivil(year, 1, 1)) / 7) | 0) + 1, 2);
}

/** Writes the last `count` digits of an integer of 32 bits. */
function putDigits(bytes: Uint8Array, start: number, value: number, count: number): number {
  let left = value | 0;
  for (let at = start + count - 1; at >= start; at--) {
    const tenth = (left / 10) | 0;
    bytes[at] = ZERO + left - Math.imul(tenth, 10);
    left = tenth;
  }
  return start + count;
}

/** The digits of an integer from 10 on. */
function digitCount(size: number): number {
  let count = 2;
  for (let limit = 100; count < 10 && size >= limit; limit *= 10) count++;
  return count;
}

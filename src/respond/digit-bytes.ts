import { daysFromCivil, packedCivilFromDays, yearFromDays } from '../period/civil.js';
import type { Granularity } from '../period/window-table.js';
import { DIGIT_TRIPLES } from './digit-triples.js';

/*
 * Digits are written three at a time, by stores of four bytes: what one writes too much, the next overwrites. What each function
 * returns is where its text ends.
 */

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const CAPITAL_W = 87;

/** The bytes that a function of this file touches at most. */
export const MAX_DIGIT_BYTES = 16;

/** Writes a number of thousandths without zeros at its end; any integer of 32 bits but the least. */
export function putThousandths(view: DataView, start: number, thousandths: number): number {
  let at = start;
  if (thousandths < 0) view.setUint8(at++, MINUS);
  const size = thousandths < 0 ? -thousandths | 0 : thousandths;
  // Divisors are constants, which engines multiply by.
  const whole = (size / 1000) | 0;
  at = whole < 1000 ? putShort(view, at, whole) : putWhole(view, at, whole);
  return putFraction(view, at, (size - Math.imul(whole, 1000)) | 0);
}

/** Writes a number of millionths without zeros at its end; any integer of 32 bits but the least. */
export function putMillionths(view: DataView, start: number, millionths: number): number {
  let at = start;
  if (millionths < 0) view.setUint8(at++, MINUS);
  const size = millionths < 0 ? -millionths | 0 : millionths;
  const thousandths = (size / 1000) | 0;
  const rest = (size - Math.imul(thousandths, 1000)) | 0;
  if (rest === 0) return putThousandths(view, at, thousandths);
  const whole = (thousandths / 1000) | 0;
  at = putWhole(view, at, whole);
  view.setUint8(at, POINT);
  const end = putTriple(view, at + 1, (thousandths - Math.imul(whole, 1000)) | 0);
  putTriple(view, end, rest);
  return end - 1 + (DIGIT_TRIPLES[rest] >>> 29);
}

/** Writes an integer from 0 on. */
function putWhole(view: DataView, at: number, value: number): number {
  if (value < 1000) return putShort(view, at, value);
  const thousands = (value / 1000) | 0;
  return putTriple(view, putWhole(view, at, thousands), value - 1000 * thousands);
}

/** Writes an integer from 0 to 999. */
function putShort(view: DataView, at: number, value: number): number {
  const triple = DIGIT_TRIPLES[value];
  const shift = (triple >>> 24) & 31;
  view.setUint32(at, triple >>> shift, true);
  return at + 3 - (shift >>> 3);
}

/** Writes a point and thousandths without zeros at their end; nothing for 0. */
function putFraction(view: DataView, at: number, value: number): number {
  const triple = DIGIT_TRIPLES[value];
  view.setUint32(at, POINT | (triple << 8), true);
  return at + (triple >>> 29);
}

/** Writes three digits. */
function putTriple(view: DataView, at: number, value: number): number {
  view.setUint32(at, DIGIT_TRIPLES[value], true);
  return at + 3;
}

/** Writes the last two digits of a number below 1,000. */
function putPair(view: DataView, at: number, value: number): number {
  view.setUint16(at, DIGIT_TRIPLES[value] >>> 8, true);
  return at + 2;
}

/** Writes a year in four digits, and a hyphen. */
function putYear(view: DataView, at: number, year: number): number {
  const thousands = (year / 1000) | 0;
  view.setUint8(at, ZERO + thousands);
  const end = putTriple(view, at + 1, (year - Math.imul(thousands, 1000)) | 0);
  view.setUint8(end, MINUS);
  return end + 1;
}

/** Writes the key of the period that begins with day number `start`, `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`, and returns where it ends. */
export function putPeriod(view: DataView, at: number, granularity: Granularity, start: number): number {
  if (granularity === 'weekly') return putWeek(view, at, start + 3);
  const packed = packedCivilFromDays(start);
  const end = putPair(view, putYear(view, at, packed >> 9), (packed >> 5) & 15);
  if (granularity === 'monthly') return end;
  view.setUint8(end, MINUS);
  return putPair(view, end + 1, packed & 31);
}

/** The ISO week that a Thursday lies in: its year is the week's. */
function putWeek(view: DataView, at: number, thursday: number): number {
  const year = yearFromDays(thursday);
  const end = putYear(view, at, year);
  view.setUint8(end, CAPITAL_W);
  return putPair(view, end + 1, (((thursday - daysFromCivil(year, 1, 1)) / 7) | 0) + 1);
}

import { daysFromCivil, packedCivilFromDays, yearFromDays } from '../../period/day.js';
import type { Granularity } from '../../period/period.js';

const MAX_LOOP_LENGTH = 40;
const MAX_INT = 0x7fffffff;

/** Gathers text as UTF-8 bytes, so that long output never exists as one string. */
export class TextBytes {
  /** The number of gathered bytes. */
  length = 0;
  /** The buffer; growing replaces it. */
  bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, for numbers. */
  view: DataView;
  readonly #encoder = new TextEncoder();

  /** `capacity` is an estimate of the bytes gathered at a time; a wrong one only costs time. */
  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.view = new DataView(this.bytes.buffer);
  }

  /** Appends one byte: a character of ASCII. */
  byte(code: number): void {
    this.reserve(1);
    this.bytes[this.length++] = code;
  }

  /** Appends bytes from `start` to `end` that are UTF-8 already. */
  copy(bytes: Uint8Array, start = 0, end = bytes.length): void {
    this.reserve(end - start);
    if (end - start > MAX_LOOP_LENGTH) {
      this.bytes.set(end - start === bytes.length ? bytes : bytes.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    for (let i = start; i < end; i++) this.bytes[this.length++] = bytes[i];
  }

  /** Appends any text. */
  text(text: string): void {
    this.reserve(text.length * 3);
    if (text.length <= MAX_LOOP_LENGTH && this.#ascii(text)) return;
    this.length += this.#encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }

  /** Appends an integer of at most 32 bits, with or without sign. */
  integer(value: number): void {
    if (Math.abs(value) > MAX_INT) {
      this.text(String(value));
      return;
    }
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putInteger(this.view, this.length, value);
  }

  /** Appends m / 10^k, m an integer from 0 to 10^9, k from 0 to 12, without zeros at the end of its decimals. */
  decimal(m: number, k: number): void {
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putDecimal(this.view, this.length, m, k);
  }

  /** Appends a day number as `YYYY-MM-DD`. */
  day(day: number): void {
    this.reserve(MAX_DIGIT_BYTES);
    this.length = putPeriod(this.view, this.length, 'daily', day);
  }

  /** Returns the gathered bytes and starts again. They are valid until something is appended. */
  take(): Uint8Array {
    const bytes = this.bytes.subarray(0, this.length);
    this.length = 0;
    return bytes;
  }

  /** Appends a text if all of it is ASCII: for short texts, this loop is faster than encodeInto. */
  #ascii(text: string): boolean {
    const start = this.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.bytes[start + i] = code;
    }
    this.length += text.length;
    return true;
  }

  /** Makes the buffer long enough for `count` more bytes. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.view = new DataView(grown.buffer);
  }
}

const ZEROS = 0x303030;

/**
 * The three digits of each number below 1,000, in ASCII: the first in the lowest byte, so that a little-endian store
 * writes them in order. Above them lie, for integers, the bits to shift them by so that no zero comes first (0, 8 or
 * 16, from bit 24 on), and, for thousandths, the bytes that they take with a point before them and without trailing
 * zeros (0, 2, 3 or 4, from bit 29 on).
 */
const DIGIT_TRIPLES: Uint32Array = /* @__PURE__ */ digitTriples();

function digitTriples(): Uint32Array {
  const triples = new Uint32Array(1000);
  for (let n = 0; n < 1000; n++) {
    const hundreds = (n / 100) | 0;
    const tens = ((n / 10) | 0) % 10;
    const ones = n % 10;
    const shift = n < 10 ? 16 : n < 100 ? 8 : 0;
    const bytes = ones > 0 ? 4 : tens > 0 ? 3 : hundreds > 0 ? 2 : 0;
    triples[n] = (ZEROS + (hundreds | (tens << 8) | (ones << 16))) | (shift << 24) | (bytes << 29);
  }
  return triples;
}

/*
 * Digits are written three at a time, by stores of four bytes: the next store overwrites the fourth. Each function
 * returns where its text ends.
 */

const ZERO = 48;
const MINUS = 45;
const POINT = 46;
const CAPITAL_W = 87;
const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];

/** A function of this file writes to at most so many bytes. */
export const MAX_DIGIT_BYTES = 16;

/** Writes a number of thousandths without trailing zeros; any 32-bit integer except the smallest. */
export function putThousandths(view: DataView, start: number, thousandths: number): number {
  let at = start;
  if (thousandths < 0) view.setUint8(at++, MINUS);
  const size = thousandths < 0 ? -thousandths | 0 : thousandths;
  // Engines replace a division by a constant with a multiplication.
  const whole = (size / 1000) | 0;
  at = whole < 1000 ? putShort(view, at, whole) : putWhole(view, at, whole);
  return putFraction(view, at, (size - Math.imul(whole, 1000)) | 0);
}

/** Writes a number of millionths without trailing zeros; any 32-bit integer except the smallest. */
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

/** Writes an integer of at most 31 bits and a sign. */
export function putInteger(view: DataView, at: number, value: number): number {
  if (value >= 0) return putWhole(view, at, value);
  view.setUint8(at, MINUS);
  return putWhole(view, at + 1, -value);
}

/** Writes m / 10^k without trailing zeros; m is an integer from 0 to 10^9, k from 0 to 12. */
export function putDecimal(view: DataView, at: number, m: number, k: number): number {
  let digits = m | 0;
  let decimals = k;
  while (decimals > 0 && digits % 10 === 0) {
    digits = (digits / 10) | 0;
    decimals--;
  }
  const scale = TENS[decimals];
  const whole = (digits / scale) | 0;
  const end = putWhole(view, at, whole);
  if (decimals === 0) return end;
  view.setUint8(end, POINT);
  return putDigits(view, end + 1, digits - whole * scale, decimals);
}

/** Writes an integer of 0 or more. */
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

/** Writes a point and thousandths without trailing zeros; nothing for 0. */
function putFraction(view: DataView, at: number, value: number): number {
  const triple = DIGIT_TRIPLES[value];
  view.setUint32(at, POINT | (triple << 8), true);
  return at + (triple >>> 29);
}

/** Writes an integer of `count` digits, with zeros before it. */
function putDigits(view: DataView, at: number, value: number, count: number): number {
  if (count > 3) {
    const thousands = (value / 1000) | 0;
    return putTriple(view, putDigits(view, at, thousands, count - 3), value - 1000 * thousands);
  }
  view.setUint32(at, DIGIT_TRIPLES[value] >>> (8 * (3 - count)), true);
  return at + count;
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

/** Writes the key of the period that begins with day number `start`, `YYYY-MM-DD`, `YYYY-Www` or `YYYY-MM`. */
export function putPeriod(view: DataView, at: number, granularity: Granularity, start: number): number {
  if (granularity === 'weekly') return putWeek(view, at, start + 3);
  const packed = packedCivilFromDays(start);
  const end = putPair(view, putYear(view, at, packed >> 9), (packed >> 5) & 15);
  if (granularity === 'monthly') return end;
  view.setUint8(end, MINUS);
  return putPair(view, end + 1, packed & 31);
}

/** Writes the key of a day of the same month as that whose key is at `other`. */
export function putDayOfMonth(view: DataView, at: number, other: number, dayOfMonth: number): number {
  // The year, the month and two hyphens are eight bytes.
  view.setFloat64(at, view.getFloat64(other));
  return putPair(view, at + 8, dayOfMonth);
}

/** Writes the ISO week of a Thursday, whose year is the week's. */
function putWeek(view: DataView, at: number, thursday: number): number {
  const year = yearFromDays(thursday);
  const end = putYear(view, at, year);
  view.setUint8(end, CAPITAL_W);
  return putPair(view, end + 1, (((thursday - daysFromCivil(year, 1, 1)) / 7) | 0) + 1);
}

import { DataError } from '../errors.js';
import { MAX_DIGIT_BYTES, putThousandths } from '../files/text/text-bytes.js';

const QUOTE = 34;
const BACKSLASH = 92;
const CLOSE_BRACE = 125;

/** UTF-8, eight bytes in a number, so that one store writes eight bytes. */
export interface EncodedText {
  /** Padded with zeros. Never NaN, whose bits an engine may change: UTF-8 has no such bytes. */
  readonly eights: Float64Array;
  /** The number of bytes without the padding. */
  readonly length: number;
}

/**
 * Encodes a text as JSON: quoted, escaped, in UTF-8. Lone surrogates are escaped, so that they survive. For names that
 * are written often: `JsonWriter.name` copies them.
 */
export function encodeText(text: string): EncodedText {
  return encodeJson(JSON.stringify(text));
}

/** Encodes text that is JSON, or a part of it, already. */
export function encodeJson(json: string): EncodedText {
  const bytes = new TextEncoder().encode(json);
  const filled = new Uint8Array(8 * Math.ceil(bytes.length / 8));
  filled.set(bytes);
  const view = new DataView(filled.buffer);
  const eights = Float64Array.from({ length: filled.length / 8 }, (_, i) => view.getFloat64(8 * i, true));
  return { eights, length: bytes.length };
}

/** Writes a text, and returns where it ends; overwrites up to seven bytes behind it. */
export function putEncoded(view: DataView, at: number, { eights, length }: EncodedText): number {
  for (let i = 0; i < eights.length; i++) view.setFloat64(at + 8 * i, eights[i], true);
  return at + length;
}

/** Whether a UTF-16 unit is an ASCII character that JSON does not escape. */
export function isPlain(code: number): boolean {
  return code >= 32 && code <= 126 && code !== QUOTE && code !== BACKSLASH;
}

/** The names of an object's fields. */
export interface FieldNames {
  readonly fields: readonly string[];
  /** Each with the punctuation around it: `{"a":`, `,"b":`. */
  readonly names: readonly EncodedText[];
  /** An object with these names and numbers as values is written to at most so many bytes. */
  readonly maxBytes: number;
}

/** Encodes the names of fields. */
export function fieldNames(fields: readonly string[]): FieldNames {
  const names = fields.map((field, k) => encodeJson(`${k === 0 ? '{' : ','}${JSON.stringify(field)}:`));
  const maxBytes = names.reduce((sum, { eights }) => sum + eights.byteLength + MAX_DIGIT_BYTES, 1);
  return { fields, names, maxBytes };
}

/** Whether two lists of texts are the same. */
export function isSame(one: readonly string[], other: readonly string[]): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/**
 * Writes an object with a field for each name, of the thousandths from `values[first]` on, and returns where it ends;
 * -1 where one is unusual. The buffer must be long enough.
 */
export function putFields(
  view: DataView,
  start: number,
  names: readonly EncodedText[],
  values: Int32Array,
  first: number,
): number {
  let at = start;
  for (let k = 0; k < names.length; k++) {
    const value = values[first + k];
    if (value === UNUSUAL) return -1;
    at = putThousandths(view, putEncoded(view, at, names[k]), value);
  }
  view.setUint8(at, CLOSE_BRACE);
  return at + 1;
}

/*
 * Numbers rounded to a few decimals, as 32-bit integers: in thousandths for up to 3 decimals, in millionths for 4 to 6.
 * Halves of the exact value are rounded away from zero.
 */

/**
 * Stands for numbers without such an integer: NaN, numbers that are too large, and those that only their exact value
 * rounds correctly.
 */
export const UNUSUAL = -0x80000000;

const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
/** Rounding up a number below this one does not overflow 32 bits. */
const MAX_ROUNDED = 2_147_000_000;

/** A number rounded to `decimals` places, in thousandths; unusual where there are more than 3. */
export function toThousandths(value: number, decimals: number): number {
  const rest = TENS[3 - decimals];
  return fixed(value, TENS[decimals], rest, MAX_ROUNDED / rest);
}

/** A number rounded to `decimals` places, in millionths; unusual where there are more than 6. */
export function toMillionths(value: number, decimals: number): number {
  const rest = TENS[6 - decimals];
  return fixed(value, TENS[decimals], rest, MAX_ROUNDED / rest);
}

/**
 * Like `toThousandths`, of the rows of some columns from `from` up to, not including, `to`: row after row in `into`,
 * which must be long enough.
 */
export function rowsToThousandths(
  columns: readonly ArrayLike<number>[],
  from: number,
  to: number,
  decimals: number,
  into: Int32Array,
): void {
  const scale = TENS[decimals];
  const rest = TENS[3 - decimals];
  const max = MAX_ROUNDED / rest;
  const { length } = columns;
  for (let k = 0; k < length; k++) {
    const column = columns[k];
    for (let row = from, at = k; row < to; row++, at += length) into[at] = fixed(column[row], scale, rest, max);
  }
}

/** `value` in units of `1 / scale`, times `rest`; `max` units and more are unusual. */
function fixed(value: number, scale: number, rest: number, max: number): number {
  const scaled = Math.abs(value) * scale;
  // Written so that NaN is unusual as well, also where `decimals` is too large for the table.
  if (!(scaled < max)) return UNUSUAL;
  const units = (scaled + 0.5) | 0;
  // The product may have been rounded onto a half, never across one, as halves are float64 numbers; just below one the
  // sum may have
  // been rounded up. Of a float32 number both are exact.
  if (units - scaled >= 0.5 && Math.fround(value) !== value) return UNUSUAL;
  const total = Math.imul(units, rest);
  return value < 0 ? -total | 0 : total;
}

/** The error of a value that JSON has no number for. */
export function infiniteValue(value: number): DataError {
  const allowed = 'finite numbers, NaN where missing';
  return new DataError({ subject: 'response', problem: 'an infinite value', received: value, allowed });
}

/** Throws DataError for an infinite value, as `JsonWriter` does. */
export function assertFinite(values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]) === Number.POSITIVE_INFINITY) throw infiniteValue(values[i]);
  }
}

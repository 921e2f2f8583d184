import { MAX_DIGIT_BYTES, putThousandths } from '../files/text/digit-bytes.js';
import { UNUSUAL } from './fixed-point.js';

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

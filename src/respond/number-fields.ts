import { MAX_DIGIT_BYTES, putThousandths } from './digit-bytes.js';
import { type EncodedText, encoded, putEncoded } from './encoded-text.js';
import { UNUSUAL } from './fixed-point.js';

/** The names of an object's fields. */
export interface FieldNames {
  /** Each with what stands before and behind it: `{"a":`, `,"b":`. */
  readonly names: readonly EncodedText[];
  /** The most bytes that an object touches with these names and numbers as values. */
  readonly buffer: number;
}

const CLOSE_BRACE = 125;

export function fieldNames(fields: readonly string[]): FieldNames {
  const names = fields.map((field, k) => encoded(`${k === 0 ? '{' : ','}${JSON.stringify(field)}:`));
  const buffer = names.reduce((sum, { eights }) => sum + eights.byteLength + MAX_DIGIT_BYTES, 1);
  return { names, buffer };
}

/**
 * Writes an object with a field for each name, of the thousandths from `values[first]` on, and returns where it ends; -1 where one is
 * unusual. There must be room.
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

import { MAX_DIGIT_BYTES, putThousandths } from '../files/csv/digit-bytes.js';
import { type EncodedText, encodeJson, putEncoded } from './encoded-text.js';
import { UNUSUAL } from './fixed-point.js';

/** The names of an object's fields. */
export interface FieldNames {
  /** Each with the punctuation around it: `{"a":`, `,"b":`. */
  readonly names: readonly EncodedText[];
  /** An object with these names and numbers as values is written to at most so many bytes. */
  readonly maxBytes: number;
}

const CLOSE_BRACE = 125;

export function fieldNames(fields: readonly string[]): FieldNames {
  const names = fields.map((field, k) => encodeJson(`${k === 0 ? '{' : ','}${JSON.stringify(field)}:`));
  const maxBytes = names.reduce((sum, { eights }) => sum + eights.byteLength + MAX_DIGIT_BYTES, 1);
  return { names, maxBytes };
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

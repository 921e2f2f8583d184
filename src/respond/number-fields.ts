import { MOST_DIGIT_BYTES, putThousandths } from './digit-bytes.js';
import { UNUSUAL } from './fixed-point.js';

/** The names of an object's fields, each with what stands before and behind it: `{"a":`, `,"b":`. */
export interface FieldNames {
  /** The bytes of each. */
  readonly lengths: Int32Array;
  /**
   * Their bytes, eight in a number, so that one store writes eight; filled up with zeros. Such numbers are never NaN, whose bits an
   * engine may change: UTF-8 does not have the bytes for it.
   */
  readonly eights: Float64Array;
  /** How many of `eights` each name has: what the longest takes. */
  readonly width: number;
  /** The most bytes that an object touches with these names and numbers as values. */
  readonly room: number;
}

const CLOSE_BRACE = 125;

export function fieldNames(names: readonly string[]): FieldNames {
  const encoder = new TextEncoder();
  const bytes = names.map((name, k) => encoder.encode(`${k === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const lengths = Int32Array.from(bytes, ({ length }) => length);
  const width = Math.ceil(Math.max(...lengths) / 8);
  const filled = new Uint8Array(8 * width * names.length);
  bytes.forEach((name, k) => {
    filled.set(name, 8 * width * k);
  });
  const view = new DataView(filled.buffer);
  const eights = Float64Array.from({ length: width * names.length }, (_, i) => view.getFloat64(8 * i, true));
  return { lengths, eights, width, room: 1 + names.length * (8 * width + MOST_DIGIT_BYTES) };
}

/**
 * Writes an object with a field for each name, of the thousandths from `values[first]` on, and returns where it ends; -1 where one is
 * unusual. There must be room.
 */
export function putFields(view: DataView, start: number, names: FieldNames, values: Int32Array, first: number): number {
  const count = names.lengths.length;
  let at = start;
  for (let k = 0; k < count; k++) {
    const value = values[first + k];
    if (value === UNUSUAL) return -1;
    at = putThousandths(view, putFieldName(view, at, names, k), value);
  }
  view.setUint8(at, CLOSE_BRACE);
  return at + 1;
}

/** Writes the name of field `k` with what stands before and behind it, and returns where it ends. */
export function putFieldName(view: DataView, at: number, { lengths, eights, width }: FieldNames, k: number): number {
  for (let i = 0; i < width; i++) view.setFloat64(at + 8 * i, eights[k * width + i], true);
  return at + lengths[k];
}

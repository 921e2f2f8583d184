import type { FloatArray } from '../core/float-array.js';
import { MOST_DIGIT_BYTES, putDecimal } from './digit-bytes.js';

/** The names of an object's fields, each with what stands before and behind it: `{"a":`, `,"b":`. */
export interface FieldNames {
  readonly bytes: readonly Uint8Array[];
  /** The most bytes that an object takes with these names and numbers as values. */
  readonly room: number;
}

const CLOSE_BRACE = 125;

export function fieldNames(names: readonly string[]): FieldNames {
  const encoder = new TextEncoder();
  const bytes = names.map((name, k) => encoder.encode(`${k === 0 ? '{' : ','}${JSON.stringify(name)}:`));
  const room = bytes.reduce((sum, { length }) => sum + length + MOST_DIGIT_BYTES, 1);
  return { bytes, room };
}

/**
 * Writes an object with a field for each column, the number that it has at `index`, and returns where it ends; -1 where
 * `putDecimal` cannot write one of them. There must be room.
 */
export function putFields(
  bytes: Uint8Array,
  start: number,
  names: readonly Uint8Array[],
  columns: readonly FloatArray[],
  index: number,
  decimals: number,
): number {
  let at = start;
  for (let k = 0; k < names.length; k++) {
    const name = names[k];
    for (let i = 0; i < name.length; i++) bytes[at + i] = name[i];
    at = putDecimal(bytes, at + name.length, columns[k][index], decimals);
    if (at < 0) return -1;
  }
  bytes[at] = CLOSE_BRACE;
  return at + 1;
}

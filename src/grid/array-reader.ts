import type { ArrayFile, Box, StoredArray } from '../formats/array-file.js';
import { elements } from '../formats/box.js';
import { decodeRow } from './decode-row.js';
import { arrayOf, fillParts, type NumberValues } from './stored-values.js';
import { isInteger, type ValueCoding, valueCoding } from './value-coding.js';

/** Reads small arrays of a file whole, each once: coordinates. */
export interface ArrayReader {
  readonly file: ArrayFile;
  /** All values, decoded; NaN where missing. */
  numbers(array: StoredArray): Promise<Float64Array>;
  texts(array: StoredArray): Promise<readonly string[]>;
}

/** A reader of coordinates that keeps what it has read. */
export function arrayReader(file: ArrayFile): ArrayReader {
  const numbers = new Map<string, Promise<Float64Array>>();
  const texts = new Map<string, Promise<readonly string[]>>();
  return {
    file,
    numbers: (array) => kept(numbers, array.name, () => allNumbers(array)),
    texts: (array) => kept(texts, array.name, () => array.readTexts()),
  };
}

function kept<T>(map: Map<string, Promise<T>>, name: string, read: () => Promise<T>): Promise<T> {
  const known = map.get(name);
  if (known !== undefined) return known;
  const reading = read();
  map.set(name, reading);
  return reading;
}

async function allNumbers(array: StoredArray): Promise<Float64Array> {
  const box = { start: array.shape.map(() => 0), count: array.shape };
  const coding = valueCoding(array);
  const stored = await readNumbers(array, box, coding);
  const values = new Float64Array(stored.length);
  decodeRow(stored, 0, 1, values, coding);
  return values;
}

/** Reads a box as numbers that `coding` decodes; those never written are NaN, for which integers become float64. */
export async function readNumbers(
  array: StoredArray,
  box: Box,
  coding: ValueCoding,
  buffer?: ArrayBuffer,
): Promise<NumberValues> {
  const into = arrayOf(array.type, elements(box.count), buffer);
  const absent = await array.read(box, into);
  const asStored =
    into instanceof BigInt64Array || into instanceof BigUint64Array ? Float64Array.from(into, Number) : into;
  const typed =
    coding.type === array.type
      ? asStored
      : (arrayOf(coding.type, into.length, into.buffer as ArrayBuffer) as NumberValues);
  if (absent.length === 0) return typed;
  const values = typed instanceof Float32Array || !isInteger(coding.type) ? typed : Float64Array.from(typed);
  fillParts(values as Float32Array | Float64Array, box, absent, Number.NaN);
  return values;
}

import type { Work } from '../../check/work.js';
import { DataError } from '../../errors.js';
import { type ArrayFile, type Box, elementBytes, type StoredArray } from '../array/array-file.js';
import { elements } from '../array/copy-box.js';
import {
  createArray,
  decodeRow,
  fillParts,
  isInteger,
  type NumberValues,
  type ValueCoding,
  valueCoding,
} from './value-coding.js';

/**
 * Coordinates of more values, and chunks of more bytes, are not read: they take more memory than a machine may have.
 */
const MAX_COORDINATE_VALUES = 2 ** 25;
const MAX_TEXTS = 2 ** 22;
const MAX_PART_BYTES = 2 ** 28;

/**
 * Reads coordinates, which are small arrays of a file, each once and completely. Throws DataError for arrays that are
 * too large.
 */
export interface ArrayReader {
  readonly file: ArrayFile;
  /** The calendar of times, where the caller states it. */
  readonly calendar: string | undefined;
  /** All values, decoded; NaN where missing. */
  numbers(array: StoredArray): Promise<Float64Array>;
  texts(array: StoredArray): Promise<readonly string[]>;
}

/** Creates a reader of coordinates that keeps what it has read; `work` pauses before it reads. */
export function arrayReader(file: ArrayFile, calendar?: string, work?: Work): ArrayReader {
  const numbers = new Map<string, Promise<Float64Array>>();
  const texts = new Map<string, Promise<readonly string[]>>();
  return {
    file,
    calendar,
    numbers: (array) => readOnce(numbers, array.name, () => allNumbers(file.source, array), work),
    texts: (array) => readOnce(texts, array.name, () => allTexts(file.source, array), work),
  };
}

async function readOnce<T extends { readonly length: number }>(
  map: Map<string, Promise<T>>,
  name: string,
  read: () => Promise<T>,
  work: Work | undefined,
): Promise<T> {
  if (work?.isDue) await work.pause();
  const known = map.get(name);
  if (known !== undefined) return known;
  const reading = read();
  map.set(name, reading);
  work?.advance((await reading).length);
  return reading;
}

async function allTexts(source: string, array: StoredArray): Promise<readonly string[]> {
  assertSize(source, array, MAX_TEXTS);
  return array.readTexts();
}

/** Throws DataError for an array that, by its stated size, is too large to be read completely. */
function assertSize(source: string, { name: column, shape, chunk = [], type }: StoredArray, most: number): void {
  const problem = 'is too large for a coordinate';
  const values = elements(shape);
  if (values > most) {
    throw new DataError({ source, column, problem, received: `${values} values`, allowed: `at most ${most}` });
  }
  const bytes = type === 'text' ? elements(chunk) : elements(chunk) * elementBytes(type);
  if (bytes <= MAX_PART_BYTES) return;
  const received = `parts of ${bytes} bytes`;
  throw new DataError({ source, column, problem, received, allowed: `at most ${MAX_PART_BYTES} bytes` });
}

async function allNumbers(source: string, array: StoredArray): Promise<Float64Array> {
  if (array.type === 'text') {
    throw new DataError({ source, column: array.name, problem: 'holds texts', allowed: 'numbers' });
  }
  assertSize(source, array, MAX_COORDINATE_VALUES);
  const box = { start: array.shape.map(() => 0), count: array.shape };
  const coding = valueCoding(array, source);
  const stored = await readNumbers(array, box, coding);
  const values = new Float64Array(stored.length);
  decodeRow(stored, 0, 1, values, coding);
  return values;
}

/** Reads a box as numbers that `coding` decodes; those never written are NaN, so integers become float64 there. */
export async function readNumbers(
  array: StoredArray,
  box: Box,
  coding: ValueCoding,
  buffer?: ArrayBuffer,
): Promise<NumberValues> {
  const into = createArray(array.type, elements(box.count), buffer);
  const absent = await array.read(box, into);
  const asStored =
    into instanceof BigInt64Array || into instanceof BigUint64Array ? Float64Array.from(into, Number) : into;
  const typed =
    coding.type === array.type
      ? asStored
      : (createArray(coding.type, into.length, into.buffer as ArrayBuffer) as NumberValues);
  if (absent.length === 0) return typed;
  const values = typed instanceof Float32Array || !isInteger(coding.type) ? typed : Float64Array.from(typed);
  fillParts(values as Float32Array | Float64Array, box, absent, Number.NaN);
  return values;
}

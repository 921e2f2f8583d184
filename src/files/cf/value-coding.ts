import { type FloatArray, NUMBER_ARRAYS, type NumberType } from '../../core/number-arrays.js';
import { DataError } from '../../errors.js';
import { type ArrayType, type ArrayValues, type Box, elementBytes, type StoredArray } from '../array/array-file.js';
import { listAttribute, numberAttributes } from './attribute-values.js';

/** How numbers of an array are stored, by the conventions of CF and the NetCDF users' guide. */
export interface ValueCoding {
  /** The type of the bytes: not the array's where its attribute `_Unsigned` says so. */
  readonly type: ArrayType;
  /** A value is the stored number times `scale`, plus `offset`. */
  readonly scale: number;
  readonly offset: number;
  /** Stored numbers that stand for missing values, besides NaN. */
  readonly fills: readonly number[];
  /** Stored numbers outside of these limits are missing. */
  readonly lowest: number;
  readonly highest: number;
}

/**
 * Default fill values: the NetCDF users' guide, "Fill values". Those of 8-bit types are left out, as they are usual
 * values.
 */
const DEFAULT_FILLS: Partial<Record<ArrayType, number>> = {
  int16: -32767,
  uint16: 65535,
  int32: -2147483647,
  uint32: 4294967295,
  float32: 9.969209968386869e36,
  float64: 9.969209968386869e36,
};

/** The least positive number of full precision: what is multiplied by less loses its digits. */
const LEAST_SCALE = 2 ** -1022;

/** The types that the attribute `_Unsigned` makes unsigned. */
const SIGNED: readonly ArrayType[] = ['int8', 'int16', 'int32'];

/**
 * Reads how the numbers of an array are stored: `scale_factor`, `add_offset`, `_FillValue`, `missing_value`,
 * `valid_min`, `valid_max`, `valid_range` and `_Unsigned`. Where no fill value is declared, the default one of NetCDF
 * stands for missing values. A valid range is in stored numbers, unless it has decimals that integers cannot have: then
 * it is in unpacked ones. `missing` are decoded values that stand for missing values, too. Throws DataError, which
 * names the array and the attribute, for attributes that are no such numbers.
 */
export function valueCoding(array: StoredArray, source: string, missing?: number | readonly number[]): ValueCoding {
  const { type } = array;
  const read = new CodingAttributes(array, source);
  const unsigned = SIGNED.includes(type) && read.isTrue('_Unsigned');
  const stored = (value: number): number => {
    if (type === 'float32') return Math.fround(value);
    return unsigned && value < 0 ? value + 2 ** (8 * elementBytes(type)) : value;
  };
  const isScale = (value: number) => Math.abs(value) >= LEAST_SCALE;
  const scale = read.factor('scale_factor', isScale, 'one finite number other than 0') ?? 1;
  const offset = read.factor('add_offset', () => true, 'one finite number') ?? 0;
  const declared = ['_FillValue', 'missing_value'].flatMap((name) => read.numbers(name));
  const byDefault = declared.length === 0 && DEFAULT_FILLS[type] !== undefined ? [DEFAULT_FILLS[type]] : [];
  const given = [missing ?? []].flat().map((value) => storedValue(value, { scale, offset }, isInteger(type)));
  const typed = given.map((value) => (type === 'float32' ? Math.fround(value) : value));
  const numbers = [...[...declared, ...byDefault].map(stored), ...typed];
  const fills = [...new Set(numbers.filter((value) => !Number.isNaN(value)))];
  const [lowest, highest] = validRange(read, isInteger(type) ? { scale, offset } : undefined).map(stored);
  return { type: unsigned ? (`u${type}` as ArrayType) : type, scale, offset, fills, lowest, highest };
}

/**
 * The stored number that decodes to a value: for integers the nearest one, if it decodes to the value except for
 * rounding.
 */
function storedValue(value: number, { scale, offset }: { scale: number; offset: number }, isWhole: boolean): number {
  if (scale === 1 && offset === 0) return value;
  const exact = (value - offset) / scale;
  const nearest = isWhole ? Math.round(exact) : exact;
  return Math.abs(nearest * scale + offset - value) <= 1e-6 * Math.max(1, Math.abs(value)) ? nearest : Number.NaN;
}

/** The attributes of an array that say how its numbers are stored. */
class CodingAttributes {
  readonly #array: StoredArray;
  readonly #source: string;

  constructor(array: StoredArray, source: string) {
    this.#array = array;
    this.#source = source;
  }

  /** The numbers of an attribute; none where it is absent. */
  numbers(name: string, allowed = 'numbers'): number[] {
    const { attributes } = this.#array;
    const values = numberAttributes(attributes, name, allowed);
    const stated = listAttribute(attributes, name, allowed);
    const texts = stated.filter((item) => item !== '');
    const isText = values.some((value, i) => Number.isNaN(value) && !isNotANumber(texts[i]));
    if (isText || (attributes.has(name) && stated.length === 0)) throw this.#fault(name, allowed);
    return values;
  }

  /** Whether an attribute is the text `true`. */
  isTrue(name: string): boolean {
    const allowed = 'true or false';
    const stated = listAttribute(this.#array.attributes, name, allowed).join();
    if (this.#array.attributes.has(name) && !/^\s*(true|false)\s*$/i.test(stated)) throw this.#fault(name, allowed);
    return /true/i.test(stated);
  }

  /** The only number of an attribute. */
  single(name: string, isAllowed: (value: number) => boolean, allowed: string): number | undefined {
    const values = this.numbers(name, allowed);
    if (this.#array.attributes.has(name) && (values.length !== 1 || !isAllowed(values[0])))
      throw this.#fault(name, allowed);
    return values[0];
  }

  /** The only number of an attribute, which is finite and no text. */
  factor(name: string, isAllowed: (value: number) => boolean, allowed: string): number | undefined {
    const isText = listAttribute(this.#array.attributes, name, allowed).some((item) => typeof item === 'string');
    return this.single(name, (value) => !isText && Number.isFinite(value) && isAllowed(value), allowed);
  }

  /** The lowest and the highest number of an attribute. */
  range(name: string): number[] {
    const allowed = 'two numbers, the lower one first';
    const values = this.numbers(name, allowed);
    if (this.#array.attributes.has(name) && !(values.length === 2 && values[0] <= values[1]))
      throw this.#fault(name, allowed);
    return values;
  }

  #fault(name: string, allowed: string): DataError {
    const received = listAttribute(this.#array.attributes, name, allowed).join(', ');
    const problem = `the attribute ${name} cannot be used`;
    return new DataError({ source: this.#source, column: this.#array.name, problem, received, allowed });
  }
}

/** Whether a value of an attribute is NaN, as a number or as a text. */
function isNotANumber(value: string | number): boolean {
  return typeof value === 'number' || /^\s*[+-]?nan\s*$/i.test(value);
}

function validRange(read: CodingAttributes, packing: { scale: number; offset: number } | undefined): [number, number] {
  const bound = (name: string) => read.single(name, (value) => !Number.isNaN(value), 'one number');
  const [least, most] = [bound('valid_min'), bound('valid_max')];
  const [lowest = least ?? Number.NEGATIVE_INFINITY, highest = most ?? Number.POSITIVE_INFINITY] =
    read.range('valid_range');
  const isUnpacked = [lowest, highest].some((bound) => Number.isFinite(bound) && !Number.isInteger(bound));
  if (packing === undefined || !isUnpacked) return [lowest, highest];
  const bounds = [lowest, highest].map((bound) => (bound - packing.offset) / packing.scale);
  return [Math.min(...bounds), Math.max(...bounds)];
}

/** Whether values are used as they are stored, except missing ones. */
export function isPlain({ scale, offset }: ValueCoding): boolean {
  return scale === 1 && offset === 0;
}

/** Whether stored numbers are the values, and only NaN stands for a missing one. */
export function isStoredAsIs(coding: ValueCoding): boolean {
  const { fills, lowest, highest } = coding;
  const isBounded = lowest !== Number.NEGATIVE_INFINITY || highest !== Number.POSITIVE_INFINITY;
  return isPlain(coding) && fills.length === 0 && !isBounded;
}

export function isInteger(type: ArrayType): boolean {
  return type.startsWith('int') || type.startsWith('uint');
}

/** The numbers from which values are computed: 64-bit integers become float64 when they are read. */
export type NumberValues = Exclude<ArrayValues, BigInt64Array | BigUint64Array>;

/** Creates an array for `length` elements of a type, at the beginning of `buffer` where one is given. */
export function createArray(type: ArrayType, length: number, buffer?: ArrayBuffer): ArrayValues {
  const TypedArray = NUMBER_ARRAYS[type as NumberType];
  return buffer === undefined ? new TypedArray(length) : new TypedArray(buffer, 0, length);
}

/** Writes `value` where the boxes `parts` of an array overlap `values`, which hold its box `whole`. */
export function fillParts(values: Float32Array | Float64Array, whole: Box, parts: readonly Box[], value: number): void {
  for (const { start, count } of parts) fillPart(values, whole, { start, count }, value, 0, 0);
}

function fillPart(
  values: Float32Array | Float64Array,
  whole: Box,
  part: Box,
  value: number,
  dimension: number,
  row: number,
): void {
  const rank = whole.count.length;
  if (rank === 0) {
    values.fill(value, 0, 1);
    return;
  }
  const from = Math.max(0, part.start[dimension] - whole.start[dimension]);
  const end = part.start[dimension] + part.count[dimension] - whole.start[dimension];
  const to = Math.min(whole.count[dimension], end);
  const base = row * whole.count[dimension];
  if (dimension === rank - 1) {
    if (to > from) values.fill(value, base + from, base + to);
    return;
  }
  for (let i = from; i < to; i++) fillPart(values, whole, part, value, dimension + 1, base + i);
}

/** Decodes stored numbers, from `at` on and `stride` apart, to `row`: NaN where missing. */
export function decodeRow(
  stored: NumberValues,
  at: number,
  stride: number,
  row: Float64Array,
  coding: ValueCoding,
): void {
  const count = row.length;
  if (stride === 1) for (let i = 0; i < count; i++) row[i] = stored[at + i];
  else for (let i = 0; i < count; i++, at += stride) row[i] = stored[at];
  clearMissing(row, coding);
  scaleValues(row, coding.scale, coding.offset);
}

/** Multiplies values by `factor` and adds `offset`, in float64. */
export function scaleValues(values: FloatArray, factor: number, offset: number): void {
  if (factor === 1 && offset === 0) return;
  const { length } = values;
  for (let i = 0; i < length; i++) values[i] = values[i] * factor + offset;
}

/** Writes NaN over the stored numbers that stand for missing values. */
export function clearMissing(values: FloatArray, { fills, lowest, highest }: ValueCoding): void {
  for (const fill of fills) clearFill(values, fill);
  if (lowest === Number.NEGATIVE_INFINITY && highest === Number.POSITIVE_INFINITY) return;
  const { length } = values;
  for (let i = 0; i < length; i++) if (values[i] < lowest || values[i] > highest) values[i] = Number.NaN;
}

/**
 * Copies the values at some offsets from `first` on, NaN for missing ones, multiplied by a factor, plus an offset: the
 * same as `clearMissing` and `scaleValues` make of the copies.
 */
export function takeDecoded(
  values: FloatArray,
  first: number,
  offsets: Int32Array,
  into: FloatArray,
  coding: ValueCoding,
  { factor, offset }: { readonly factor: number; readonly offset: number } = { factor: 1, offset: 0 },
): void {
  const { fills, lowest, highest } = coding;
  const { length } = offsets;
  if (fills.length > 1 || lowest !== Number.NEGATIVE_INFINITY || highest !== Number.POSITIVE_INFINITY) {
    for (let i = 0; i < length; i++) into[i] = values[first + offsets[i]];
    clearMissing(into, coding);
    scaleValues(into, factor, offset);
    return;
  }
  // One loop over values that come from memory takes half the time of three.
  const [fill = Number.NaN] = fills;
  for (let i = 0; i < length; i++) {
    const value = values[first + offsets[i]];
    into[i] = value === fill ? Number.NaN : value * factor + offset;
  }
}

/** The number of values that are checked one by one after a missing one: missing values come in runs. */
const NEAR = 4096;

function clearFill(values: FloatArray, fill: number): void {
  // `indexOf` takes a third of the time of a loop.
  for (let i = values.indexOf(fill); i >= 0; i = values.indexOf(fill, i)) {
    const end = Math.min(values.length, i + NEAR);
    for (; i < end; i++) if (values[i] === fill) values[i] = Number.NaN;
  }
}

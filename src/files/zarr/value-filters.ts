import { isNumberType, NUMBER_ARRAYS, type NumberArray, type NumberType } from '../../core/number-arrays.js';
import { FormatError } from '../../errors.js';
import { swapBytes } from '../array/byte-order.js';
import type { CodecMetadata } from './array-metadata.js';
import { floatsOfHalves } from './half-floats.js';

/*
 * Filters of numcodecs that change numbers, not bytes (numcodecs.readthedocs.io): numbers as they are stored, of one type,
 * become values, of another.
 */

/** A filter as it is undone. */
export interface ValueFilter {
  /** The bytes of each number as it is stored. */
  readonly storedBytes: number;
  /** Whether a type states that the highest byte comes first. */
  readonly isBigEndian: boolean;
  /** The bytes of the values of stored numbers, each in the order that its type states. */
  decode(stored: Uint8Array): Uint8Array;
}

/** Rounds values before they are stored, and changes nothing when they are read. */
const ROUNDING = 'bitround';

/** The names of the filters that are read. */
export const VALUE_FILTERS: readonly string[] = ['fixedscaleoffset', 'delta', 'astype', 'quantize', ROUNDING];

/**
 * The filter of a codec; undefined for one that changes nothing when values are read. Throws FormatError for a
 * configuration that is wrong.
 */
export function valueFilter({ name, configuration }: CodecMetadata, subject: string): ValueFilter | undefined {
  if (name === ROUNDING) return undefined;
  const typeOf = (field: string) => numpyType(configuration[field], `${field} of ${name}`, subject);
  const [storedField, valueField] =
    name === 'astype' ? ['encode_dtype', 'decode_dtype'] : [configuration.astype ? 'astype' : 'dtype', 'dtype'];
  const stored = typeOf(storedField);
  const values = typeOf(valueField);
  if (name === 'quantize' && stored.name === values.name) return undefined;
  if (values.isHalf) {
    const problem = `${name} has values of a type that is not read`;
    throw new FormatError({ subject, problem, received: values.name, allowed: 'values of another type' });
  }
  const convert =
    name === 'fixedscaleoffset'
      ? unscaled(configuration, stored, subject)
      : name === 'delta'
        ? addUp
        : (numbers: NumberArray, into: NumberArray) => setAll(into, numbers);
  return {
    storedBytes: stored.bytes,
    isBigEndian: stored.isBigEndian || values.isBigEndian,
    decode: (bytes) => {
      const numbers = numbersOf(bytes, stored);
      const into = new NUMBER_ARRAYS[values.type](numbers.length);
      convert(numbers, into);
      const decoded = new Uint8Array(into.buffer);
      if (values.isBigEndian) swapBytes(decoded, values.bytes);
      return decoded;
    },
  };
}

/** A type of numbers of numpy, such as `<f4`. */
interface NumpyType {
  readonly name: string;
  /** The type in memory: float32 for floats of 16 bits. */
  readonly type: NumberType;
  readonly bytes: number;
  readonly isHalf: boolean;
  readonly isBigEndian: boolean;
}

const KINDS: Readonly<Record<string, string>> = { i: 'int', u: 'uint', f: 'float' };

function numpyType(dtype: unknown, field: string, subject: string): NumpyType {
  const name = String(dtype);
  const [, order, kind, size] = /^([<>|]?)([iuf])([1248])$/.exec(name) ?? [];
  const isHalf = kind === 'f' && size === '2';
  const type = isHalf ? 'float32' : `${KINDS[kind]}${8 * Number(size)}`;
  if (isNumberType(type)) return { name, type, bytes: Number(size), isHalf, isBigEndian: order === '>' };
  const allowed = 'a type of numbers of numpy, such as <i2 or <f4';
  throw new FormatError({ subject, problem: `wrong ${field}`, received: dtype, allowed });
}

function numbersOf(bytes: Uint8Array, { type, bytes: size, isHalf, isBigEndian }: NumpyType): NumberArray {
  const own = bytes.slice();
  if (isBigEndian) swapBytes(own, size);
  return isHalf ? floatsOfHalves(own) : new NUMBER_ARRAYS[type](own.buffer);
}

/** The values of numbers that were stored as (value - offset) * scale, rounded: in float64, of floats in their own type. */
function unscaled({ scale, offset }: CodecMetadata['configuration'], stored: NumpyType, subject: string) {
  if (!Number.isFinite(scale) || scale === 0 || !Number.isFinite(offset)) {
    const allowed = 'two numbers, of which scale is not 0';
    const problem = 'wrong scale and offset of fixedscaleoffset';
    throw new FormatError({ subject, problem, received: JSON.stringify({ scale, offset }), allowed });
  }
  const [by, from] = [scale as number, offset as number];
  const round = stored.type === 'float32' ? Math.fround : (value: number) => value;
  return (numbers: NumberArray, into: NumberArray) => {
    const values = Float64Array.from(numbers as ArrayLike<number>, (number) =>
      round(round(Number(number) / by) + from),
    );
    setAll(into, values);
  };
}

/** Sums of all numbers up to each, rounded to the type of the values at each step. */
function addUp(numbers: NumberArray, into: NumberArray): void {
  setAll(into, numbers);
  if (into instanceof BigInt64Array || into instanceof BigUint64Array) {
    for (let i = 1; i < into.length; i++) into[i] += into[i - 1];
  } else for (let i = 1; i < into.length; i++) into[i] += into[i - 1];
}

/** Sets all values, those of integers without their fractions. */
function setAll(into: NumberArray, numbers: NumberArray): void {
  if (into instanceof BigInt64Array || into instanceof BigUint64Array) {
    for (let i = 0; i < into.length; i++) into[i] = BigInt(whole(numbers[i]));
  } else for (let i = 0; i < into.length; i++) into[i] = Number(numbers[i]);
}

function whole(number: number | bigint): number | bigint {
  return typeof number === 'bigint' ? number : Number.isFinite(number) ? Math.trunc(number) : 0;
}

import { type BlockShape, MISSING_BITS } from './block-format.js';

/** Values `origin + quantum * n`, in float64 and then rounded to float32, for integers n. */
export interface Grid {
  readonly quantum: number;
  /** One for all values, or one for each, member after member. */
  readonly origin: number | Float64Array;
}

/** The values of a block as integers, and those that are none. */
export interface BlockIntegers {
  /** The grid of the values; undefined where integers are float32 in the order of their bits. */
  readonly grid: Grid | undefined;
  /** An integer for each value, day after day; where a value has none, one like its neighbours. */
  readonly integers: Int32Array;
  /** The indexes, member after member, of missing values, and of values that the integers do not give. */
  readonly missing: readonly number[];
  readonly exceptions: readonly number[];
  /** The integer of the value 0, and how many there are. */
  readonly zero: number;
  readonly zeros: number;
}

/** Integers are smaller, so that sums of two of them do not overflow. */
const MAX_INTEGER = 1_073_741_824;
/** Marks a value without an integer. */
const NONE = -2_147_483_648;

/**
 * The values as integers on a grid; undefined where more than `maxExceptions` would be exceptions. With `isRounded`,
 * each value becomes the nearest on the grid; otherwise a value that is not exactly on the grid is an exception.
 */
export function gridIntegers(
  values: Float32Array,
  { members, days }: BlockShape,
  grid: Grid,
  maxExceptions: number,
  isRounded = false,
): BlockIntegers | undefined {
  const { quantum, origin } = grid;
  const isOfFields = typeof origin !== 'number';
  const perUnit = 1 / quantum;
  const integers = new Int32Array(values.length);
  const bits = bitsOf(values);
  const missing: number[] = [];
  const exceptions: number[] = [];
  let zeros = 0;
  for (let m = 0, i = 0; m < members; m++) {
    for (let day = 0, to = m; day < days; day++, i++, to += members) {
      const value = values[i];
      const start = isOfFields ? origin[i] : origin;
      const n = Math.floor((value - start) * perUnit + 0.5);
      if (n > -MAX_INTEGER && n < MAX_INTEGER) {
        const decoded = Math.fround(start + quantum * n);
        if (value === 0) zeros++;
        if (isRounded || (decoded === value && (value !== 0 || (bits[i] === 0 && Object.is(decoded, 0))))) {
          integers[to] = n;
          continue;
        }
      }
      integers[to] = NONE;
      if (bits[i] === MISSING_BITS) missing.push(i);
      else if (exceptions.push(i) > maxExceptions) return undefined;
    }
  }
  if (missing.length + exceptions.length > 0) fillGaps(integers, members);
  const zero = isOfFields ? 0 : Math.floor(-origin * perUnit + 0.5);
  return { grid, integers, missing, exceptions, zero, zeros };
}

/** The values as float32 in the order of their bits, which has one for each; undefined for too many exceptions. */
export function bitIntegers(
  values: Float32Array,
  { members, days }: BlockShape,
  maxExceptions: number,
): BlockIntegers | undefined {
  const integers = new Int32Array(values.length);
  const bits = bitsOf(values);
  const missing: number[] = [];
  const exceptions: number[] = [];
  let zeros = 0;
  for (let m = 0, i = 0; m < members; m++) {
    for (let day = 0, to = m; day < days; day++, i++, to += members) {
      const pattern = bits[i] | 0;
      if ((pattern & 0x7f800000) !== 0x7f800000) {
        integers[to] = pattern ^ ((pattern >> 31) & 0x7fffffff);
        if (pattern === 0) zeros++;
        continue;
      }
      integers[to] = NONE;
      if (bits[i] === MISSING_BITS) missing.push(i);
      else if (exceptions.push(i) > maxExceptions) return undefined;
    }
  }
  if (missing.length + exceptions.length > 0) fillGaps(integers, members);
  return { grid: undefined, integers, missing, exceptions, zero: 0, zeros };
}

/** The bits of values, which may lie anywhere. */
export function bitsOf(values: Float32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

/** Values without an integer get that of the member before, on the first days of the next one, or of the day before. */
function fillGaps(integers: Int32Array, members: number): void {
  const first = integers.find((n) => n !== NONE) ?? 0;
  for (let row = 0; row < integers.length; row += members) {
    let near = row === 0 ? first : integers[row - members];
    for (let i = row; i < row + members; i++) {
      if (integers[i] !== NONE) {
        near = integers[i];
        break;
      }
    }
    for (let i = row; i < row + members; i++) {
      if (integers[i] === NONE) integers[i] = near;
      else near = integers[i];
    }
  }
}

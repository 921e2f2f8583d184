import { DataError } from '../errors.js';

/*
 * Numbers rounded to a few decimals, as 32-bit integers: in thousandths for up to 3 decimals, in millionths for 4 to 6.
 * Halves of the exact value are rounded away from zero.
 */

/**
 * Stands for numbers without such an integer: NaN, numbers that are too large, and those that only their exact value
 * rounds correctly.
 */
export const UNUSUAL = -0x80000000;

const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
/** Rounding up a number below this one does not overflow 32 bits. */
const MAX_ROUNDED = 2_147_000_000;

/** A number rounded to `decimals` places, in thousandths; unusual where there are more than 3. */
export function toThousandths(value: number, decimals: number): number {
  const rest = TENS[3 - decimals];
  return fixed(value, TENS[decimals], rest, MAX_ROUNDED / rest);
}

/** A number rounded to `decimals` places, in millionths; unusual where there are more than 6. */
export function toMillionths(value: number, decimals: number): number {
  const rest = TENS[6 - decimals];
  return fixed(value, TENS[decimals], rest, MAX_ROUNDED / rest);
}

/**
 * As `toThousandths`, of the rows of some columns from `from` up to, not including, `to`: row after row in `into`,
 * which must be long enough.
 */
export function rowsToThousandths(
  columns: readonly ArrayLike<number>[],
  from: number,
  to: number,
  decimals: number,
  into: Int32Array,
): void {
  const scale = TENS[decimals];
  const rest = TENS[3 - decimals];
  const max = MAX_ROUNDED / rest;
  const { length } = columns;
  for (let k = 0; k < length; k++) {
    const column = columns[k];
    for (let row = from, at = k; row < to; row++, at += length) into[at] = fixed(column[row], scale, rest, max);
  }
}

/** `value` in units of `1 / scale`, times `rest`; `max` units and more are unusual. */
function fixed(value: number, scale: number, rest: number, max: number): number {
  const scaled = Math.abs(value) * scale;
  // Written so that NaN is unusual as well, also where `decimals` is too large for the table.
  if (!(scaled < max)) return UNUSUAL;
  const units = (scaled + 0.5) | 0;
  // The product may have been rounded onto a half, never across one, as halves are float64 numbers; just below one the
  // sum may have
  // been rounded up. Of a float32 number both are exact.
  if (units - scaled >= 0.5 && Math.fround(value) !== value) return UNUSUAL;
  const total = Math.imul(units, rest);
  return value < 0 ? -total | 0 : total;
}

/** The error of a value that JSON has no number for. */
export function infiniteValue(value: number): DataError {
  const allowed = 'finite numbers, NaN where missing';
  return new DataError({ subject: 'response', problem: 'an infinite value', received: value, allowed });
}

/** Throws DataError for an infinite value, as `JsonWriter` does. */
export function assertFinite(values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (Math.abs(values[i]) === Number.POSITIVE_INFINITY) throw infiniteValue(values[i]);
  }
}

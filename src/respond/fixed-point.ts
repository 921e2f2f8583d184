import type { FloatArray } from '../core/float-array.js';

/*
 * Numbers rounded to a few decimals, as integers of 32 bits: in thousandths for up to 3 decimals, in millionths for 4 to 6. Halves are
 * rounded away from zero, as the exact value has them.
 */

/** Stands for what is no such integer: NaN, numbers that are too large, and those that take their exact value to be rounded. */
export const UNUSUAL = -0x80000000;

const TENS = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6];
/** Integers up to this one leave room for rounding up. */
const MOST = 2_147_000_000;

/** A number rounded to `decimals` places, in thousandths; unusual where there are more than 3. */
export function toThousandths(value: number, decimals: number): number {
  const rest = TENS[3 - decimals];
  return fixed(value, TENS[decimals], rest, MOST / rest);
}

/** A number rounded to `decimals` places, in millionths; unusual where there are more than 6. */
export function toMillionths(value: number, decimals: number): number {
  const rest = TENS[6 - decimals];
  return fixed(value, TENS[decimals], rest, MOST / rest);
}

/**
 * As `toThousandths`, of the rows of some columns from `from` up to, not including, `to`: row after row in `into`, which must have room.
 */
export function rowsToThousandths(
  columns: readonly FloatArray[],
  from: number,
  to: number,
  decimals: number,
  into: Int32Array,
): void {
  const scale = TENS[decimals];
  const rest = TENS[3 - decimals];
  const most = MOST / rest;
  const { length } = columns;
  for (let k = 0; k < length; k++) {
    const column = columns[k];
    for (let row = from, at = k; row < to; row++, at += length) into[at] = fixed(column[row], scale, rest, most);
  }
}

/** `value` in units of `1 / scale`, times `rest`; `most` units and more are unusual. */
function fixed(value: number, scale: number, rest: number, most: number): number {
  const scaled = Math.abs(value) * scale;
  // Written so that NaN is unusual as well, that of a `rest` that is in no table too.
  if (!(scaled < most)) return UNUSUAL;
  const units = (scaled + 0.5) | 0;
  // The product may have been rounded onto a half, never across one, as halves are float64 numbers; just below one the sum may have
  // been rounded up. Of a float32 number both are exact.
  if (units - scaled >= 0.5 && Math.fround(value) !== value) return UNUSUAL;
  const total = Math.imul(units, rest);
  return value < 0 ? -total | 0 : total;
}

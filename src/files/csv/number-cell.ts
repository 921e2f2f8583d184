const MISSING = new Set(['', 'na', 'nan', 'null', '-']);
const INFINITY = /^([+-]?)inf(?:inity)?$/i;
const RADIX_LETTER = /[xob]/i;
/** From this time on, in 2001, nanoseconds since 1970 have 19 digits. */
const MIN_NANOSECONDS = 1e18;
const NANOSECONDS = /^[1-3]\d{18}$/;

/**
 * The number in a CSV cell, NaN if there is none.
 *
 * Decimal numbers with a point and an optional exponent, and `inf` or `Infinity` in any case, with spaces around
 * allowed; the value is exactly that of `Number(text)`. `0x10`, `1,5`, `12abc` and `1_000` are not numbers, nor are 19
 * digits that are a time in nanoseconds: whole seconds, or digits that float64 would round.
 */
export function numberFromCell(cell: string): number {
  const value = Number(cell);
  if (Number.isNaN(value)) {
    const infinity = INFINITY.exec(cell.trim());
    if (infinity === null) return value;
    return infinity[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  // Number() also reads blanks as 0, and hexadecimal, octal and binary literals.
  if (value === 0 && cell.trim() === '') return Number.NaN;
  if (cell.length > 2 && RADIX_LETTER.test(cell)) return Number.NaN;
  if (value > MIN_NANOSECONDS && isNanoseconds(cell.trim(), value)) return Number.NaN;
  return value;
}

/** Whether a CSV cell stands for a missing number: blank, NA, NaN, null or -, in any case. */
export function isMissingCell(cell: string): boolean {
  return cell === '' || MISSING.has(cell.trim().toLowerCase());
}

/** Whether digits are a time in nanoseconds, and not how `value` is written. */
function isNanoseconds(digits: string, value: number): boolean {
  return NANOSECONDS.test(digits) && (digits.endsWith('000000000') || String(value) !== digits);
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
/** So many digits make a whole number that float64 has, as it has the power of ten that they are divided by. */
const MAX_DIGITS = 15;
const POWERS = /* @__PURE__ */ Array.from({ length: MAX_DIGITS }, (_, exponent) => 10 ** exponent);

/**
 * Reads a coordinate as most clients write it, between two places of a text: a sign, up to three digits, a point and
 * digits behind it. Undefined for others, and beyond a limit. Exact, as `Number` is: a quotient of two numbers that are
 * exact is rounded once.
 */
export function plainDegrees(text: string, from: number, end: number, limit: number): number | undefined {
  const isNegative = text.charCodeAt(from) === MINUS;
  const first = isNegative ? from + 1 : from;
  let point = end;
  let digits = 0;
  for (let i = first; i < end; i++) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit >= 0 && digit <= 9) digits = 10 * digits + digit;
    else if (digit === POINT - ZERO && point === end) point = i;
    else return undefined;
  }
  const whole = point - first;
  const decimals = Math.max(0, end - point - 1);
  if (whole < 1 || whole > 3 || whole + decimals > MAX_DIGITS || (point < end && decimals === 0)) return undefined;
  const value = digits / POWERS[decimals];
  // Adding 0 turns -0 into 0.
  return value <= limit ? (isNegative ? -value : value) + 0 : undefined;
}

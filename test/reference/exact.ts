/**
 * Float32 values in exact arithmetic: whole numbers of 2^-149, the smallest Float32, and fractions of them. What is
 * computed here and rounded once is the correctly rounded result.
 */

/** A fraction of 2^-149; the denominator is positive. */
export interface ExactFraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** A Float32 value; throws where `x` is none. */
export function exactOf(x: number): bigint {
  if (Math.fround(x) !== x) throw new RangeError(`${x} is no finite Float32`);
  return BigInt(x * 2 ** 149);
}

/** The Float32 nearest to a fraction, the even one of two. */
export function roundedToFloat32({ numerator, denominator }: ExactFraction): number {
  const size = numerator < 0n ? -numerator : numerator;
  const excess = BigInt(Math.max(0, (size / denominator).toString(2).length - 24));
  const unit = denominator << excess;
  let units = size / unit;
  const twiceRest = 2n * (size % unit);
  if (twiceRest > unit || (twiceRest === unit && units % 2n === 1n)) units++;
  const rounded = Number(units) * 2 ** (Number(excess) - 149);
  return numerator < 0n ? -rounded : rounded;
}

/** The mean of totals that are each to be divided by `divisor`. */
export function exactMean(totals: readonly bigint[], divisor: number): ExactFraction {
  const sum = totals.reduce((a, b) => a + b, 0n);
  return { numerator: sum, denominator: BigInt(totals.length * divisor) };
}

/** The type-7 quantile of `percent` hundredths of totals, sorted, that are each to be divided by `divisor`. */
export function exactQuantile(sorted: readonly bigint[], percent: number, divisor: number): ExactFraction {
  const rank = (sorted.length - 1) * percent;
  const below = Math.floor(rank / 100);
  const low = sorted[below];
  const high = sorted[Math.min(below + 1, sorted.length - 1)];
  return { numerator: 100n * low + BigInt(rank % 100) * (high - low), denominator: 100n * BigInt(divisor) };
}

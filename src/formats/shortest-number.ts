const SMALLEST_NORMAL = 2 ** -126;

/**
 * The number with the fewest decimal digits that rounds to the float32 `value`, so that `String` of it is the shortest
 * text that reads back: 0.1 for 0.10000000149011612.
 *
 * `value` must be a float32 already. NaN, infinities and zeros are returned as they are.
 */
export function shortestFloat32(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value;
  const size = Math.abs(value);
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return value;
  // Any 6 digits survive a float32, so fewer need no search of their own, except where subnormals have lost precision.
  for (let digits = size < SMALLEST_NORMAL ? 1 : 6; digits < 9; digits++) {
    const nearest = Number(size.toPrecision(digits));
    if (Math.fround(nearest) === size) return value < 0 ? -nearest : nearest;
    // Below a power of two floats lie closer, so the nearest decimal can miss while a farther one above still reads back.
    if (Number.isInteger(Math.log2(size))) {
      const above = nextDecimal(size, digits);
      if (Math.fround(above) === size) return value < 0 ? -above : above;
    }
  }
  return Number(value.toPrecision(9));
}

/** The decimal of `digits` digits that follows the one nearest to `size`. */
function nextDecimal(size: number, digits: number): number {
  const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
  return Number(`${Number(mantissa.replace('.', '')) + 1}e${Number(exponent) - (digits - 1)}`);
}

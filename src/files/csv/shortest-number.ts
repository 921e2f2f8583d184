const MIN_NORMAL = 2 ** -126;
/** Powers of ten from 10^-4 on; those from 10^0 on are exact. */
const TENS = [1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12];
const ONE = 4;

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
  const packed = shortestDecimal(size);
  const shortest = packed < 0 ? bySearch(size) : Math.floor(packed / 16) / TENS[ONE + (packed & 15)];
  return value < 0 ? -shortest : shortest;
}

/**
 * The decimal m / 10^k with the fewest digits that rounds to the float32 `size`, as `m * 16 + k`: m is an integer up to
 * 10^9, k from 0 to 12. It is -1 for a size outside 0.0001 to 10^9 and for some powers of two, which need a search.
 */
export function shortestDecimal(size: number): number {
  if (!(size >= 1e-4 && size < 1e9)) return -1;
  let exponent = size < 1 ? -4 : 0;
  while (size >= TENS[ONE + exponent + 1]) exponent++;
  for (let digits = 6; ; digits++) {
    const k = digits - 1 - exponent;
    if (k >= 0) {
      // A float32 times 10^12 is exact in a double, and so is the quotient of two such integers correctly rounded.
      const scale = TENS[ONE + k];
      const m = Math.round(size * scale);
      if (digits === 9 || Math.fround(m / scale) === size) return m * 16 + k;
    } else {
      const scale = TENS[ONE - k];
      const m = Math.round(size / scale) * scale;
      if (Math.fround(m) === size) return m * 16;
    }
    if (digits === 6 && isPowerOfTwo(size)) return -1;
  }
}

/** Whether `size`, from 10^-4 to 10^9, is a power of two. */
function isPowerOfTwo(size: number): boolean {
  const integer = size < 1 ? 1 / size : size;
  return (integer & (integer - 1)) === 0 && (integer | 0) === integer;
}

function bySearch(size: number): number {
  // Any 6 digits survive a float32, so fewer need no search of their own, except where subnormals have lost precision.
  for (let digits = size < MIN_NORMAL ? 1 : 6; digits < 9; digits++) {
    const nearest = Number(size.toPrecision(digits));
    if (Math.fround(nearest) === size) return nearest;
    // Below a power of two floats lie closer, so the nearest decimal can miss while a farther one above still reads
    // back.
    if (Number.isInteger(Math.log2(size))) {
      const above = nextDecimal(size, digits);
      if (Math.fround(above) === size) return above;
    }
  }
  return Number(size.toPrecision(9));
}

/** The decimal of `digits` digits that follows the one nearest to `size`. */
function nextDecimal(size: number, digits: number): number {
  const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
  return Number(`${Number(mantissa.replace('.', '')) + 1}e${Number(exponent) - (digits - 1)}`);
}

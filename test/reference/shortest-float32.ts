const MIN_NORMAL = 2 ** -126;

/**
 * The slow twin of shortestFloat32: decimal texts of 6, 7 and 8 digits, and at powers of two their successors, are read
 * back in turn.
 */
export function shortestFloat32BySearch(value: number): number {
  if (Number.isInteger(value) && Math.abs(value) < 1e6) return value;
  const size = Math.abs(value);
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return value;
  for (let digits = size < MIN_NORMAL ? 1 : 6; digits < 9; digits++) {
    const nearest = Number(size.toPrecision(digits));
    if (Math.fround(nearest) === size) return value < 0 ? -nearest : nearest;
    if (Number.isInteger(Math.log2(size))) {
      const above = nextDecimal(size, digits);
      if (Math.fround(above) === size) return value < 0 ? -above : above;
    }
  }
  return Number(value.toPrecision(9));
}

function nextDecimal(size: number, digits: number): number {
  const [mantissa, exponent] = size.toExponential(digits - 1).split('e');
  return Number(`${Number(mantissa.replace('.', '')) + 1}e${Number(exponent) - (digits - 1)}`);
}

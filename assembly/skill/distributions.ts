// Functions whose results have the same bits in all runtimes: they are made of arithmetic alone.

export function log2(x: f64): f64 {
  return NativeMath.log2(x);
}

/**
 * The probability that a chi-square variable with so many degrees of freedom is at least `x`: the upper regularized
 * incomplete gamma function Q(degrees / 2, x / 2), by its series below `a + 1`, and by its continued fraction above
 * (Press et al., Numerical Recipes, 6.2; the fraction by the method of Lentz).
 */
export function chiSquareTail(x: f64, degrees: f64): f64 {
  if (x != x || degrees != degrees) return NaN;
  if (x <= 0) return 1;
  const a = degrees / 2;
  const z = x / 2;
  const scale = NativeMath.exp(a * NativeMath.log(z) - z - logGamma(a));
  if (z < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let n = 1; n < 10_000 && term > sum * 1e-17; n++) {
      term *= z / (a + <f64>n);
      sum += term;
    }
    return max<f64>(0, 1 - sum * scale);
  }
  let b = z + 1 - a;
  let c: f64 = 1e300;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 10_000; n++) {
    const an = -<f64>n * (<f64>n - a);
    b += 2;
    d = an * d + b;
    if (d == 0) d = 1e-300;
    c = b + an / c;
    if (c == 0) c = 1e-300;
    d = 1 / d;
    const factor = d * c;
    h *= factor;
    if (NativeMath.abs(factor - 1) < 1e-16) break;
  }
  return scale * h;
}

/** The logarithm of the gamma function of a positive number: Stirling's series, from 15 on. */
function logGamma(x: f64): f64 {
  let product: f64 = 1;
  while (x < 15) {
    product *= x;
    x += 1;
  }
  const y = 1 / (x * x);
  const series = (1.0 / 12 - y * (1.0 / 360 - y * (1.0 / 1260 - y * (1.0 / 1680 - y / 1188)))) / x;
  return (x - 0.5) * NativeMath.log(x) - x + 0.91893853320467274178 + series - NativeMath.log(product);
}

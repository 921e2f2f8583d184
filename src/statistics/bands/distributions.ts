/*
 * Quantiles of the distributions that bands need. Each is found by bisection of its distribution function, as they are
 * needed once for each number of members.
 */

/** The value below which a share `p`, within 0 and 1, of a normal distribution lies. */
export function normalQuantile(p: number): number {
  return bisect((x) => normalBelow(x) < p, -40, 40);
}

/** The same for Student's t with `degrees` degrees of freedom, at least 1. */
export function studentQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  return bisect((t) => 1 - 0.5 * incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) < p, 0, 1e9);
}

/** The least number of successes that at most `n` trials of probability `p` have with a probability of at least `q`. */
export function binomialQuantile(q: number, n: number, p: number): number {
  if (p === 0 || p === 1) return p * n;
  let below = 0;
  for (let k = 0; k < n; k++) {
    below += Math.exp(
      logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p),
    );
    // The sum may miss the share by its last bits.
    if (below >= q - 1e-12) return k;
  }
  return n;
}

/** The point at which `isBelow` changes from true to false. */
function bisect(isBelow: (x: number) => boolean, low: number, high: number): number {
  let [from, to] = [low, high];
  for (let middle = (from + to) / 2; middle > from && middle < to; middle = (from + to) / 2) {
    if (isBelow(middle)) from = middle;
    else to = middle;
  }
  return to;
}

/** The share of a normal distribution below `x`, by the incomplete gamma function (Abramowitz and Stegun 7.1.21). */
function normalBelow(x: number): number {
  const tail = 0.5 * (1 - lowerGamma(0.5, (x * x) / 2));
  return x < 0 ? tail : 1 - tail;
}

/** The regularized lower incomplete gamma function, by its series or its continued fraction (Press et al. 2007, 6.2). */
function lowerGamma(a: number, x: number): number {
  if (x === 0) return 0;
  const scale = Math.exp(-x + a * Math.log(x) - logGamma(a));
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let n = a + 1; term > sum * 1e-17; n++) sum += term *= x / n;
    return sum * scale;
  }
  return (
    1 -
    scale *
      continuedFraction(
        (n) => -n * (n - a),
        (n) => x + 2 * n + 1 - a,
      )
  );
}

/** The regularized incomplete beta function (Press et al. 2007, 6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const scale = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const numerator = (n: number) => {
    const m = Math.floor(n / 2);
    if (n % 2 === 0) return (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    return (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
  };
  return scale * continuedFraction(numerator, () => 1);
}

/** 1 / (d(0) + n(1) / (d(1) + n(2) / (d(2) + ...))), by the method of Lentz (1976). */
function continuedFraction(numerator: (n: number) => number, denominator: (n: number) => number): number {
  const tiny = 1e-300;
  let d = 1 / (denominator(0) || tiny);
  let [c, value] = [1 / tiny, d];
  for (let n = 1; n < 10_000; n++) {
    d = 1 / (denominator(n) + numerator(n) * d || tiny);
    c = denominator(n) + numerator(n) / c || tiny;
    value *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return value;
}

const LANCZOS = [
  ...[0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059],
  ...[12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7],
];

/** The logarithm of the gamma function of a positive number (Lanczos 1964, with the coefficients of Godfrey 2001). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const y = x - 1;
  const sum = LANCZOS.reduce((all, coefficient, i) => (i === 0 ? coefficient : all + coefficient / (y + i)), 0);
  const t = y + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (y + 0.5) * Math.log(t) - t + Math.log(sum);
}

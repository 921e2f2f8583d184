import type { RandomStream } from './random.js';

/**
 * The quantile of the standard normal distribution at probability `p`, 0 < p < 1, to about 7 digits.
 *
 * One uniform number gives one normal number, without rejection; in the central 85 % only by the four operations of
 * arithmetic, so identically in every engine (the tails take one `Math.log`, whose last bit engines may differ in).
 * Source: Wichura 1988, algorithm AS 241 (PPND7), Applied Statistics 37, 477-484.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    const numerator = ((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179;
    return (q * numerator) / (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1);
  }
  const tail = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const magnitude = tail <= 5 ? nearTail(tail - 1.6) : farTail(tail - 5);
  return q < 0 ? -magnitude : magnitude;
}

function nearTail(r: number): number {
  const numerator = ((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777;
  return numerator / ((0.12021132975 * r + 0.7370016425) * r + 1);
}

function farTail(r: number): number {
  const numerator = ((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115;
  return numerator / ((0.012258202635 * r + 0.24197894225) * r + 1);
}

/** Draws from the standard normal distribution, one uniform number a draw. */
export function drawNormal(random: RandomStream): number {
  return normalQuantile(random.nextUniform());
}

/**
 * Draws from the gamma distribution of the given shape and scale 1; shape 0 gives 0.
 * Source: Marsaglia and Tsang 2000, ACM Trans. Math. Softw. 26, 363-372; shapes below 1 by their section 6.
 */
export function drawGamma(random: RandomStream, shape: number): number {
  if (shape === 0) return 0;
  if (shape < 1) return drawGamma(random, shape + 1) * random.nextUniform() ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = drawNormal(random);
    const v = (1 + c * x) ** 3;
    if (v <= 0) continue;
    if (Math.log(random.nextUniform()) < 0.5 * x * x + d * (1 - v + Math.log(v))) return d * v;
  }
}

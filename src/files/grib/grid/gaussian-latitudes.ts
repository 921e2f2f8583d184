/** Newton's method converges in three steps from a good start; more than these means that it does not. */
const MAX_STEPS = 20;

/**
 * The latitudes in degrees of a Gaussian grid with `n` rows between a pole and the equator, from north to south: the
 * arcsines of the roots of the Legendre polynomial of degree 2n, by Newton's method (Press et al., Numerical Recipes,
 * `gauleg`).
 */
export function gaussianLatitudes(n: number): Float64Array {
  const degree = 2 * n;
  const latitudes = new Float64Array(degree);
  for (let row = 0; row < n; row++) {
    let root = Math.cos((Math.PI * (row + 0.75)) / (degree + 0.5));
    for (let step = 0; step < MAX_STEPS; step++) {
      const change = legendreRatio(degree, root);
      root -= change;
      if (Math.abs(change) < 1e-15) break;
    }
    latitudes[row] = (Math.asin(root) * 180) / Math.PI;
    latitudes[degree - 1 - row] = -latitudes[row];
  }
  return latitudes;
}

/** A Legendre polynomial divided by its derivative, by the three-term recurrence. */
function legendreRatio(degree: number, x: number): number {
  let [before, value] = [1, x];
  for (let k = 2; k <= degree; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
  return (value * (x * x - 1)) / (degree * (x * value - before));
}

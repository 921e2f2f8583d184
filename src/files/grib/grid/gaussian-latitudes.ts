/** Newton's method converges in three steps from a good start; more than these means that it does not. */
const MAX_STEPS = 20;

/**
 * The latitudes in degrees of `count` rows of a Gaussian grid with `n` rows between a pole and the equator, from north
 * to south from row `first` on: the arcsines of the roots of the Legendre polynomial of degree 2n, by Newton's method
 * (Press et al., Numerical Recipes, `gauleg`).
 */
export function gaussianLatitudes(n: number, first: number, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => {
    const row = first + i;
    return row < n ? northernLatitude(n, row) : -northernLatitude(n, 2 * n - 1 - row);
  });
}

/** The row whose latitude is nearest to one in degrees; it may lie beyond the poles. */
export function nearestGaussianRow(n: number, latitude: number): number {
  return Math.round(((90 - latitude) / 180) * (2 * n + 0.5) - 0.75);
}

function northernLatitude(n: number, row: number): number {
  let root = Math.cos((Math.PI * (row + 0.75)) / (2 * n + 0.5));
  for (let step = 0; step < MAX_STEPS; step++) {
    const change = legendreRatio(2 * n, root);
    root -= change;
    if (Math.abs(change) < 1e-15) break;
  }
  return (Math.asin(root) * 180) / Math.PI;
}

/** A Legendre polynomial divided by its derivative, by the three-term recurrence. */
function legendreRatio(degree: number, x: number): number {
  let before = 1;
  let value = x;
  for (let k = 2; k <= degree; k++) {
    const next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return (value * (x * x - 1)) / (degree * (x * value - before));
}

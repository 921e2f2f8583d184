/** The residual series of the generator, in the order of their values. */
export const RESIDUALS = ['temperature', 'sunshine', 'diurnalRange', 'humidity', 'wind', 'gustiness'] as const;

/** Lag-1 autocorrelation of each residual series. */
export const PERSISTENCE = [0.7, 0.3, 0.3, 0.5, 0.5, 0] as const;

/**
 * Each row makes one residual's innovation of independent normals; rows have norm 1, so innovations have variance 1.
 * Sunny days have a large diurnal range and dry air; windy days a small range.
 */
const LOADINGS: readonly (readonly number[])[] = [
  [1],
  [0.28, 0.96],
  [0, 0.6, 0.8],
  [-0.28, -0.576, 0, 0.768],
  [0, 0, -0.28, 0, 0.96],
  [0, 0, 0, 0, 0, 1],
];

/**
 * Turns six independent standard normals into the correlated innovations of the residual series, in place.
 *
 * With the first-order recursion z(t) = a z(t-1) + sqrt(1 - a^2) e(t) this is the residual model of Richardson 1981
 * (Water Resour. Res. 17, 182-190, after Matalas 1967), with a diagonal matrix of lag-1 coefficients.
 */
export function correlateInnovations(values: Float64Array): void {
  // From the last row up, since each row needs only its own and earlier normals.
  for (let row = LOADINGS.length - 1; row >= 0; row--) {
    let sum = 0;
    LOADINGS[row].forEach((loading, column) => {
      sum += loading * values[column];
    });
    values[row] = sum;
  }
}

/**
 * The share of the variance of a day's noise that all members have in common, at lead time `lead` in days from 0.
 *
 * It falls from 0.99 at lead 0 by half in 8 days and is gone after three weeks, so that the spread grows from near 0 to
 * the climatological one, as it does in operational ensembles, whose predictability ends at about two weeks.
 */
export function sharedVariance(lead: number): number {
  return Math.exp(-(((lead + 1) / 10) ** 2));
}

/**
 * The part of the gamma shape `shape` of a wet day's rain that all members have in common at lead time `lead`. It is
 * always less than `shape`, since amounts of rain differ between members from the first day on.
 */
export function sharedRainShape(shape: number, lead: number): number {
  return 0.7 * shape * sharedVariance(lead);
}

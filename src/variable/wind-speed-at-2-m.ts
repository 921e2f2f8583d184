/**
 * The wind speed at 2 m above grass, in the unit of `speed`, which is that at `height` metres; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 47, a logarithmic profile.
 */
export function windSpeedAt2m(speed: number, height = 10): number {
  return (speed * 4.87) / Math.log(67.8 * height - 5.42);
}

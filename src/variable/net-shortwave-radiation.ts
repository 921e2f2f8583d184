/** The albedo of the reference grass (a share). */
const ALBEDO = 0.23;

/**
 * The solar radiation that the reference grass does not reflect, in the unit of `solarRadiation`; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 38 with an albedo of 0.23.
 */
export function netShortwaveRadiation(solarRadiation: number): number {
  return (1 - ALBEDO) * solarRadiation;
}

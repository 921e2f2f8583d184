/**
 * The solar radiation of a cloudless day in MJ m-2 d-1, from the extraterrestrial radiation in MJ m-2 d-1 and the elevation in
 * metres above sea level; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 37.
 */
export function clearSkyRadiation(extraterrestrial: number, elevation: number): number {
  return (0.75 + 2e-5 * elevation) * extraterrestrial;
}

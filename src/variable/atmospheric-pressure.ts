/**
 * The mean atmospheric pressure in kPa, at an elevation in metres above sea level; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 7: a standard atmosphere of 20 degC at sea level.
 */
export function atmosphericPressure(elevation: number): number {
  return 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26;
}

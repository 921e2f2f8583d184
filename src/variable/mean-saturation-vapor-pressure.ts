import { saturationVaporPressure } from './saturation-vapor-pressure.js';

/**
 * The mean saturation vapour pressure of a day in kPa, from its lowest and highest temperature in degC; NaN gives NaN.
 *
 * As the curve is convex, the pressure at the mean temperature would be too low. Source: FAO-56 (Allen et al. 1998),
 * equation 12.
 */
export function meanSaturationVaporPressure(tempMin: number, tempMax: number): number {
  return (saturationVaporPressure(tempMin) + saturationVaporPressure(tempMax)) / 2;
}

import { actualVaporPressure } from './actual-vapor-pressure.js';
import { meanSaturationVaporPressure } from './mean-saturation-vapor-pressure.js';

/**
 * The vapour pressure deficit of a day in kPa, from its lowest and highest temperature in degC and its mean relative
 * humidity in percent; NaN gives NaN.
 *
 * It is never negative, as humidity above 100 % counts as 100 %. Source: FAO-56 (Allen et al. 1998), equations 12 and 19:
 * mean saturation vapour pressure less actual vapour pressure.
 */
export function vaporPressureDeficit(tempMin: number, tempMax: number, relativeHumidity: number): number {
  const saturation = meanSaturationVaporPressure(tempMin, tempMax);
  return saturation - actualVaporPressure(saturation, relativeHumidity);
}

import { saturationVaporPressure } from './saturation-vapor-pressure.js';

/**
 * The relative humidity in percent, from a temperature and a dew point in degC; NaN gives NaN.
 *
 * It is the actual vapour pressure, which is the saturation vapour pressure at the dew point, as a share of that at the temperature:
 * FAO-56 (Allen et al. 1998), equations 10 and 14, with the Magnus form of equation 11 for both, so that it is the inverse of
 * `dewPoint`. A dew point above the temperature, as rounding makes it, is saturated air: 100 %.
 */
export function relativeHumidity(temperature: number, dewPoint: number): number {
  return Math.min(100, (100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(temperature));
}

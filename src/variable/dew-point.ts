import { actualVaporPressure } from './actual-vapor-pressure.js';
import {
  MAGNUS_FACTOR,
  MAGNUS_OFFSET,
  PRESSURE_AT_FREEZING,
  saturationVaporPressure,
} from './saturation-vapor-pressure.js';

/**
 * The dew point in degC, from a temperature in degC and the relative humidity in percent; NaN gives NaN.
 *
 * It is the temperature at which FAO-56 equation 11 (a Magnus form, 17.27 and 237.3 degC) gives the actual vapour pressure, so
 * that dew point, vapour pressure deficit and evapotranspiration share one curve; FAO-56 equation 3-11 is the same with rounded
 * coefficients, and those of WMO-No. 8 (17.62, 243.12 degC) give 0.015 degC less at 20 degC and 50 %.
 *
 * It is never above the temperature, as humidity above 100 % counts as 100 %. Air without vapour (0 %) has no dew point: NaN.
 */
export function dewPoint(temperature: number, relativeHumidity: number): number {
  const vaporPressure = actualVaporPressure(saturationVaporPressure(temperature), relativeHumidity);
  if (vaporPressure === 0) return Number.NaN;
  const exponent = Math.log(vaporPressure / PRESSURE_AT_FREEZING);
  // In saturated air, rounding may take it beyond the temperature.
  return Math.min(temperature, (MAGNUS_OFFSET * exponent) / (MAGNUS_FACTOR - exponent));
}

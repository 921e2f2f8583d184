import { MAGNUS_OFFSET, saturationVaporPressure } from './saturation-vapor-pressure.js';

/**
 * The slope of the saturation vapour pressure curve in kPa per degC, at a temperature in degC; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 13; 4098 is the product of equation 11's coefficients, rounded.
 */
export function saturationVaporPressureSlope(temperature: number): number {
  const offset = temperature + MAGNUS_OFFSET;
  return (4098 * saturationVaporPressure(temperature)) / (offset * offset);
}

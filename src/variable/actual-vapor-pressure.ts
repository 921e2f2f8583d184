/**
 * The actual vapour pressure in kPa, from the saturation vapour pressure in kPa and the mean relative humidity in percent; NaN
 * gives NaN.
 *
 * Humidity above 100 % counts as 100 %, and below 0 % as 0 %: packed and interpolated fields overshoot, and air is neither
 * drier than dry nor, for evaporation, wetter than saturated. Source: FAO-56 (Allen et al. 1998), equation 19 with the mean
 * saturation vapour pressure of the day, equation 10 with that at one temperature.
 */
export function actualVaporPressure(saturation: number, relativeHumidity: number): number {
  return (Math.min(100, Math.max(0, relativeHumidity)) / 100) * saturation;
}

/** Saturation vapour pressure at 0 degC (kPa), the first coefficient of FAO-56 equation 11. */
export const PRESSURE_AT_FREEZING = 0.6108;

/** The factor of the Magnus form in FAO-56 equation 11. */
export const MAGNUS_FACTOR = 17.27;

/** The temperature offset of the Magnus form in FAO-56 equation 11 (degC). */
export const MAGNUS_OFFSET = 237.3;

/**
 * The saturation vapour pressure over water in kPa, at a temperature in degC; NaN gives NaN.
 *
 * Source: Allen et al. 1998, FAO Irrigation and Drainage Paper 56, equation 11: a Magnus form with the coefficients of
 * Tetens 1930 and Murray 1967.
 */
export function saturationVaporPressure(temperature: number): number {
  return PRESSURE_AT_FREEZING * Math.exp((MAGNUS_FACTOR * temperature) / (temperature + MAGNUS_OFFSET));
}

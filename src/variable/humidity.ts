import { assertNumber } from '../errors.js';

/*
 * Formulas of humidity: vapour pressure, dew point and relative humidity. All use the same saturation curve, so that
 * they agree with each other.
 */

/** Saturation vapour pressure at 0 degC (kPa), the first coefficient of FAO-56 equation 11. */
const PRESSURE_AT_FREEZING = 0.6108;

/** The factor of the Magnus form in FAO-56 equation 11. */
const MAGNUS_FACTOR = 17.27;

/** The temperature offset of the Magnus form in FAO-56 equation 11 (degC). */
const MAGNUS_OFFSET = 237.3;

/**
 * The saturation vapour pressure over water in kPa, at a temperature in degC; NaN gives NaN.
 *
 * Source: Allen et al. 1998, FAO Irrigation and Drainage Paper 56, equation 11: a Magnus form with the coefficients of
 * Tetens 1930 and Murray 1967.
 */
export function saturationVaporPressure(temperature: number): number {
  assertNumber('temperature', temperature);
  return PRESSURE_AT_FREEZING * Math.exp((MAGNUS_FACTOR * temperature) / (temperature + MAGNUS_OFFSET));
}

/**
 * The slope of the saturation vapour pressure curve in kPa per degC, at a temperature in degC; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 13; 4098 is the product of equation 11's coefficients, rounded.
 */
export function saturationVaporPressureSlope(temperature: number): number {
  assertNumber('temperature', temperature);
  const offset = temperature + MAGNUS_OFFSET;
  return (4098 * saturationVaporPressure(temperature)) / (offset * offset);
}

/**
 * The mean saturation vapour pressure of a day in kPa, from its lowest and highest temperature in degC; NaN gives NaN.
 *
 * As the curve is convex, the pressure at the mean temperature would be too low. Source: FAO-56 (Allen et al. 1998),
 * equation 12.
 */
export function meanSaturationVaporPressure(tempMin: number, tempMax: number): number {
  assertNumber('tempMin', tempMin);
  assertNumber('tempMax', tempMax);
  return (saturationVaporPressure(tempMin) + saturationVaporPressure(tempMax)) / 2;
}

/**
 * The actual vapour pressure in kPa, from the saturation vapour pressure in kPa and the mean relative humidity in
 * percent; NaN gives NaN.
 *
 * Humidity above 100 % counts as 100 %, and below 0 % as 0 %: packed and interpolated fields overshoot, and air is
 * neither drier than dry nor, for evaporation, wetter than saturated. Source: FAO-56 (Allen et al. 1998), equation 10.
 * Of a daily mean humidity, take the saturation at the mean temperature: air is dry while it is warm, so that equation
 * 19, which takes the mean saturation vapour pressure of the day, gives too much.
 */
export function actualVaporPressure(saturation: number, relativeHumidity: number): number {
  assertNumber('saturation', saturation);
  assertNumber('relativeHumidity', relativeHumidity);
  return (Math.min(100, Math.max(0, relativeHumidity)) / 100) * saturation;
}

/** What the actual vapour pressure of a day is computed from by equation 17. */
export interface HumidityExtremes {
  /** The lowest and highest temperature of the day (degC). */
  readonly tempMin: number;
  readonly tempMax: number;
  /** The lowest and highest relative humidity of the day (%), each counted as 0 to 100. */
  readonly humidityMin: number;
  readonly humidityMax: number;
}

/**
 * The actual vapour pressure of a day in kPa, from the extremes of its temperature and humidity; NaN gives NaN. Air is
 * most humid where it is coldest. Source: FAO-56 (Allen et al. 1998), equation 17.
 */
export function vaporPressureOfExtremes(extremes: HumidityExtremes): number {
  const { tempMin, tempMax, humidityMin, humidityMax } = (extremes ?? {}) as HumidityExtremes;
  assertNumber('extremes.tempMin', tempMin);
  assertNumber('extremes.tempMax', tempMax);
  assertNumber('extremes.humidityMin', humidityMin);
  assertNumber('extremes.humidityMax', humidityMax);
  const coldest = actualVaporPressure(saturationVaporPressure(tempMin), humidityMax);
  return (coldest + actualVaporPressure(saturationVaporPressure(tempMax), humidityMin)) / 2;
}

/**
 * The vapour pressure deficit of a day in kPa, from its lowest and highest temperature in degC and its mean relative
 * humidity in percent; NaN gives NaN. `temperature` is the day's mean, by default the mean of both extremes.
 *
 * It is never negative. Source: FAO-56 (Allen et al. 1998), equations 12 and 10: mean saturation vapour pressure less
 * actual vapour pressure, which is the humidity's share of the saturation at the mean temperature.
 */
export function vaporPressureDeficit(
  tempMin: number,
  tempMax: number,
  relativeHumidity: number,
  temperature = (tempMin + tempMax) / 2,
): number {
  assertNumber('tempMin', tempMin);
  assertNumber('tempMax', tempMax);
  assertNumber('relativeHumidity', relativeHumidity);
  assertNumber('temperature', temperature);
  const actual = actualVaporPressure(saturationVaporPressure(temperature), relativeHumidity);
  return Math.max(0, meanSaturationVaporPressure(tempMin, tempMax) - actual);
}

/**
 * The dew point in degC, from a temperature in degC and the relative humidity in percent; NaN gives NaN.
 *
 * It is the temperature at which FAO-56 equation 11 (a Magnus form, 17.27 and 237.3 degC) gives the actual vapour
 * pressure, so that dew point, vapour pressure deficit and evapotranspiration share one curve; FAO-56 equation 3-11 is
 * the same with rounded coefficients, and those of WMO-No. 8 (17.62, 243.12 degC) give 0.015 degC less at 20 degC and
 * 50 %.
 *
 * It is never above the temperature, as humidity above 100 % counts as 100 %. Air without vapour (0 %) has no dew
 * point: NaN.
 */
export function dewPoint(temperature: number, relativeHumidity: number): number {
  assertNumber('temperature', temperature);
  assertNumber('relativeHumidity', relativeHumidity);
  // In saturated air, rounding may take it beyond the temperature.
  return Math.min(temperature, dewPointOf(actualVaporPressure(saturationVaporPressure(temperature), relativeHumidity)));
}

/** The temperature in degC at which air of a vapour pressure in kPa is saturated; NaN of 0 and NaN. */
export function dewPointOf(vaporPressure: number): number {
  if (vaporPressure === 0) return Number.NaN;
  const exponent = Math.log(vaporPressure / PRESSURE_AT_FREEZING);
  return (MAGNUS_OFFSET * exponent) / (MAGNUS_FACTOR - exponent);
}

/**
 * The relative humidity in percent, from a temperature and a dew point in degC; NaN gives NaN.
 *
 * It is the actual vapour pressure, which is the saturation vapour pressure at the dew point, as a share of that at the
 * temperature: FAO-56 (Allen et al. 1998), equations 10 and 14, with the Magnus form of equation 11 for both, so that
 * it is the inverse of
 * `dewPoint`. A dew point above the temperature, as rounding makes it, is saturated air: 100 %.
 */
export function relativeHumidity(temperature: number, dewPoint: number): number {
  assertNumber('temperature', temperature);
  assertNumber('dewPoint', dewPoint);
  return Math.min(100, (100 * saturationVaporPressure(dewPoint)) / saturationVaporPressure(temperature));
}

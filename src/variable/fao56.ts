import { assertNumber } from '../errors.js';
import { saturationVaporPressureSlope } from './humidity.js';

/*
 * Formulas of FAO-56 for reference evapotranspiration: air pressure, radiation, wind, and the Penman-Monteith equation.
 */

/**
 * The mean atmospheric pressure in kPa, at an elevation in metres above sea level; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 7: a standard atmosphere of 20 degC at sea level.
 */
export function atmosphericPressure(elevation: number): number {
  assertNumber('elevation', elevation);
  return 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26;
}

/**
 * The psychrometric constant in kPa per degC, at an atmospheric pressure in kPa; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 8.
 */
export function psychrometricConstant(pressure: number): number {
  assertNumber('pressure', pressure);
  return 0.665e-3 * pressure;
}

/**
 * The solar radiation that reaches the top of the atmosphere in a day, in MJ m-2 d-1; 0 in the polar night; NaN gives
 * NaN.
 * `latitude` is in degrees north, `dayOfYear` counts from 1 (1 January) to 365, or 366 in leap years, and may be
 * fractional.
 *
 * Source: Allen et al. 1998, FAO Irrigation and Drainage Paper 56, equations 21 and 23 to 25; the year has 365 days in
 * them, leap years included.
 */
export function extraterrestrialRadiation(latitude: number, dayOfYear: number): number {
  assertNumber('latitude', latitude);
  assertNumber('dayOfYear', dayOfYear);
  const phi = (latitude * Math.PI) / 180;
  const angle = (2 * Math.PI * dayOfYear) / 365;
  const inverseDistance = 1 + 0.033 * Math.cos(angle);
  const declination = 0.409 * Math.sin(angle - 1.39);
  // Beyond the polar circles the cosine of the sunset hour angle leaves [-1, 1]: polar day or polar night.
  const cosSunset = Math.min(1, Math.max(-1, -Math.tan(phi) * Math.tan(declination)));
  const sunset = Math.acos(cosSunset);
  const geometry =
    sunset * Math.sin(phi) * Math.sin(declination) + Math.cos(phi) * Math.cos(declination) * Math.sin(sunset);
  return ((24 * 60) / Math.PI) * SOLAR_CONSTANT * inverseDistance * Math.max(0, geometry);
}

/** Solar constant (MJ m-2 min-1), as in FAO-56. */
const SOLAR_CONSTANT = 0.082;

/**
 * The solar radiation of a cloudless day in MJ m-2 d-1, from the extraterrestrial radiation in MJ m-2 d-1 and the
 * elevation in metres above sea level; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 37.
 */
export function clearSkyRadiation(extraterrestrial: number, elevation: number): number {
  assertNumber('extraterrestrial', extraterrestrial);
  assertNumber('elevation', elevation);
  return (0.75 + 2e-5 * elevation) * extraterrestrial;
}

/** The albedo of the reference grass (a share). */
const ALBEDO = 0.23;

/**
 * The solar radiation that the reference grass does not reflect, in the unit of `solarRadiation`; below 0 counts as 0;
 * NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 38 with an albedo of 0.23.
 */
export function netShortwaveRadiation(solarRadiation: number): number {
  assertNumber('solarRadiation', solarRadiation);
  return (1 - ALBEDO) * Math.max(0, solarRadiation);
}

/** Stefan-Boltzmann constant (MJ K-4 m-2 d-1), as in FAO-56. */
const STEFAN_BOLTZMANN = 4.903e-9;

/** Temperature of 0 degC (K), as in FAO-56 equation 39. */
const FREEZING = 273.16;

/** The share of clear-sky radiation that passes dense clouds, as in ASCE-EWRI 2005; FAO-56 says about 0.33. */
const DENSE_CLOUDS = 0.3;

/** Clear-sky radiation (MJ m-2 d-1) up to which a day shows nothing of clouds. */
const LOW_SUN = 1;

/**
 * The share for days of low sun before which none was higher: the middle of what FAO-56 (chapter 4) gives for humid
 * nights.
 */
const WITHOUT_SUN = 0.5;

/**
 * Solar radiation as a share of clear-sky radiation, both in MJ m-2 d-1, which tells how cloudy a day is: 0.3 to 1 (below
 * 0.26 clouds would warm the ground in equation 39); NaN gives NaN.
 *
 * Where clear-sky radiation is at most 1 MJ m-2 d-1, it is `before`: the share on the last day with more, 0.5 if there is
 * none. Sources: FAO-56 (Allen et al. 1998), equation 39; the lower limit of the ASCE standardized equation (ASCE-EWRI
 * 2005).
 */
export function relativeShortwaveRadiation(
  solarRadiation: number,
  clearSkyRadiation: number,
  before = WITHOUT_SUN,
): number {
  assertNumber('solarRadiation', solarRadiation);
  assertNumber('clearSkyRadiation', clearSkyRadiation);
  assertNumber('before', before);
  if (clearSkyRadiation <= LOW_SUN && !Number.isNaN(solarRadiation)) return before;
  return Math.min(1, Math.max(DENSE_CLOUDS, solarRadiation / clearSkyRadiation));
}

/** What net long-wave radiation depends on. */
export interface LongwaveConditions {
  /** The lowest and highest temperature of the day (degC). */
  readonly tempMin: number;
  readonly tempMax: number;
  /** Actual vapour pressure (kPa). */
  readonly vaporPressure: number;
  /** Solar radiation, and that of a cloudless day (MJ m-2 d-1). */
  readonly solarRadiation: number;
  readonly clearSkyRadiation: number;
  /** For days of low sun, the `relativeShortwaveRadiation` of the last day with clear-sky radiation above 1; 0.5. */
  readonly relativeShortwaveBefore?: number;
}

/**
 * The net long-wave radiation that the surface loses in a day, in MJ m-2 d-1; NaN gives NaN.
 *
 * Clouds are estimated by `relativeShortwaveRadiation`. Source: FAO-56 (Allen et al. 1998), equation 39.
 */
export function netLongwaveRadiation(conditions: LongwaveConditions): number {
  const { tempMin, tempMax, vaporPressure } = (conditions ?? {}) as LongwaveConditions;
  const { solarRadiation, clearSkyRadiation, relativeShortwaveBefore } = (conditions ?? {}) as LongwaveConditions;
  assertNumber('conditions.tempMin', tempMin);
  assertNumber('conditions.tempMax', tempMax);
  assertNumber('conditions.vaporPressure', vaporPressure);
  assertNumber('conditions.solarRadiation', solarRadiation);
  assertNumber('conditions.clearSkyRadiation', clearSkyRadiation);
  if (relativeShortwaveBefore !== undefined)
    assertNumber('conditions.relativeShortwaveBefore', relativeShortwaveBefore);
  const emitted = (STEFAN_BOLTZMANN * (fourthPower(tempMax + FREEZING) + fourthPower(tempMin + FREEZING))) / 2;
  const humidity = 0.34 - 0.14 * Math.sqrt(vaporPressure);
  const relative = relativeShortwaveRadiation(solarRadiation, clearSkyRadiation, relativeShortwaveBefore);
  return emitted * humidity * (1.35 * relative - 0.35);
}

/** Much faster than the operator **. */
function fourthPower(x: number): number {
  const square = x * x;
  return square * square;
}

/**
 * The net radiation that the surface gains in a day: the short-wave radiation that it takes in less the long-wave
 * radiation that it loses, all in one unit; NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 40.
 */
export function netRadiation(netShortwave: number, netLongwave: number): number {
  assertNumber('netShortwave', netShortwave);
  assertNumber('netLongwave', netLongwave);
  return netShortwave - netLongwave;
}

/**
 * The wind speed at 2 m above grass, in the unit of `speed`, which is that at `height` metres and counts as 0 below 0;
 * NaN gives NaN.
 *
 * Source: FAO-56 (Allen et al. 1998), equation 47, a logarithmic profile.
 */
export function windSpeedAt2m(speed: number, height = 10): number {
  assertNumber('speed', speed);
  assertNumber('height', height);
  return (Math.max(0, speed) * 4.87) / Math.log(67.8 * height - 5.42);
}

/** What the evapotranspiration of a day depends on. */
export interface EvapotranspirationConditions {
  /** Net radiation (MJ m-2 d-1), less the heat that goes into the soil, which is about 0 over a day. */
  readonly netRadiation: number;
  /** The mean of the lowest and highest temperature (degC). */
  readonly temperature: number;
  /** Wind speed at 2 m (m s-1). */
  readonly windSpeed: number;
  /** Vapour pressure deficit (kPa). */
  readonly vaporPressureDeficit: number;
  /** Psychrometric constant (kPa per degC). */
  readonly psychrometricConstant: number;
}

/**
 * The reference evapotranspiration ET0 of a day in mm: that of well-watered grass 12 cm high; NaN gives NaN.
 *
 * It is never negative: where the formula gives less than 0 (long nights in humid cold), water condenses and none
 * evaporates. Source: FAO-56 (Allen et al. 1998), equation 6, the FAO Penman-Monteith equation, with a daily soil heat
 * flux of 0 (equation 42).
 */
export function referenceEvapotranspiration(conditions: EvapotranspirationConditions): number {
  const { netRadiation, temperature, windSpeed, vaporPressureDeficit, psychrometricConstant } = (conditions ??
    {}) as EvapotranspirationConditions;
  assertNumber('conditions.netRadiation', netRadiation);
  assertNumber('conditions.temperature', temperature);
  assertNumber('conditions.windSpeed', windSpeed);
  assertNumber('conditions.vaporPressureDeficit', vaporPressureDeficit);
  assertNumber('conditions.psychrometricConstant', psychrometricConstant);
  const slope = saturationVaporPressureSlope(temperature);
  const radiation = 0.408 * slope * netRadiation;
  const wind = ((psychrometricConstant * 900) / (temperature + 273)) * windSpeed * vaporPressureDeficit;
  return Math.max(0, (radiation + wind) / (slope + psychrometricConstant * (1 + 0.34 * windSpeed)));
}

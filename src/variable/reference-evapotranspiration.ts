import { saturationVaporPressureSlope } from './saturation-vapor-pressure-slope.js';

/** What the evapotranspiration of a day depends on. */
export interface EvapotranspirationConditions {
  /** Net radiation (MJ m-2 d-1); the heat that goes into the soil, about 0 over a day, is to be taken off. */
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
 * It is never negative: where the formula is (long nights in humid cold), water condenses, and nothing evaporates. Source:
 * FAO-56 (Allen et al. 1998), equation 6, the FAO Penman-Monteith equation, with a daily soil heat flux of 0 (equation 42).
 */
export function referenceEvapotranspiration(conditions: EvapotranspirationConditions): number {
  const { netRadiation, temperature, windSpeed, vaporPressureDeficit, psychrometricConstant } = conditions;
  const slope = saturationVaporPressureSlope(temperature);
  const radiation = 0.408 * slope * netRadiation;
  const wind = ((psychrometricConstant * 900) / (temperature + 273)) * windSpeed * vaporPressureDeficit;
  return Math.max(0, (radiation + wind) / (slope + psychrometricConstant * (1 + 0.34 * windSpeed)));
}

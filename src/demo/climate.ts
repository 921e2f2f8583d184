import { extraterrestrialRadiation } from '../variable/fao56.js';

/** The parameters of the weather generator at one place on one day of the year. */
export interface DayClimate {
  /** Mean of the daily mean temperature (degC). */
  temperature: number;
  /** Standard deviation of the daily mean temperature (degC). */
  temperatureDeviation: number;
  /** Median of the diurnal temperature range of a dry day (degC). */
  diurnalRange: number;
  /** Share of wet days, without regard to the day before. */
  wetShare: number;
  /** Probability of a wet day after a dry day, p01. */
  wetAfterDry: number;
  /** Probability of a wet day after a wet day, p11. */
  wetAfterWet: number;
  /** Scale of the gamma distribution of a wet day's rain above `WET_DAY_MINIMUM` (mm). */
  rainScale: number;
  /** Median wind speed of a dry day (m s-1). */
  windSpeed: number;
  /** Extraterrestrial radiation (MJ m-2 d-1). */
  extraterrestrialRadiation: number;
}

/** The least rain of a wet day (mm). */
export const WET_DAY_MINIMUM = 0.1;

/** Shape of the gamma distribution of wet-day rain; typical fits lie between 0.5 and 1 (Wilks and Wilby 1999). */
export const RAIN_SHAPE = 0.75;

/** Lag-1 correlation of the sequence of wet and dry days, p11 - p01 (Wilks and Wilby 1999). */
const WET_PERSISTENCE = 0.25;

/**
 * The climate of an imagined Earth without mountains and oceans: smooth functions of the latitude (degrees north) and
 * of the season of `day` (days since 1970-01-01), which is half a year apart between the hemispheres and absent on the
 * equator.
 *
 * Temperature has the form of the zonal means of North, Cahalan and Coakley 1981 (Rev. Geophys. 19, 91-121): the second
 * Legendre polynomial for the year's mean, the first for the seasonal amplitude. Rain peaks on the equator and at 60
 * degrees. Coefficients are rounded and chosen for this generator: plausible, not fitted.
 */
export function climateOn(latitude: number, day: number): DayClimate {
  const x = Math.sin((latitude * Math.PI) / 180);
  const warmth = x * Math.cos((2 * Math.PI * (day - WARMEST_DAY)) / DAYS_PER_YEAR);
  const dayOfYear = 1 + day - DAYS_PER_YEAR * Math.floor(day / DAYS_PER_YEAR);
  const radiation = extraterrestrialRadiation(latitude, dayOfYear);
  const wetShare = 0.36 + 0.1 * Math.cos((6 * latitude * Math.PI) / 180) + 0.1 * warmth;
  const wetAfterDry = wetShare * (1 - WET_PERSISTENCE);
  return {
    temperature: 14 - 27 * (1.5 * x * x - 0.5) + 15.5 * warmth,
    temperatureDeviation: 1 + 5 * Math.abs(x) - 1.2 * warmth,
    diurnalRange: 4 + 0.2 * radiation,
    wetShare,
    wetAfterDry,
    wetAfterWet: wetAfterDry + WET_PERSISTENCE,
    rainScale: (2 + 10 * (1 - x * x)) / RAIN_SHAPE,
    windSpeed: (2.5 + 2 * Math.abs(x)) * (1 - 0.2 * warmth),
    extraterrestrialRadiation: radiation,
  };
}

const DAYS_PER_YEAR = 365.2425;

/** The northern hemisphere's warmest day, 20 July, a month behind the sun; day 0 is 1 January. */
const WARMEST_DAY = 200;

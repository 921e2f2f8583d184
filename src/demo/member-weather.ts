import { findVariable } from '../variable/index.js';
import { type DayClimate, RAIN_SHAPE, WET_DAY_MINIMUM } from './climate.js';
import { DEMO_VARIABLES, type DemoVariable, mapVariables } from './demo-variables.js';
import { drawGamma, drawNormal, normalQuantile } from './distributions.js';
import { PERSISTENCE, RESIDUALS, sharedRainShape, sharedVariance } from './residuals.js';
import { drawInnovations, openMemberStream, type SharedWeather, type WeatherOrigin } from './shared-weather.js';

/** One member's daily values, one array a variable, lead 0 first. */
export type MemberWeather = Record<DemoVariable, Float32Array>;

/**
 * Makes one member's weather: a first-order Markov chain of wet and dry days with gamma-distributed amounts, and the
 * other variables from autoregressive residuals whose means depend on wet or dry.
 *
 * Part of a day's noise is common to the ensemble, part belongs to the member (`sharedVariance`), so that each member
 * has the generator's climate while the members diverge with lead time.
 * Sources: Richardson 1981, Water Resour. Res. 17, 182-190; Wilks and Wilby 1999, Prog. Phys. Geogr. 23, 329-357.
 */
export function createMemberWeather(origin: WeatherOrigin, shared: SharedWeather, member: number): MemberWeather {
  const random = openMemberStream(origin, member);
  const residuals = shared.analysedResiduals.slice();
  let wet = shared.analysedWet;
  const decimals = mapVariables((slug) => findVariable(slug).decimals);
  const weather = mapVariables(() => new Float32Array(origin.days));
  for (let lead = 0; lead < origin.days; lead++) {
    const climate = shared.climate[lead];
    const commonShare = sharedVariance(lead);
    const mix = (common: number, own: number) => Math.sqrt(commonShare) * common + Math.sqrt(1 - commonShare) * own;

    const own = drawInnovations(random);
    RESIDUALS.forEach((_, index) => {
      const innovation = mix(shared.innovations[lead * RESIDUALS.length + index], own[index]);
      const persistence = PERSISTENCE[index];
      residuals[index] = persistence * residuals[index] + Math.sqrt(1 - persistence ** 2) * innovation;
    });

    const wetProbability = wet ? climate.wetAfterWet : climate.wetAfterDry;
    wet = mix(shared.occurrence[lead], drawNormal(random)) < normalQuantile(wetProbability);
    // The sum of gamma variates of one scale is a gamma variate: its shape is RAIN_SHAPE, whatever the two parts are.
    const rain = wet ? shared.rain[lead] + drawGamma(random, RAIN_SHAPE - sharedRainShape(RAIN_SHAPE, lead)) : 0;

    const day = dayWeather(climate, residuals, wet, rain);
    for (const slug of DEMO_VARIABLES) weather[slug][lead] = roundTo(day[slug], decimals[slug]);
  }
  return weather;
}

function dayWeather(
  climate: DayClimate,
  [temperature, sunshine, range, humidity, wind, gustiness]: Float64Array,
  wet: boolean,
  rain: number,
): Record<DemoVariable, number> {
  const mean = climate.temperature + climate.temperatureDeviation * temperature;
  const halfRange = 0.5 * climate.diurnalRange * (wet ? 0.6 : 1) * Math.exp(0.25 * range);
  const sunshineShare = logistic((wet ? -0.9 : 0.8) + sunshine);
  const windSpeed = climate.windSpeed * (wet ? 1.15 : 1) * Math.exp(0.4 * wind);
  const peak = Math.exp(0.3 * gustiness);
  const windSpeedMax = windSpeed * (1 + 0.5 * peak);
  return {
    temp_mean: mean,
    temp_min: mean - halfRange,
    temp_max: mean + halfRange,
    precipitation: wet ? WET_DAY_MINIMUM + climate.rainScale * rain : 0,
    relative_humidity: 100 * logistic((wet ? 1.7 : 0.6) + 0.6 * humidity),
    wind_speed: windSpeed,
    wind_speed_max: windSpeedMax,
    wind_gust_max: windSpeedMax * (1 + 0.4 * peak),
    // FAO-56 equation 35 with its default coefficients: 0.25 on overcast days, 0.75 under a clear sky.
    solar_radiation: (0.25 + 0.5 * sunshineShare) * climate.extraterrestrialRadiation,
  };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  // Adding 0 turns -0 into 0.
  return Math.round(value * scale) / scale + 0;
}

import { climateOn, type DayClimate, RAIN_SHAPE } from './climate.js';
import { drawGamma, drawNormal, normalQuantile } from './distributions.js';
import { createRandomStream, type RandomStream } from './random.js';
import { correlateInnovations, RESIDUALS, sharedRainShape } from './residuals.js';

/** The place, the days and the seed of generated weather. */
export interface WeatherOrigin {
  seed: number;
  latitude: number;
  longitude: number;
  /** The first day, lead 0, in days since 1970-01-01. */
  initDate: number;
  days: number;
}

/** What all members of an ensemble at one location have in common. */
export interface SharedWeather {
  /** One entry a day. */
  climate: readonly DayClimate[];
  /** The residuals of the analysis, the day before lead 0, in the order of `RESIDUALS`. */
  analysedResiduals: Float64Array;
  analysedWet: boolean;
  /** Common innovations, `RESIDUALS.length` a day. */
  innovations: Float64Array;
  /** The common part of the normal number that decides between wet and dry, one a day. */
  occurrence: Float64Array;
  /** The common part of the gamma variate of a wet day's rain, one a day. */
  rain: Float64Array;
}

/** Makes the weather that the members of one ensemble have in common. */
export function createSharedWeather(origin: WeatherOrigin): SharedWeather {
  const { latitude, initDate, days } = origin;
  const random = openStream(origin, 0);
  const climate = Array.from({ length: days }, (_, lead) => climateOn(latitude, initDate + lead));
  const analysedResiduals = drawInnovations(random);
  const analysedWet = drawNormal(random) < normalQuantile(climateOn(latitude, initDate - 1).wetShare);
  const innovations = new Float64Array(days * RESIDUALS.length);
  const occurrence = new Float64Array(days);
  const rain = new Float64Array(days);
  for (let lead = 0; lead < days; lead++) {
    innovations.set(drawInnovations(random), lead * RESIDUALS.length);
    occurrence[lead] = drawNormal(random);
    rain[lead] = drawGamma(random, sharedRainShape(RAIN_SHAPE, lead));
  }
  return { climate, analysedResiduals, analysedWet, innovations, occurrence, rain };
}

/** The random numbers that belong to one member alone. */
export function openMemberStream(origin: WeatherOrigin, member: number): RandomStream {
  return openStream(origin, 1 + member);
}

/** Draws one day's correlated innovations, in the order of `RESIDUALS`. */
export function drawInnovations(random: RandomStream): Float64Array {
  const values = Float64Array.from(RESIDUALS, () => drawNormal(random));
  correlateInnovations(values);
  return values;
}

function openStream({ seed, latitude, longitude, initDate }: WeatherOrigin, stream: number): RandomStream {
  const wrapped = longitude - 360 * Math.floor((longitude + 180) / 360);
  return createRandomStream([seed, Math.round(latitude * 1e6), Math.round(wrapped * 1e6), initDate, stream]);
}

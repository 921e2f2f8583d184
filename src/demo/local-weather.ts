import { findVariable } from '../variable/index.js';
import { WET_DAY_MINIMUM } from './climate.js';
import { REGION_CENTRE } from './demo-region.js';
import type { DemoVariable } from './demo-variables.js';
import type { RegionalWeather } from './regional-weather.js';

/** A place of a region. */
interface LocalPlace {
  readonly latitude: number;
  readonly longitude: number;
  /** Above sea level. */
  readonly metres: number;
}

/** How a model differs from the generator's climate. */
export interface ModelBias {
  /** Added to temperatures (degC). */
  readonly warmer: number;
  /** The factor by which rain is multiplied. */
  readonly wetter: number;
}

/** The requested part of a region's weather. */
export interface LocalSpan {
  readonly place: LocalPlace;
  readonly bias: ModelBias;
  /** The first day, counted from the weather's first. */
  readonly firstLead: number;
}

/** The fall of temperature with height (degC per m), that of the standard atmosphere. */
const LAPSE_RATE = 0.0065;

/** The height of the region's centre (m), for which the weather is made. */
const CENTRE_METRES = 400;

/** The fall of temperature towards the north (degC per degree). */
const NORTHWARD_COOLING = 0.7;

/** Changes a value of the region's centre to that of a place; `gradient` is the day's difference between the two. */
type Change = (value: number, gradient: number, place: LocalPlace, bias: ModelBias) => number;

const CHANGES: Record<DemoVariable, Change> = {
  temp_mean: temperature,
  temp_min: temperature,
  temp_max: temperature,
  precipitation(value, gradient, { metres }, { wetter }) {
    const rain = value * wetter * (1 + 0.0004 * (metres - CENTRE_METRES)) * Math.exp(0.5 * gradient);
    return rain < WET_DAY_MINIMUM ? 0 : rain;
  },
  relative_humidity: (value, gradient) => Math.min(100, Math.max(0, value + 4 * gradient)),
  wind_speed: wind,
  wind_speed_max: wind,
  wind_gust_max: wind,
  // Never above the value of the centre, which is at most that of a clear sky.
  solar_radiation: (value, gradient) => value * Math.min(1, Math.max(0.6, 0.95 - 0.08 * gradient)),
};

/**
 * Writes one variable of one member at a place to `into`, one value a day from `firstLead` on: that of the region's
 * centre, changed by height, latitude and the day's gradients, so that neighbouring places have nearly the same
 * weather. Values have the decimals of the registry; minimum, mean and maximum keep their order.
 */
export function writeLocalWeather(
  into: Float32Array,
  slug: DemoVariable,
  { centre, northward, eastward }: RegionalWeather,
  { place, bias, firstLead }: LocalSpan,
): void {
  const change = CHANGES[slug];
  const north = place.latitude - REGION_CENTRE.latitude;
  const east = place.longitude - REGION_CENTRE.longitude;
  const scale = 10 ** findVariable(slug).decimals;
  const values = centre[slug];
  for (let day = 0; day < into.length; day++) {
    const lead = firstLead + day;
    const gradient = northward[lead] * north + eastward[lead] * east;
    // Adding 0 turns -0 into 0.
    into[day] = Math.round(change(values[lead], gradient, place, bias) * scale) / scale + 0;
  }
}

function temperature(value: number, gradient: number, { latitude, metres }: LocalPlace, { warmer }: ModelBias): number {
  const higher = metres - CENTRE_METRES;
  const further = latitude - REGION_CENTRE.latitude;
  return value + warmer + gradient - LAPSE_RATE * higher - NORTHWARD_COOLING * further;
}

function wind(value: number, gradient: number, { metres }: LocalPlace): number {
  return value * (1 + 0.0005 * (metres - CENTRE_METRES)) * Math.exp(0.15 * gradient);
}

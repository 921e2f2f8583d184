import { OptionError } from '../errors.js';

/** Metres above sea level: everywhere; of each place, in the order of the result; or as a function of the place. */
export type Elevation = number | Float64Array | ((latitude: number, longitude: number) => number);

const [LOWEST, HIGHEST] = [-1000, 10_000];

/**
 * The elevation of each place; NaN where it is not known of one. Throws OptionError where none is given, where one is out of
 * range, and where there are not as many as places.
 */
export function elevationsOf(
  elevation: Elevation | undefined,
  latitude: Float64Array,
  longitude: Float64Array,
): Float64Array {
  const elevations = onePerPlace(elevation, latitude, longitude);
  const wrong = elevations.find((metres) => metres < LOWEST || metres > HIGHEST);
  if (wrong !== undefined) throw unusable('out of range', wrong, `metres from ${LOWEST} to ${HIGHEST}`);
  return elevations;
}

function onePerPlace(elevation: Elevation | undefined, latitude: Float64Array, longitude: Float64Array): Float64Array {
  if (typeof elevation === 'function') return latitude.map((north, place) => elevation(north, longitude[place]));
  if (elevation instanceof Float64Array) {
    if (elevation.length === latitude.length) return elevation;
    throw unusable('not one for each place', elevation.length, `${latitude.length}, in the order of the places`);
  }
  if (typeof elevation === 'number' && !Number.isNaN(elevation)) return latitude.map(() => elevation);
  throw unusable(
    'missing, and evapotranspiration depends on it',
    elevation,
    'metres above sea level: a number, a Float64Array with one for each place, or a function of latitude and longitude',
  );
}

function unusable(problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject: 'elevation', problem, received, allowed });
}

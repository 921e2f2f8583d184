import { OptionError } from '../errors.js';

/** Metres above sea level: everywhere; of each place, in the order of the result; or as a function of the place. */
export type Elevation = number | ArrayLike<number> | ((latitude: number, longitude: number) => number);

const [LOWEST, HIGHEST] = [-1000, 10_000];

/**
 * Reads the elevation of each place; NaN where one of several is not known. Throws OptionError where none is known,
 * where one is not a number in range, and where there is not one for each place.
 */
export function readElevations(
  elevation: Elevation | undefined,
  latitude: Float64Array,
  longitude: Float64Array,
): Float64Array {
  const elevations = onePerPlace(elevation, latitude, longitude);
  const wrong = elevations.find((metres) => typeof metres !== 'number' || metres < LOWEST || metres > HIGHEST);
  if (wrong !== undefined) throw unusable('not a number in range', wrong, `metres from ${LOWEST} to ${HIGHEST}`);
  if (elevations.every(Number.isNaN)) throw missing(elevation);
  return Float64Array.from(elevations);
}

function onePerPlace(
  elevation: Elevation | undefined,
  latitude: Float64Array,
  longitude: Float64Array,
): readonly number[] {
  if (elevation === undefined || elevation === null) throw missing(elevation);
  const places = [...latitude.keys()];
  if (typeof elevation === 'function') {
    return places.map((place) => elevation(latitude[place], longitude[place]) ?? Number.NaN);
  }
  if (typeof elevation !== 'object') return places.map(() => elevation);
  const elevations = Array.from(elevation);
  if (elevations.length === places.length) return elevations;
  throw unusable('not one for each place', elevations.length, `${places.length}, in the order of the places`);
}

function missing(received: unknown): OptionError {
  return unusable(
    'missing, and evapotranspiration depends on it',
    received,
    'metres above sea level: a number, a list with one for each place, or a function of latitude and longitude',
  );
}

function unusable(problem: string, received: unknown, allowed: string): OptionError {
  return new OptionError({ subject: 'elevation', problem, received, allowed });
}

import { OptionError } from '../errors.js';

/** Metres above sea level: everywhere; of each place, in the order of the result; or as a function of the place. */
export type Elevation = number | ArrayLike<number> | ((latitude: number, longitude: number) => number);

const [LOWEST, HIGHEST] = [-1000, 10_000];

/**
 * The elevation of each place; NaN where it is not known of one of several. Throws OptionError where it is known of none, where one is
 * no number or out of range, and where there are not as many as places.
 */
export function readElevations(
  elevation: Elevation | undefined,
  latitude: Float64Array,
  longitude: Float64Array,
): Float64Array {
  const elevations = onePerPlace(elevation, latitude, longitude);
  const wrong = elevations.find((metres) => typeof metres !== 'number' || metres < LOWEST || metres > HIGHEST);
  if (wrong !== undefined) throw unusable('no number in range', wrong, `metres from ${LOWEST} to ${HIGHEST}`);
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

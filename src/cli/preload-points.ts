import { type PlaceIndex, type Places, type Point, wrapLongitude } from '../ensemble/nearest-place.js';
import { DataError } from '../errors.js';

/** The step of the grid of legacy history, in parts of a degree. */
const PARTS = 4;

/** The point of the 0.25 degree grid that is nearest to a point, its longitude from -180 on. */
function legacyPoint({ latitude, longitude }: Point): Point {
  // Adding 0 turns -0 into 0.
  return {
    latitude: Math.round(latitude * PARTS) / PARTS + 0,
    longitude: wrapLongitude(Math.round(longitude * PARTS) / PARTS) + 0,
  };
}

/** The 0.25 degree points of given ones, none twice. Throws DataError where a history does not cover one. */
export function coveredPoints(points: Iterable<Point>, history: PlaceIndex): Places {
  const found = new Map<string, Point>();
  for (const point of points) {
    const snapped = legacyPoint(point);
    if (history.covering(snapped) === undefined) {
      throw new DataError({
        subject: 'history',
        problem: 'does not cover the location',
        received: `${snapped.latitude}, ${snapped.longitude}`,
        allowed: 'points within one grid step of its places',
      });
    }
    found.set(`${snapped.latitude} ${snapped.longitude}`, snapped);
  }
  const all = [...found.values()];
  return {
    latitude: Float64Array.from(all, ({ latitude }) => latitude),
    longitude: Float64Array.from(all, ({ longitude }) => longitude),
  };
}

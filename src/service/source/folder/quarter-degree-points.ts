import type { Places } from '../../../ensemble/nearest-place.js';

const PER_DEGREE = 4;
const AROUND = 360 * PER_DEGREE;
const NORTH_POLE = 180 * PER_DEGREE;

/** A set of points of the 0.25 degree grid. */
export class QuarterDegreePoints {
  readonly #keys = new Set<number>();

  get size(): number {
    return this.#keys.size;
  }

  /** Adds the points of the grid that are nearest to places. */
  add({ latitude, longitude }: Places): void {
    for (let i = 0; i < latitude.length; i++) this.#keys.add(key(latitude[i], longitude[i]));
  }

  has(latitude: number, longitude: number): boolean {
    return this.#keys.has(key(latitude, longitude));
  }

  /** The points, from the south to the north; longitudes from -180 on. */
  places(): Places {
    const keys = Float64Array.from(this.#keys).sort();
    return {
      latitude: keys.map((each) => Math.floor(each / AROUND) / PER_DEGREE - 90),
      longitude: keys.map((each) => (((each % AROUND) + AROUND / 2) % AROUND) / PER_DEGREE - 180),
    };
  }
}

/**
 * A point's number in the grid, row by row from the south pole, from the meridian of Greenwich to the east; each pole
 * is one point.
 */
function key(latitude: number, longitude: number): number {
  const row = Math.round((latitude + 90) * PER_DEGREE);
  const column = Math.round(longitude * PER_DEGREE) % AROUND;
  const isPole = row === 0 || row === NORTH_POLE;
  return row * AROUND + (isPole ? 0 : (column + AROUND) % AROUND);
}

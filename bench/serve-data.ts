import type { Places, Point } from '../src/ensemble/nearest-place.js';

/** Places of a square grid of 0.25 degrees, from 30 S 120 W on: the load generator knows it. */
export function squareGrid(cells: number): Places {
  const places = Array.from({ length: cells }, (_, cell) => placeOf(cell, cells));
  return {
    latitude: Float64Array.from(places, ({ latitude }) => latitude),
    longitude: Float64Array.from(places, ({ longitude }) => longitude),
  };
}

/** A point near a place of the grid. */
export function pointNear(cell: number, cells: number): Point {
  const { latitude, longitude } = placeOf(cell, cells);
  return { latitude: latitude + 0.05, longitude: longitude - 0.05 };
}

function placeOf(cell: number, cells: number): Point {
  const side = Math.ceil(Math.sqrt(cells));
  return { latitude: -30 + Math.floor(cell / side) * 0.25, longitude: -120 + (cell % side) * 0.25 };
}

/** Rain, or none, for each cell: seeded, in blocks of a hundred cells. */
export function* randomBlocks(cells: number, valuesOfCell: number): Generator<Float32Array> {
  let state = 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  for (let cell = 0; cell < cells; cell += 100) {
    const count = Math.min(100, cells - cell);
    yield Float32Array.from({ length: count * valuesOfCell }, () => {
      const wet = random() - 0.6;
      return wet < 0 ? 0 : Math.round(wet * 5000) / 100;
    });
  }
}

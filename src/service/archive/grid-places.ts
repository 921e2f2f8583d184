import { PlaceIndex } from '../../ensemble/place-index.js';
import type { Grid } from '../../files/cf/index.js';

/** An archive has so many parts, each with a grid. */
const MAX_GRIDS = 4;

/** The place indexes of grids, each made once: for a grid of a million cells, that takes a second. */
export class GridPlaces {
  #known: readonly { readonly grid: Grid; readonly places: PlaceIndex }[] = [];

  of(grid: Grid): PlaceIndex {
    const known = this.#known.find((each) => isSameGrid(each.grid, grid));
    if (known !== undefined) return known.places;
    const places = createPlaceIndex(grid);
    this.#known = [{ grid, places }, ...this.#known].slice(0, MAX_GRIDS);
    return places;
  }
}

/** The places of all cells of a grid, in their order. */
function createPlaceIndex(grid: Grid): PlaceIndex {
  if (grid.kind === 'places') return new PlaceIndex(grid, grid.shape);
  const { latitude, longitude } = grid;
  const width = longitude.length;
  const cells = latitude.length * width;
  return new PlaceIndex({
    latitude: Float64Array.from({ length: cells }, (_, cell) => latitude[Math.floor(cell / width)]),
    longitude: Float64Array.from({ length: cells }, (_, cell) => longitude[cell % width]),
  });
}

/** Whether two grids have the same cells, in the same order. */
export function isSameGrid(a: Grid, b: Grid): boolean {
  return a.kind === b.kind && isSame(a.latitude, b.latitude) && isSame(a.longitude, b.longitude);
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  return a === b || (a.length === b.length && a.every((value, i) => value === b[i]));
}

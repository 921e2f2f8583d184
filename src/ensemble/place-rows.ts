/** The first row of each place, by exact coordinates. Texts as keys would take four times the memory, and more time. */
export class PlaceRows {
  readonly #rows = new Map<number, Map<number, number>>();

  /** Adds a place that begins in `row`. If the place is known already, returns the row where it begins instead. */
  add(latitude: number, longitude: number, row: number): number | undefined {
    let along = this.#rows.get(latitude);
    if (along === undefined) {
      along = new Map();
      this.#rows.set(latitude, along);
    }
    const before = along.get(longitude);
    if (before === undefined) along.set(longitude, row);
    return before;
  }
}

/*
 * Coordinates in one form for all inputs, tables and grids, so that a place has the same coordinates in every result.
 */

/** Turns a longitude above 180 degrees into a western one: 280.16 is -79.84, to a ten-billionth of a degree. */
export function westernLongitude(longitude: number): number {
  // Adding 0 turns -0 into 0.
  return longitude > 180 ? Math.round((longitude - 360) * 1e10) / 1e10 + 0 : longitude;
}

/** Rounds degrees that were stored as float32, which has about seven digits: 37.3, not 37.29999923706055. */
export function singleDegrees(degrees: number): number {
  const size = Math.abs(degrees);
  const scale = size >= 100 ? 1e4 : size >= 10 ? 1e5 : size >= 1 ? 1e6 : 1e7;
  return Math.round(degrees * scale) / scale;
}

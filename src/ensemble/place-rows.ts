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

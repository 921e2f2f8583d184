/** The first row of each place, by its exact coordinates: texts as keys would take four times as much memory, and longer to make. */
export class PlaceRows {
  readonly #rows = new Map<number, Map<number, number>>();

  /** Notes that a place begins in `row`, unless it did before: then gives the row where. */
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

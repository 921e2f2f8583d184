/** Finds out in which order rows come, by the numbers of their locations in the order of their first rows. */
export class RowOrder {
  #rows = 0;
  #isSorted = true;
  #isByLocation = true;
  #isByDay = true;
  #startsByDay = false;
  /** The number of rows of the first day. */
  #rowsOfDay = 0;
  #location = 0;
  #member = 0;
  #day = 0;

  add(location: number, member: number, day: number): void {
    const row = this.#rows++;
    const before = row === 0 ? -1 : this.#location;
    const isSameDay = row === 0 || day === this.#day;
    if (row === 1) this.#startsByDay = isSameDay && location !== before;
    if (location < before) {
      this.#isByLocation = false;
      this.#isSorted = false;
    } else if (location === before) {
      if (member < this.#member || (member === this.#member && day <= this.#day)) this.#isSorted = false;
    }
    if (isSameDay && this.#rowsOfDay === 0) {
      if (location !== row) this.#isByDay = false;
    } else {
      if (this.#rowsOfDay === 0) this.#rowsOfDay = row;
      const place = row % this.#rowsOfDay;
      if (location !== place || (place === 0 ? day <= this.#day : day !== this.#day)) this.#isByDay = false;
    }
    this.#location = location;
    this.#member = member;
    this.#day = day;
  }

  /** Whether rows are in the order of their locations, members and days. */
  get isSorted(): boolean {
    return this.#isSorted;
  }

  /**
   * Whether rows that have all members go by day, each with the locations of the first day in the same order, where the
   * first two do, else by location; the days of a location may be out of order.
   */
  get isRegular(): boolean {
    if (!this.#startsByDay) return this.#isByLocation;
    return this.#isByDay && (this.#rowsOfDay === 0 || this.#rows % this.#rowsOfDay === 0);
  }
}

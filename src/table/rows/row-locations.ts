/** Numbers of a location, in one line of the processor's cache: rows in any order meet locations in any order. */
const RECORD = 8;
const LATITUDE = 0;
const LONGITUDE = 1;
const FIRST_DAY = 2;
const LAST_DAY = 3;
const ROWS = 4;
/** The location of the row that followed one of this location last. */
const FOLLOWING = 5;

/** How often guesses may be wrong before few are made, and how few. */
const PATIENCE = 16;
const ONE_IN = 64;

/** The first and the last day of some rows, and their number. */
export interface DaySpan {
  readonly first: number;
  readonly last: number;
  readonly rows: number;
}

/** The locations of rows, numbered in the order of their first row, and the days that each covers. */
export class RowLocations {
  #count = 0;
  #records = new Float64Array(64 * RECORD);
  /** Locations by a hash of their coordinates, plus one; 0 where there is none. At most half of the slots are used. */
  #slots = new Int32Array(256);
  /** The location of the row before. */
  #before = 0;
  #patience = PATIENCE;
  #lookups = 0;

  get count(): number {
    return this.#count;
  }

  /** NaN for rows without coordinates, as the longitude. */
  latitudeOf(location: number): number {
    return this.#records[location * RECORD + LATITUDE];
  }

  longitudeOf(location: number): number {
    return this.#records[location * RECORD + LONGITUDE];
  }

  firstDayOf(location: number): number {
    return this.#records[location * RECORD + FIRST_DAY];
  }

  lastDayOf(location: number): number {
    return this.#records[location * RECORD + LAST_DAY];
  }

  /** The number of rows, of all members. */
  rowsOf(location: number): number {
    return this.#records[location * RECORD + ROWS];
  }

  /** The coordinates of the locations from `from` up to, not including, `to`. */
  placesOf(from: number, to: number): { latitude: Float64Array; longitude: Float64Array } {
    const of = (field: number) =>
      Float64Array.from({ length: to - from }, (_, i) => this.#records[(from + i) * RECORD + field]);
    return { latitude: of(LATITUDE), longitude: of(LONGITUDE) };
  }

  /** Adds a row of a location, and returns its number. */
  add(latitude: number, longitude: number, day: number): number {
    const location = this.#find(latitude, longitude);
    this.#addRow(location, day);
    return location;
  }

  /** Adds a location by all its rows; false if there are rows of it already. */
  addWhole(latitude: number, longitude: number, { first, last, rows }: DaySpan): boolean {
    const { count } = this;
    const location = this.#find(latitude, longitude);
    if (location < count) return false;
    const [records, at] = [this.#records, location * RECORD];
    records[at + FIRST_DAY] = first;
    records[at + LAST_DAY] = last;
    records[at + ROWS] = rows;
    return true;
  }

  /** Adds a row of a table whose rows have no coordinates, and returns the number of its only location. */
  addUnplaced(day: number): number {
    if (this.#count === 0) this.#create(Number.NaN, Number.NaN, 0);
    this.#addRow(0, day);
    return 0;
  }

  #addRow(location: number, day: number): void {
    const [records, at] = [this.#records, location * RECORD];
    records[at + ROWS]++;
    if (day < records[at + FIRST_DAY]) records[at + FIRST_DAY] = day;
    if (day > records[at + LAST_DAY]) records[at + LAST_DAY] = day;
  }

  /** Most locations come in runs, or in the same order again and again. */
  #find(latitude: number, longitude: number): number {
    const before = this.#before;
    if (this.#isAt(before, latitude, longitude)) return before;
    if (this.#patience > 0 || ++this.#lookups % ONE_IN === 0) {
      const next = this.#records[before * RECORD + FOLLOWING];
      if (this.#isAt(next, latitude, longitude)) {
        this.#patience = PATIENCE;
        return (this.#before = next);
      }
      if (this.#patience > 0) this.#patience--;
    }
    const slot = this.#slotOf(latitude, longitude);
    const found = this.#slots[slot] > 0 ? this.#slots[slot] - 1 : this.#create(latitude, longitude, slot);
    this.#records[before * RECORD + FOLLOWING] = found;
    return (this.#before = found);
  }

  #isAt(location: number, latitude: number, longitude: number): boolean {
    const [records, at] = [this.#records, location * RECORD];
    return location < this.#count && records[at + LATITUDE] === latitude && records[at + LONGITUDE] === longitude;
  }

  /** The slot of a place, or the one that is free for it. */
  #slotOf(latitude: number, longitude: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOfPlace(latitude, longitude) & mask;
    while (this.#slots[slot] > 0 && !this.#isAt(this.#slots[slot] - 1, latitude, longitude)) slot = (slot + 1) & mask;
    return slot;
  }

  #create(latitude: number, longitude: number, slot: number): number {
    const location = this.#count++;
    this.#slots[slot] = this.#count;
    if (this.#count * RECORD > this.#records.length) {
      const records = new Float64Array(2 * this.#records.length);
      records.set(this.#records);
      this.#records = records;
    }
    const at = location * RECORD;
    this.#records[at + LATITUDE] = latitude;
    this.#records[at + LONGITUDE] = longitude;
    this.#records[at + FIRST_DAY] = Number.POSITIVE_INFINITY;
    this.#records[at + LAST_DAY] = Number.NEGATIVE_INFINITY;
    if (2 * this.#count === this.#slots.length) this.#growSlots();
    return location;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let location = 0; location < this.#count; location++) {
      this.#slots[this.#slotOf(this.latitudeOf(location), this.longitudeOf(location))] = location + 1;
    }
  }
}

const degrees = /* @__PURE__ */ new Float64Array(2);
const words = /* @__PURE__ */ new Uint32Array(degrees.buffer);

/** A hash of two numbers of degrees: all bits of both decide its lowest bits. */
function hashOfPlace(latitude: number, longitude: number): number {
  // Zero has two signs.
  degrees[0] = latitude + 0;
  degrees[1] = longitude + 0;
  let hash = 0;
  for (let i = 0; i < 4; i++) hash = Math.imul(hash ^ words[i], 0x9e3779b1) ^ (hash >>> 15);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return hash ^ (hash >>> 13);
}

/** The locations of rows, numbered in the order of their first row, and the days that each covers. */
export class GatheredLocations {
  #count = 0;
  #latitude = new Float64Array(64).fill(Number.NaN);
  #longitude = new Float64Array(64).fill(Number.NaN);
  #first = new Int32Array(64);
  #last = new Int32Array(64);
  #rows = new Float64Array(64);
  /** Locations by a hash of their coordinates, plus one; 0 where there is none. At most half of the slots are used. */
  #slots = new Int32Array(256);
  /** The location of the row before, and for each location the one that followed it last. */
  #before = 0;
  #following = new Int32Array(64);

  get count(): number {
    return this.#count;
  }

  /** NaN for rows without coordinates. */
  get latitude(): Float64Array {
    return this.#latitude;
  }

  get longitude(): Float64Array {
    return this.#longitude;
  }

  /** The first day of each location. */
  get first(): Int32Array {
    return this.#first;
  }

  /** The last day of each location. */
  get last(): Int32Array {
    return this.#last;
  }

  /** The number of rows of each location, of all members. */
  get rows(): Float64Array {
    return this.#rows;
  }

  /** Adds a row of a location, and returns its number. */
  add(latitude: number, longitude: number, day: number): number {
    const location = this.#find(latitude, longitude);
    this.#rows[location]++;
    if (day < this.#first[location]) this.#first[location] = day;
    if (day > this.#last[location]) this.#last[location] = day;
    return location;
  }

  /** Adds a row of a table whose rows have no coordinates, and returns the number of its only location. */
  addUnplaced(day: number): number {
    if (this.#count === 0) this.#create(Number.NaN, Number.NaN, 0);
    this.#rows[0]++;
    if (day < this.#first[0]) this.#first[0] = day;
    if (day > this.#last[0]) this.#last[0] = day;
    return 0;
  }

  /** Locations come in runs, and in the same order again and again. */
  #find(latitude: number, longitude: number): number {
    const before = this.#before;
    if (this.#latitude[before] === latitude && this.#longitude[before] === longitude) return before;
    const next = this.#following[before];
    if (this.#latitude[next] === latitude && this.#longitude[next] === longitude) return (this.#before = next);
    const slot = this.#slotOf(latitude, longitude);
    const found = this.#slots[slot] > 0 ? this.#slots[slot] - 1 : this.#create(latitude, longitude, slot);
    this.#following[before] = found;
    return (this.#before = found);
  }

  /** The slot of a place, or the one that is free for it. */
  #slotOf(latitude: number, longitude: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOfPlace(latitude, longitude) & mask;
    for (; this.#slots[slot] > 0; slot = (slot + 1) & mask) {
      const location = this.#slots[slot] - 1;
      if (this.#latitude[location] === latitude && this.#longitude[location] === longitude) break;
    }
    return slot;
  }

  #create(latitude: number, longitude: number, slot: number): number {
    if (this.#count === this.#rows.length) this.#grow();
    const location = this.#count++;
    this.#slots[slot] = this.#count;
    this.#latitude[location] = latitude;
    this.#longitude[location] = longitude;
    this.#first[location] = 0x7fffffff;
    this.#last[location] = -0x80000000;
    if (2 * this.#count === this.#slots.length) this.#growSlots();
    return location;
  }

  #grow(): void {
    const length = 2 * this.#count;
    const grown = <T extends Float64Array | Int32Array>(to: T, from: T): T => {
      to.set(from);
      return to;
    };
    this.#latitude = grown(new Float64Array(length), this.#latitude).fill(Number.NaN, this.#count);
    this.#longitude = grown(new Float64Array(length), this.#longitude).fill(Number.NaN, this.#count);
    this.#first = grown(new Int32Array(length), this.#first);
    this.#last = grown(new Int32Array(length), this.#last);
    this.#rows = grown(new Float64Array(length), this.#rows);
    this.#following = grown(new Int32Array(length), this.#following);
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let location = 0; location < this.#count; location++) {
      this.#slots[this.#slotOf(this.#latitude[location], this.#longitude[location])] = location + 1;
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

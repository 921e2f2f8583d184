/** Of a hundred slots at most this many are taken. */
const MOST_TAKEN = 0.6;

/**
 * The first row of each place, by its exact coordinates: some 40 bytes a place, where texts as keys take four times as much and
 * longer to make.
 */
export class PlaceRows {
  #count = 0;
  /** Three numbers a slot: latitude, longitude and row; the row of a free slot is -1. */
  #slots = freeSlots(1024);

  /** Notes that a place begins in `row`, unless it did before: then gives the row where. */
  add(latitude: number, longitude: number, row: number): number | undefined {
    const at = this.#find(latitude, longitude);
    const before = this.#slots[at + 2];
    if (before >= 0) return before;
    this.#put(at, latitude, longitude, row);
    if (++this.#count > (this.#slots.length / 3) * MOST_TAKEN) this.#grow();
    return undefined;
  }

  /** The slot that a place has, or the free one where it belongs. */
  #find(latitude: number, longitude: number): number {
    const slots = this.#slots;
    const count = slots.length / 3;
    let slot = hash(latitude, longitude) & (count - 1);
    for (; ; slot = (slot + 1) & (count - 1)) {
      const at = 3 * slot;
      if (slots[at + 2] < 0 || (slots[at] === latitude && slots[at + 1] === longitude)) return at;
    }
  }

  #put(at: number, latitude: number, longitude: number, row: number): void {
    this.#slots[at] = latitude;
    this.#slots[at + 1] = longitude;
    this.#slots[at + 2] = row;
  }

  #grow(): void {
    const former = this.#slots;
    this.#slots = freeSlots((2 * former.length) / 3);
    for (let at = 0; at < former.length; at += 3) {
      if (former[at + 2] < 0) continue;
      this.#put(this.#find(former[at], former[at + 1]), former[at], former[at + 1], former[at + 2]);
    }
  }
}

function freeSlots(count: number): Float64Array {
  return new Float64Array(3 * count).fill(-1);
}

/** Places of a grid differ in the last of these whole numbers; multiplying spreads them over all bits. */
function hash(latitude: number, longitude: number): number {
  const north = Math.round(latitude * 1e5) | 0;
  const east = Math.round(longitude * 1e5) | 0;
  const mixed = Math.imul(north, 0x9e3779b1) ^ Math.imul(east, 0x85ebca6b);
  return Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d) >>> 8;
}

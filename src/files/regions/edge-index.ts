import { RADIANS } from '../projection/projection.js';
import type { RegionEdges } from './region.js';

/** The edges of an outline by latitude, in radians. */
export class EdgeIndex {
  readonly ends: Float64Array;
  readonly next: Int32Array;
  /** The edge that ends where each begins. */
  readonly before: Int32Array;
  readonly south: number;
  readonly north: number;
  readonly west: number;
  readonly east: number;
  readonly #perBand: number;
  /** Where the edges of each band begin in the list of all. */
  readonly #starts: Int32Array;
  readonly #edges: Int32Array;

  constructor({ count, ends, next, west, east }: RegionEdges) {
    this.ends = ends.map((degrees) => degrees * RADIANS);
    this.next = next;
    this.before = new Int32Array(count);
    for (let edge = 0; edge < count; edge++) this.before[next[edge]] = edge;
    [this.west, this.east] = [west * RADIANS, east * RADIANS];
    let [south, north] = [4, -4];
    for (let i = 1; i < this.ends.length; i += 2) {
      south = Math.min(south, this.ends[i]);
      north = Math.max(north, this.ends[i]);
    }
    [this.south, this.north] = [south, north];
    const bands = Math.max(1, Math.min(4096, count));
    this.#perBand = (north - south) / bands;
    this.#starts = new Int32Array(bands + 1);
    for (const [, low, high] of this.#bandsOfEdges()) {
      for (let band = low; band <= high; band++) this.#starts[band + 1]++;
    }
    for (let band = 0; band < bands; band++) this.#starts[band + 1] += this.#starts[band];
    this.#edges = new Int32Array(this.#starts[bands]);
    const at = this.#starts.slice();
    for (const [edge, low, high] of this.#bandsOfEdges()) {
      for (let band = low; band <= high; band++) this.#edges[at[band]++] = edge;
    }
  }

  /** Calls `visit` once with each edge that may be between two latitudes. */
  visit(south: number, north: number, visit: (edge: number) => void): void {
    const [first, last] = [this.#bandOf(south), this.#bandOf(north)];
    for (let band = first; band <= last; band++) {
      for (let i = this.#starts[band]; i < this.#starts[band + 1]; i++) {
        const edge = this.#edges[i];
        const begins = this.#bandOf(Math.min(this.ends[4 * edge + 1], this.ends[4 * edge + 3]));
        if (band === Math.max(first, begins)) visit(edge);
      }
    }
  }

  *#bandsOfEdges(): Generator<readonly [edge: number, low: number, high: number]> {
    for (let edge = 0; edge < this.next.length; edge++) {
      const [one, other] = [this.#bandOf(this.ends[4 * edge + 1]), this.#bandOf(this.ends[4 * edge + 3])];
      yield [edge, Math.min(one, other), Math.max(one, other)];
    }
  }

  #bandOf(latitude: number): number {
    const band = Math.floor((latitude - this.south) / this.#perBand);
    return Math.max(0, Math.min(this.#starts.length - 2, band));
  }
}

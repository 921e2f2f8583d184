import type { PlaceIndex } from '../../ensemble/nearest-place.js';

const UNKNOWN = -2;
const ABSENT = -1;

/** Which cell of other places covers each cell of some places. Each is looked up once; four bytes a cell are kept. */
export class MatchedCells {
  readonly #places: PlaceIndex;
  readonly #others: PlaceIndex;
  readonly #found: Int32Array;

  constructor(places: PlaceIndex, others: PlaceIndex) {
    this.#places = places;
    this.#others = others;
    this.#found = new Int32Array(places === others ? 0 : places.latitude.length).fill(UNKNOWN);
  }

  /** The other place's cell; undefined where none covers this one. */
  of(cell: number): number | undefined {
    if (this.#places === this.#others) return cell;
    if (this.#found[cell] === UNKNOWN) this.#found[cell] = this.#lookUp(cell);
    return this.#found[cell] === ABSENT ? undefined : this.#found[cell];
  }

  #lookUp(cell: number): number {
    const { latitude, longitude } = this.#places;
    return this.#others.covering({ latitude: latitude[cell], longitude: longitude[cell] }) ?? ABSENT;
  }
}

import type { FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { Lanes } from './row-source.js';

/** Results that are gathered before they are handed over. */
const BLOCK_LANES = 4096;
/** The kernels may write this many lanes more than asked. */
const SLACK = 8;

/** Results in the core's memory, a row for each array, on their way there: several tiles at a time. */
export class ResultBlock {
  /** Bytes between the rows of results. */
  readonly outBytes: number;
  readonly #core: Core;
  readonly #arrays: readonly FloatArray[];
  readonly #counts: Int32Array;
  readonly #out: number;
  readonly #countsAt: number;
  readonly #lanes: number;
  readonly #size: number;
  #views: FloatArray[] = [];
  #first = 0;
  #filled = 0;

  /** Takes scratch from the core's memory; `tileLanes` is the most that a tile has. */
  constructor(core: Core, arrays: readonly FloatArray[], counts: Int32Array, tileLanes: number) {
    this.#core = core;
    this.#arrays = arrays;
    this.#counts = counts;
    this.#lanes = Math.max(tileLanes, Math.min(BLOCK_LANES, counts.length));
    this.#size = arrays[0].BYTES_PER_ELEMENT;
    this.outBytes = (this.#lanes + SLACK) * this.#size;
    this.#out = core.memory.scratch(this.outBytes * arrays.length);
    this.#countsAt = core.memory.scratch((this.#lanes + SLACK) * 4);
  }

  /** To be called once all scratch is taken. */
  begin(): void {
    const { memory } = this.#core;
    this.#views = this.#arrays.map((_, k) => {
      const address = this.#out + k * this.outBytes;
      return this.#size === 4 ? memory.float32(address, this.#lanes) : memory.float64(address, this.#lanes);
    });
  }

  /** Where the next tile's results and counts go; tiles come in order, but some may be left out. */
  place({ lane, lanes }: Lanes): { out: number; counts: number } {
    const follows = lane === this.#first + this.#filled;
    if (this.#filled > 0 && (!follows || this.#filled + lanes > this.#lanes)) this.flush();
    if (this.#filled === 0) this.#first = lane;
    const place = { out: this.#out + this.#filled * this.#size, counts: this.#countsAt + this.#filled * 4 };
    this.#filled += lanes;
    return place;
  }

  /** Hands over what there is. */
  flush(): void {
    this.#views.forEach((view, k) => {
      this.#arrays[k].set(view.subarray(0, this.#filled), this.#first);
    });
    this.#counts.set(this.#core.memory.int32(this.#countsAt, this.#filled), this.#first);
    this.#filled = 0;
  }
}

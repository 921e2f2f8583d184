import type { FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { Lanes } from './row-source.js';

/** Results that are gathered before they are handed over. */
const BLOCK_LANES = 4096;
/** The kernels may write this many lanes more than asked. */
const SLACK = 8;
/**
 * The first result lies at an even place or an odd one as in the columns: between shared memory engines copy eight bytes at a time where
 * both sides begin alike, and else single bytes.
 */
const PAIR = 2;

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
  /** The results that there are, and the even one that lies at the beginning. */
  #from = 0;
  #to = 0;
  #origin = 0;

  /** Takes scratch from the core's memory; `tileLanes` is the most that a tile has. */
  constructor(core: Core, arrays: readonly FloatArray[], counts: Int32Array, tileLanes: number) {
    this.#core = core;
    this.#arrays = arrays;
    this.#counts = counts;
    this.#lanes = PAIR * Math.ceil(Math.max(tileLanes, Math.min(BLOCK_LANES, counts.length)) / PAIR) + PAIR;
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
    if (lane !== this.#to || lane + lanes - this.#origin > this.#lanes) {
      this.flush();
      this.#from = lane;
      this.#origin = lane - (lane % PAIR);
    }
    this.#to = lane + lanes;
    const at = lane - this.#origin;
    return { out: this.#out + at * this.#size, counts: this.#countsAt + at * 4 };
  }

  /** Hands over what there is. */
  flush(): void {
    const [from, to] = [this.#from - this.#origin, this.#to - this.#origin];
    if (from === to) return;
    this.#views.forEach((view, k) => {
      this.#arrays[k].set(view.subarray(from, to), this.#from);
    });
    this.#counts.set(this.#core.memory.int32(this.#countsAt, to).subarray(from), this.#from);
    this.#from = this.#to;
  }
}

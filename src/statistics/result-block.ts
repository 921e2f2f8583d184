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
    const { memory } = this.#core;
    const count = this.#to - this.#from;
    if (count === 0) return;
    const at = this.#from - this.#origin;
    const results = memory.whole(this.#size === 4 ? 'float32' : 'float64');
    const first = this.#out / this.#size + at;
    this.#arrays.forEach((array, k) => {
      copy(results, first + k * (this.outBytes / this.#size), count, array, this.#from);
    });
    copy(memory.whole('int32'), this.#countsAt / 4 + at, count, this.#counts, this.#from);
    this.#from = this.#to;
  }
}

/** Fewer values than this are copied one by one: to make a view takes as long. */
const FEW = 64;

/** Engines copy arrays of shared memory several times slower than a loop does. */
function copy<Values extends FloatArray | Int32Array>(
  from: Values,
  first: number,
  count: number,
  to: Values,
  at: number,
) {
  if (count < FEW || isShared(from) || isShared(to)) for (let i = 0; i < count; i++) to[at + i] = from[first + i];
  else to.set(from.subarray(first, first + count), at);
}

function isShared({ buffer }: ArrayBufferView): boolean {
  return typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
}

import type { FloatArray } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { Lanes } from './lane-source.js';

/** The number of results that are collected before they are copied out. */
export const BLOCK_LANES = 4096;
/** The kernels may write this many lanes more than requested. */
const SLACK = 8;
/** Fewer words than this are copied one by one: creating a view takes as long. */
const FEW = 64;

/**
 * Collects results in the core's memory, a row for each array, and copies those of several tiles to the arrays at a
 * time.
 */
export class ResultBlock {
  /** Where the rows of results lie. */
  readonly address: number;
  /** Bytes between them. */
  readonly outBytes: number;
  readonly #core: Core;
  #arrays: readonly FloatArray[];
  #counts: Int32Array;
  readonly #countsAt: number;
  readonly #lanes: number;
  readonly #size: number;
  /** The results that are collected and not copied yet. */
  #from = 0;
  #to = 0;

  /** Takes scratch from the core's memory; a tile has at most `tileLanes` lanes. */
  constructor(core: Core, arrays: readonly FloatArray[], counts: Int32Array, tileLanes: number) {
    this.#core = core;
    this.#arrays = arrays;
    this.#counts = counts;
    this.#lanes = Math.max(tileLanes, Math.min(BLOCK_LANES, counts.length));
    this.#size = arrays[0].BYTES_PER_ELEMENT;
    this.outBytes = (this.#lanes + (this.#lanes % 2) + SLACK) * this.#size;
    this.address = core.memory.scratch(this.outBytes * arrays.length);
    this.#countsAt = core.memory.scratch((this.#lanes + SLACK) * 4);
  }

  /** Begins anew with other arrays, of the same type, number and length. */
  begin(arrays: readonly FloatArray[], counts: Int32Array): void {
    this.#arrays = arrays;
    this.#counts = counts;
    this.#from = 0;
    this.#to = 0;
  }

  /** The addresses for the next tile's results and counts; tiles come in order, but some may be skipped. */
  place({ lane, lanes }: Lanes): { out: number; counts: number } {
    if (lane !== this.#to || lane + lanes - this.#from > this.#lanes) {
      this.flush();
      this.#from = lane;
    }
    this.#to = lane + lanes;
    const at = lane - this.#from;
    return { out: this.address + at * this.#size, counts: this.#countsAt + at * 4 };
  }

  /** Copies the collected results to the arrays. */
  flush(): void {
    const count = this.#to - this.#from;
    if (count === 0) return;
    this.#arrays.forEach((array, k) => {
      this.#copy(this.address + k * this.outBytes, count * this.#size, array);
    });
    this.#copy(this.#countsAt, count * 4, this.#counts);
    this.#from = this.#to;
  }

  /** Copies to an array, in words. */
  #copy(address: number, bytes: number, to: FloatArray | Int32Array): void {
    const from = this.#core.memory.whole('int32');
    const words = bytes / 4;
    const target = new Int32Array(to.buffer, to.byteOffset + this.#from * to.BYTES_PER_ELEMENT, words);
    const first = address / 4;
    if (words < FEW || (address | target.byteOffset) % 8 !== 0) copyWords(from, first, words, target);
    else target.set(from.subarray(first, first + words));
  }
}

/**
 * Copies four words at a time, as engines do not unroll such a loop. For shared memory, `set` is several times slower
 * than this unless both sides begin at multiples of eight bytes.
 */
function copyWords(from: Int32Array, first: number, words: number, to: Int32Array): void {
  let i = 0;
  for (; i + 4 <= words; i += 4) {
    to[i] = from[first + i];
    to[i + 1] = from[first + i + 1];
    to[i + 2] = from[first + i + 2];
    to[i + 3] = from[first + i + 3];
  }
  for (; i < words; i++) to[i] = from[first + i];
}

import { loadDigestKernels } from '../../core/store-digest.js';

type DigestCore = Awaited<ReturnType<typeof loadDigestKernels>>;

/** Digests are made of so many bytes at a time; zeros fill the last ones. */
const STRIPE = 64;

/** Makes the digests of blocks, which find damage, in memory of its own: blocks are read to it, and decoded from it. */
export class BlockDigest {
  readonly #core: DigestCore;
  readonly #mark: number;
  #address = 0;
  #length = 0;
  #bytes: Uint8Array<ArrayBuffer> | undefined;
  /** The view that was returned last. */
  #view: Uint8Array<ArrayBuffer> | undefined;

  private constructor(core: DigestCore) {
    this.#core = core;
    this.#mark = core.memory.mark();
  }

  static async load(): Promise<BlockDigest> {
    return new BlockDigest(await loadDigestKernels());
  }

  /** The memory for a block of `length` bytes, valid until the next call; its content is not cleared. */
  buffer(length: number): Uint8Array<ArrayBuffer> {
    if (this.#bytes === undefined || length > this.#length) {
      const { memory } = this.#core;
      this.#length = Math.max(STRIPE, Math.ceil(length / STRIPE) * STRIPE);
      memory.release(this.#mark);
      this.#address = memory.allocate(this.#length);
      this.#bytes = new Uint8Array(memory.wasm.buffer as ArrayBuffer, this.#address, this.#length);
    }
    // Blocks of one variable have one length: a view takes as long to make as the digest.
    if (this.#view?.length !== length || this.#view.buffer !== this.#bytes.buffer) {
      this.#view = this.#bytes.subarray(0, length);
    }
    return this.#view;
  }

  /**
   * The digest of the first `length` bytes of the buffer, which belong to the place of this number: the block of another
   * place has another digest. The bytes behind them are cleared.
   */
  digest(length: number, place: number): number {
    const padded = Math.ceil(length / STRIPE) * STRIPE;
    if (padded > length) this.#bytes?.fill(0, length, padded);
    // The length is part of the seed: zeros at the end count.
    return this.#core.kernels.digestBytes(this.#address, padded, Math.imul(place + 1, 0x9e3779b1) ^ length) >>> 0;
  }
}

import { type HeldBlock, HeldBlocks } from '../../core/held-blocks.js';
import type { Core } from '../../core/load.js';

/** The least number of bytes by which a buffer grows. */
const GROWTH = 1_048_576;

/** Bytes in a block of the core's memory, where kernels can use them in place, until `release`. */
export class CoreBuffer {
  readonly #core: Core;
  readonly #blocks: HeldBlocks;
  #block: HeldBlock;
  #length = 0;

  /** Holds `bytes` bytes. Throws CoreError if there is not enough memory. */
  constructor(core: Core, bytes = 0) {
    this.#core = core;
    this.#blocks = HeldBlocks.of(core.memory);
    this.#block = this.#blocks.hold(bytes);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the content; it becomes invalid when the memory grows. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#core.memory.bytes(this.#block.address, this.#length);
  }

  /** Makes the content `bytes` bytes longer and returns a view of these bytes, which are not initialized. */
  extend(bytes: number): Uint8Array<ArrayBuffer> {
    const from = this.#length;
    const capacity = this.#block.end - this.#block.address;
    if (from + bytes > capacity) this.#grow(Math.max(from + bytes, capacity + Math.max(GROWTH, capacity >> 2)));
    this.#length += bytes;
    return this.#core.memory.bytes(this.#block.address + from, bytes);
  }

  append(bytes: Uint8Array): void {
    this.extend(bytes.length).set(bytes);
  }

  /** Drops all bytes from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** Gives the memory back, in any order with other buffers. Does nothing the second time. */
  release(): void {
    this.#blocks.release(this.#block);
  }

  /** Other blocks may follow this one: then its content moves. */
  #grow(capacity: number): void {
    if (this.#blocks.extend(this.#block, capacity)) return;
    const before = this.#block;
    const block = this.#blocks.hold(2 * capacity);
    const { memory } = this.#core;
    memory.bytes(block.address, this.#length).set(memory.bytes(before.address, this.#length));
    this.#block = block;
    this.#blocks.release(before);
  }
}

/**
 * What `use` makes of a view of the core's memory. Where the memory grows meanwhile, which takes the view away, it is
 * used once more.
 */
export async function withView<T>(view: () => Uint8Array, use: (bytes: Uint8Array) => Promise<T>): Promise<T> {
  for (;;) {
    const bytes = view();
    const { length } = bytes;
    try {
      const result = await use(bytes);
      if (bytes.length === length) return result;
    } catch (error) {
      if (bytes.length === length) throw error;
    }
  }
}

/** The most memory of the core that computing statistics needs, except with thousands of members. */
const SCRATCH_BYTES = 16_777_216;

/** Makes the memory grow in advance: growing detaches views, and a read in progress would write to a detached one. */
export function reserveScratch({ memory }: Core): void {
  const mark = memory.mark();
  memory.allocate(SCRATCH_BYTES);
  memory.release(mark);
}

import type { Core } from '../../core/load.js';
import { CoreError } from '../../errors.js';

/** How much longer a room becomes at least when it has to grow. */
const GROWTH = 1_048_576;

/**
 * Bytes at the top of the core's memory, where they can be computed in place. The memory is a stack: while the room grows nothing
 * else may be allocated, and `release` gives back all that was allocated after it, too.
 */
export class CoreBuffer {
  readonly #core: Core;
  readonly #mark: number;
  readonly #address: number;
  #capacity: number;
  #end: number;
  #length = 0;

  /** Takes room for `bytes` bytes. Throws CoreError where the memory does not suffice. */
  constructor(core: Core, bytes = 0) {
    this.#core = core;
    this.#mark = core.memory.mark();
    this.#capacity = bytes;
    this.#address = core.memory.allocate(bytes);
    this.#end = core.memory.mark();
  }

  get length(): number {
    return this.#length;
  }

  /** What is in the room: a view that is gone when the memory grows. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#core.memory.bytes(this.#address, this.#length);
  }

  /** Makes the room `bytes` bytes longer and gives a view of these, whose content is whatever was there. */
  extend(bytes: number): Uint8Array<ArrayBuffer> {
    const from = this.#length;
    if (from + bytes > this.#capacity) this.#grow(from + bytes);
    this.#length += bytes;
    return this.#core.memory.bytes(this.#address + from, bytes);
  }

  append(bytes: Uint8Array): void {
    this.extend(bytes.length).set(bytes);
  }

  /** Forgets all bytes from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  release(): void {
    this.#core.memory.release(this.#mark);
  }

  #grow(least: number): void {
    const { memory } = this.#core;
    if (memory.mark() !== this.#end) {
      throw new CoreError({
        subject: 'core memory',
        problem: 'other memory was allocated while Arrow data were being read',
        allowed: 'a core of its own for each stream that is read',
      });
    }
    const capacity = Math.max(least, this.#capacity + Math.max(GROWTH, this.#capacity >> 2));
    // What lies there stays when it is given back and taken anew.
    memory.release(this.#mark);
    memory.allocate(capacity);
    this.#capacity = capacity;
    this.#end = memory.mark();
  }
}

/** What statistics take of the core's memory while they are computed, at most but for thousands of members. */
const SCRATCH_BYTES = 16_777_216;

/** Makes the memory grow now rather than when it is needed: growing detaches views, and a read that is under way goes astray. */
export function reserveScratch({ memory }: Core): void {
  const mark = memory.mark();
  memory.allocate(SCRATCH_BYTES);
  memory.release(mark);
}

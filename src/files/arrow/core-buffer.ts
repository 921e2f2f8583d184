import type { Core } from '../../core/load.js';
import { CoreError } from '../../errors.js';

/** The least number of bytes by which a buffer grows. */
const GROWTH = 1_048_576;

/**
 * Bytes at the top of the core's memory, where kernels can use them in place. The memory is a stack: while the buffer
 * grows, nothing else may be allocated, and `release` also frees everything that was allocated after it.
 */
export class CoreBuffer {
  readonly #core: Core;
  readonly #mark: number;
  readonly #address: number;
  #capacity: number;
  #end: number;
  #length = 0;

  /** Allocates `bytes` bytes. Throws CoreError if there is not enough memory. */
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

  /** A view of the content; it becomes invalid when the memory grows. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#core.memory.bytes(this.#address, this.#length);
  }

  /** Makes the content `bytes` bytes longer and returns a view of these bytes, which are not initialized. */
  extend(bytes: number): Uint8Array<ArrayBuffer> {
    const from = this.#length;
    if (from + bytes > this.#capacity) this.#grow(from + bytes);
    this.#length += bytes;
    return this.#core.memory.bytes(this.#address + from, bytes);
  }

  append(bytes: Uint8Array): void {
    this.extend(bytes.length).set(bytes);
  }

  /** Drops all bytes from `length` on. */
  truncate(length: number): void {
    this.#length = length;
  }

  release(): void {
    this.#core.memory.release(this.#mark);
  }

  #grow(least: number): void {
    const { memory } = this.#core;
    if (memory.mark() !== this.#end) throw otherMemory();
    const capacity = Math.max(least, this.#capacity + Math.max(GROWTH, this.#capacity >> 2));
    // Releasing and allocating again keeps the content.
    memory.release(this.#mark);
    memory.allocate(capacity);
    this.#capacity = capacity;
    this.#end = memory.mark();
  }
}

/** The error for memory that something else allocates while a buffer grows. */
export function otherMemory(): CoreError {
  return new CoreError({
    subject: 'core memory',
    problem: 'other memory was allocated while Arrow data were being read',
    allowed: 'a separate core for each stream that is read',
  });
}

/** The most memory of the core that computing statistics needs, except with thousands of members. */
const SCRATCH_BYTES = 16_777_216;

/** Makes the memory grow in advance: growing detaches views, and a read in progress would write to a detached one. */
export function reserveScratch({ memory }: Core): void {
  const mark = memory.mark();
  memory.allocate(SCRATCH_BYTES);
  memory.release(mark);
}

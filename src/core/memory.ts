import { CoreError, unusable } from '../errors.js';
import type { WasmMemory } from '../platform.js';

const PAGE = 65_536;
/** All addresses are multiples of a cache line. */
const ALIGNMENT = 64;
const LIMIT = 2 ** 32 - 2 ** 16;
/** Free bytes left behind each allocation of a caller, so that computing with it seldom has to grow the memory. */
const HEADROOM = 2 ** 22;

const ARRAYS = { int32: Int32Array, float32: Float32Array, float64: Float64Array };

export interface Arrays {
  int32: Int32Array<ArrayBuffer>;
  float32: Float32Array<ArrayBuffer>;
  float64: Float64Array<ArrayBuffer>;
}

/** What the stack has to know of blocks below its top: see `HeldBlocks`. */
export interface Held {
  top(mark: number): number;
  isFree(address: number, end: number, turn: number): boolean;
}

/**
 * The memory of one core: a stack of allocations, which `release` frees down to a mark.
 *
 * Growing the memory detaches every view of it, so make views when you need them (`bytes`, `float64`, ...), and keep
 * addresses, which stay valid. The memory of a pool is shared: its views are not detached, and only one thread grows
 * it, which gives each other thread an arena.
 */
export class CoreMemory {
  readonly wasm: WasmMemory;
  readonly #isShared: boolean;
  #base = 0;
  #top = 0;
  #limit = LIMIT;
  /**
   * The present `wasm.buffer` and all earlier ones, counted: growing replaces it, which in a shared memory may happen at
   * any time.
   */
  readonly #buffers = new WeakMap<ArrayBufferLike, number>();
  #latest: ArrayBufferLike | undefined;
  readonly #views = new Map<keyof Arrays, Arrays[keyof Arrays]>();
  #turns = 0;
  /** Bytes that the memory has at least: it never shrinks. */
  #bytes = 0;
  /** The blocks below the top of the stack that `release` leaves alone, where there are any. */
  held?: Held;

  constructor(wasm: WasmMemory) {
    if (!(wasm instanceof WebAssembly.Memory)) throw unusable('memory', wasm, 'a WebAssembly.Memory');
    this.wasm = wasm;
    this.#isShared = !(wasm.buffer instanceof ArrayBuffer);
  }

  /**
   * Sets the part of the memory to use. What is below `address`, or from `limit` on, belongs to the module itself or to
   * other threads. The memory must already reach up to the limit of an arena.
   */
  begin(address: number, limit = LIMIT): void {
    if (!isFrom(0, address) || !isFrom(0, limit) || limit > LIMIT)
      throw unusable('core memory', [address, limit], `0 to ${LIMIT}`);
    this.#base = align(address);
    this.#top = this.#base;
    this.#limit = limit;
  }

  /**
   * Allocates `bytes` bytes at a multiple of 64 and returns their address; their content is not cleared.
   * Earlier views may become detached. Throws CoreError if the 4 GiB of the memory are not enough.
   */
  allocate(bytes: number): number {
    return this.#take(bytes, HEADROOM);
  }

  /** Like `allocate`, for scratch data that is released before the next `allocate`. */
  scratch(bytes: number): number {
    return this.#take(bytes, 0);
  }

  /** The present top of the stack, for `release`. */
  mark(): number {
    return this.#top;
  }

  /** Releases all that was allocated since `mark`, but for held blocks. Does nothing if that is released already. */
  release(mark: number): void {
    if (!isFrom(this.#base, mark)) throw unusable('core memory', mark, 'what `mark()` gave');
    if (mark < this.#top) this.#top = this.held?.top(mark) ?? mark;
  }

  /** Whether any of the bytes from `address` to `end` (exclusive) of a view of `buffer` is not allocated any more. */
  isFree(address: number, end: number, buffer: ArrayBufferLike): boolean | undefined {
    return (end > this.#top && address < this.#limit) || this.held?.isFree(address, end, this.turn(buffer));
  }

  /** Which of the buffers of this memory one is, counted from 1: by default the present one. */
  turn(buffer: ArrayBufferLike = this.#buffer()): number {
    return this.#buffers.get(buffer) as number;
  }

  /** Whether a buffer is that of this memory, now or before it grew: addresses in it are still valid. */
  holds(buffer: ArrayBufferLike): boolean {
    // Reading `wasm.buffer` is slower than all else here, so it comes last.
    return buffer === this.#latest || this.#buffers.has(buffer) || buffer === this.wasm.buffer;
  }

  /**
   * A view of the whole memory as values of a type, kept until the memory grows: to read and write a few values by
   * address is faster than to make a view of them.
   */
  whole<Type extends keyof Arrays>(type: Type): Arrays[Type] {
    const kept = this.#views.get(type);
    // To read `wasm.buffer` takes as long as all else here. A detached view is empty, but those of shared memory stay.
    if (kept !== undefined && kept.length > 0 && !this.#isShared) return kept as Arrays[Type];
    if (typeof type !== 'string' || !Object.hasOwn(ARRAYS, type))
      throw unusable('core memory', type, Object.keys(ARRAYS).join(', '));
    const buffer = this.#buffer();
    const view = this.#views.get(type) ?? new ARRAYS[type](buffer);
    this.#views.set(type, view);
    return view as Arrays[Type];
  }

  /**
   * A view of `length` bytes from an address on. This and the next three throw OptionError if the memory does not have
   * them.
   */
  bytes(address: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#holding(address, length, 1), address, length);
  }

  int32(address: number, length: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#holding(address, length, 4), address, length);
  }

  float32(address: number, length: number): Float32Array<ArrayBuffer> {
    return new Float32Array(this.#holding(address, length, 4), address, length);
  }

  float64(address: number, length: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.#holding(address, length, 8), address, length);
  }

  /** The buffer, if it has `length` values of `size` bytes from `address` on. */
  #holding(address: number, length: number, size: number): ArrayBuffer {
    const buffer = this.#buffer();
    if (
      isFrom(0, address) &&
      isFrom(0, length) &&
      address % size === 0 &&
      address + length * size <= buffer.byteLength
    ) {
      return buffer;
    }
    const allowed = `an address, a multiple of ${size}, and a length within the ${buffer.byteLength} bytes of the memory`;
    throw unusable('core memory', [address, length], allowed);
  }

  #buffer(): ArrayBuffer {
    const { buffer } = this.wasm;
    if (buffer !== this.#latest) {
      this.#latest = buffer;
      this.#views.clear();
      this.#buffers.set(buffer, ++this.#turns);
    }
    return buffer as ArrayBuffer;
  }

  #take(bytes: number, headroom: number): number {
    if (!isFrom(0, bytes)) throw unusable('core memory', bytes, 'a number of bytes from 0');
    const address = this.#top;
    const end = align(address + bytes);
    if (end > this.#limit) throw exhausted(bytes, address);
    const needed = Math.min(end + headroom, this.#limit);
    if (needed > this.#bytes) this.#bytes = this.#buffer().byteLength;
    const missing = needed - this.#bytes;
    if (missing > 0) {
      try {
        this.wasm.grow(Math.ceil(missing / PAGE));
      } catch (cause) {
        throw exhausted(bytes, address, cause);
      }
    }
    this.#top = end;
    return address;
  }
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}

/** Whether a value is a number of at least `least`. */
function isFrom(least: number, value: unknown): boolean {
  return typeof value === 'number' && value >= least;
}

function exhausted(bytes: number, used: number, cause?: unknown): CoreError {
  return new CoreError({
    subject: 'core memory',
    problem: `not enough memory for ${bytes} more bytes, with ${used} in use`,
    allowed: 'at most 4 GiB in all; release what is no longer needed, or compute in smaller parts',
    cause,
  });
}

/**
 * What a kernel is to do: fields in scratch of the core's memory, a word of 32 bits each. `generated/jobs.ts` has a
 * class for each kind of job.
 */
export class KernelJob {
  readonly address: number;
  readonly #memory: CoreMemory;

  /** `values` begin with the first of so many fields. */
  constructor(memory: CoreMemory, fields: number, values: readonly number[]) {
    this.#memory = memory;
    this.address = memory.scratch(4 * fields);
    this.write(0, values);
  }

  /** Writes fields, from the given one on. */
  protected write(first: number, values: readonly number[]): void {
    const words = this.#memory.whole('int32');
    const at = this.address / 4 + first;
    for (let i = 0; i < values.length; i++) words[at + i] = values[i];
  }
}

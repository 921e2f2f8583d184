import { CoreError, unusable } from '../errors.js';

const PAGE = 65_536;
/** Everything is laid out at multiples of a cache line. */
const ALIGNMENT = 64;
const LIMIT = 65_535 * PAGE;
/** Room that is left behind what a caller allocates, so that computing on it seldom has to grow the memory. */
const HEADROOM = 64 * PAGE;

const ARRAYS = { int32: Int32Array, float32: Float32Array, float64: Float64Array };

interface Arrays {
  int32: Int32Array<ArrayBuffer>;
  float32: Float32Array<ArrayBuffer>;
  float64: Float64Array<ArrayBuffer>;
}

/**
 * The memory of one core: a stack of allocations, given back all at once down to a mark.
 *
 * Growing the memory detaches every view on it, so views are made when they are needed and not kept. `bytes` and its like
 * give views; addresses stay valid. The memory of a pool is shared: views on it are not detached, and it is grown by one thread
 * only, from which the others have an arena each.
 */
export class CoreMemory {
  readonly wasm: WebAssembly.Memory;
  #base = 0;
  #top = 0;
  #limit = LIMIT;
  /** What `wasm.buffer` is, and all that it was: it is another when the memory has grown, and where it is shared, may be at any time. */
  readonly #buffers = new WeakSet<ArrayBufferLike>();
  #latest: ArrayBufferLike | undefined;
  #whole: Partial<Arrays> = {};

  constructor(wasm: WebAssembly.Memory) {
    if (!(wasm instanceof WebAssembly.Memory)) throw unusable('memory', wasm, 'a WebAssembly.Memory');
    this.wasm = wasm;
  }

  /**
   * Everything below `address` belongs to the module itself, or to others; and so does what lies from `limit` on, up to where an
   * arena must lie within the memory as it is.
   */
  begin(address: number, limit = LIMIT): void {
    if (!isFrom(0, address) || !isFrom(0, limit) || limit > LIMIT)
      throw unusable('core memory', [address, limit], `0 to ${LIMIT}`);
    this.#base = align(address);
    this.#top = this.#base;
    this.#limit = limit;
  }

  /**
   * Allocates `bytes` bytes at a multiple of 64 and returns their address; their content is whatever was there.
   * Views made before may be detached. Throws CoreError where the memory's 4 GiB do not suffice.
   */
  allocate(bytes: number): number {
    return this.#take(bytes, HEADROOM);
  }

  /** As `allocate`, for scratch that is given back before anyone else allocates. */
  scratch(bytes: number): number {
    return this.#take(bytes, 0);
  }

  /** The present top of the stack, for `release`. */
  mark(): number {
    return this.#top;
  }

  /** Gives back all that was allocated since `mark`; nothing where that was done already. */
  release(mark: number): void {
    if (!isFrom(this.#base, mark)) throw unusable('core memory', mark, 'what `mark()` gave');
    if (mark < this.#top) this.#top = mark;
  }

  /** Whether some of the bytes from `address` up to, not including, `end` may be allocated next. */
  isFree(address: number, end: number): boolean {
    return end > this.#top && address < this.#limit;
  }

  /** Whether a buffer is this memory's, or was before it grew: addresses in it are still good. */
  holds(buffer: ArrayBufferLike): boolean {
    // To ask for the memory's buffer takes longer than all else here.
    return buffer === this.#latest || this.#buffers.has(buffer) || buffer === this.wasm.buffer;
  }

  /**
   * The whole memory as values of a type, kept until it grows: to write and read a few of them by address takes less time than to make a view.
   */
  whole<Type extends keyof Arrays>(type: Type): Arrays[Type] {
    if (typeof type !== 'string' || !Object.hasOwn(ARRAYS, type))
      throw unusable('core memory', type, Object.keys(ARRAYS).join(', '));
    const buffer = this.#buffer();
    this.#whole[type] ??= new ARRAYS[type](buffer) as Arrays[Type];
    return this.#whole[type] as Arrays[Type];
  }

  /** `length` bytes from an address on; OptionError, as from its likes, where they do not lie in the memory as it is. */
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

  /** The buffer, where `length` values of `size` bytes from `address` on lie in it. */
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
    const allowed = `an address, a multiple of ${size}, and a length within the ${buffer.byteLength} bytes that there are`;
    throw unusable('core memory', [address, length], allowed);
  }

  #buffer(): ArrayBuffer {
    const { buffer } = this.wasm;
    if (buffer !== this.#latest) {
      this.#latest = buffer;
      this.#whole = {};
      this.#buffers.add(buffer);
    }
    return buffer as ArrayBuffer;
  }

  #take(bytes: number, headroom: number): number {
    if (!isFrom(0, bytes)) throw unusable('core memory', bytes, 'a number of bytes from 0');
    const address = this.#top;
    const end = align(address + bytes);
    if (end > this.#limit) throw exhausted(bytes, address);
    const missing = Math.min(end + headroom, this.#limit) - this.#buffer().byteLength;
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

/** Whether a value is a number that is not below `least`. */
function isFrom(least: number, value: unknown): boolean {
  return typeof value === 'number' && value >= least;
}

function exhausted(bytes: number, used: number, cause?: unknown): CoreError {
  return new CoreError({
    subject: 'core memory',
    problem: `no room for ${bytes} more bytes beside the ${used} in use`,
    allowed: 'at most 4 GiB in all; give back what is no longer needed, or compute in smaller parts',
    cause,
  });
}

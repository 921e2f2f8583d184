import { ByteWriter } from './byte-writer.js';

const HEADER_BYTES = 16;
const MIN_BYTES = 4096;
/** The number of an object has 16 bits; a collection is closed before they are used up. */
const MAX_OBJECTS = 32_768;

/** Values of any length, which elements of fixed length refer to: global heap collections one after the other. */
export class GlobalHeap {
  readonly #address: number;
  readonly #closed = new ByteWriter();
  #objects = new ByteWriter();
  #count = 0;

  /** The heap will stand at `address`. */
  constructor(address: number) {
    this.#address = address;
  }

  /** Adds a value of `length` elements; returns the element that refers to it. */
  add(bytes: Uint8Array, length: number): Uint8Array {
    if (this.#count === MAX_OBJECTS) this.#close();
    this.#count++;
    this.#objects.uint16(this.#count).uint16(0).uint32(0).uint64(bytes.length).bytes(bytes);
    this.#objects.zeros(padding(bytes.length));
    const collection = this.#address + this.#closed.length;
    return new ByteWriter().uint32(length).uint64(collection).uint32(this.#count).written();
  }

  /** The bytes of the complete heap. */
  finish(): Uint8Array {
    if (this.#count > 0) this.#close();
    return this.#closed.written();
  }

  #close(): void {
    const used = HEADER_BYTES + this.#objects.length;
    const size = Math.max(MIN_BYTES, used + HEADER_BYTES);
    this.#closed.text('GCOL').uint8(1).zeros(3).uint64(size).bytes(this.#objects.written());
    const free = size - used;
    this.#closed
      .zeros(8)
      .uint64(free)
      .zeros(free - HEADER_BYTES);
    this.#objects = new ByteWriter();
    this.#count = 0;
  }
}

function padding(bytes: number): number {
  return (8 - (bytes % 8)) % 8;
}

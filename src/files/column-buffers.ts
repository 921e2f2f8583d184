import type { Data, Table } from 'apache-arrow';

/** Memory that is kept for others at most, and the least that is worth it. */
const MAX_BYTES = 25_165_824;
const MIN_BYTES = 65_536;

/**
 * Memory of tables that nobody uses any more, for the next ones: to allocate it anew keeps the garbage collector busy.
 */
export class BufferPool {
  #free: ArrayBuffer[] = [];
  #bytes = 0;

  /** At least `bytes` bytes, of any content. */
  take(bytes: number): ArrayBuffer {
    const found = this.#free.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= 2 * bytes);
    if (found < 0) return new ArrayBuffer(bytes);
    const [buffer] = this.#free.splice(found, 1);
    this.#bytes -= buffer.byteLength;
    return buffer;
  }

  /** `bytes` bytes, of any content, at a place for numbers. */
  takeBytes(bytes: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.take(bytes), 0, bytes);
  }

  give(buffers: readonly ArrayBuffer[]): void {
    for (const buffer of buffers) {
      if (this.#bytes + buffer.byteLength > MAX_BYTES) return;
      this.#free.push(buffer);
      this.#bytes += buffer.byteLength;
    }
  }
}

const SLAB_BYTES = 1_048_576;

/**
 * Memory for columns of many short files, cut from few buffers: thousands of small ones keep the garbage collector busy.
 */
export class SlabPool extends BufferPool {
  #slabs: ArrayBuffer[] = [];
  /** The slab that is cut, and where it is free. */
  #slab = 0;
  #at = 0;

  override takeBytes(bytes: number): Uint8Array<ArrayBuffer> {
    if (bytes >= MIN_BYTES) return super.takeBytes(bytes);
    if (this.#at + bytes > SLAB_BYTES) {
      this.#slab++;
      this.#at = 0;
    }
    this.#slabs[this.#slab] ??= new ArrayBuffer(SLAB_BYTES);
    const taken = new Uint8Array(this.#slabs[this.#slab], this.#at, bytes);
    this.#at += Math.ceil(bytes / 8) * 8;
    return taken;
  }

  /** Begins anew: in the same memory where nobody uses what was taken any more. */
  restart({ isFree }: { readonly isFree: boolean }): void {
    if (!isFree) this.#slabs = [];
    this.#slab = 0;
    this.#at = 0;
  }
}

/** The long buffers of the values of tables that nobody uses any more. */
export function valueBuffers(tables: readonly Table[]): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>();
  for (const { batches } of tables) {
    for (const { data } of batches) for (const column of data.children) addBuffer(column, found);
  }
  return [...found];
}

function addBuffer({ values }: Data, found: Set<ArrayBuffer>): void {
  const buffer: unknown = values?.buffer;
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= MIN_BYTES) found.add(buffer);
}

/** A growing Arrow validity bitmap: every row is valid until marked; no bytes are held before the first null. */
export class ValidityBitmap {
  nullCount = 0;
  #bits: Uint8Array | undefined;

  /** Marks `row`, counted from 0, as null. Each row may be marked once. */
  markNull(row: number): void {
    const byte = row >> 3;
    if (this.#bits === undefined || byte >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(64, (byte + 1) * 2)).fill(255);
      if (this.#bits !== undefined) grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[byte] &= ~(1 << (row & 7));
    this.nullCount++;
  }

  /** The bitmap of the first `rows` rows, or `undefined` if none is null. */
  bytes(rows: number): Uint8Array | undefined {
    if (this.#bits === undefined) return undefined;
    const needed = (rows + 7) >> 3;
    const bytes = new Uint8Array((needed + 7) & ~7).fill(255);
    bytes.set(this.#bits.subarray(0, Math.min(needed, this.#bits.length)));
    return bytes;
  }
}

import { LRUCache } from 'lru-cache';

/** Roughly the bytes that an entry takes besides its body and the text of its key. */
const OVERHEAD = 200;

/** Keeps the bodies of answers, the most recently used ones, up to a size in bytes; nothing where the size is 0. */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Uint8Array> | undefined;
  /** How many more bytes may be gathered of bodies while they are sent. */
  #gatherable: number;

  constructor(bytes: number) {
    this.#gatherable = bytes;
    if (bytes > 0) {
      const sizeCalculation = (body: Uint8Array, key: string) => body.byteLength + 2 * key.length + OVERHEAD;
      this.#bodies = new LRUCache({ maxSize: bytes, sizeCalculation });
    }
  }

  find(key: string): Uint8Array | undefined {
    return this.#bodies?.get(key);
  }

  keep(key: string, body: Uint8Array): void {
    this.#bodies?.set(key, body);
  }

  /**
   * Yields the pieces of a body, and keeps the body after the last one. All gathered pieces together never exceed the
   * cache's size.
   */
  *gather(key: string, pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    const gathered: Uint8Array[] = [];
    let bytes = 0;
    let fits = this.#bodies !== undefined;
    try {
      for (const piece of pieces) {
        fits &&= piece.length <= this.#gatherable;
        if (fits) {
          gathered.push(piece);
          bytes += piece.length;
          this.#gatherable -= piece.length;
        }
        yield piece;
      }
      if (fits) this.keep(key, joined(gathered, bytes));
    } finally {
      this.#gatherable += bytes;
    }
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

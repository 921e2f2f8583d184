import { LRUCache } from 'lru-cache';

/** What of an answer an object and its key take beside the bytes and the text, roughly. */
const OVERHEAD = 200;

/** Keeps the bodies of answers: those used last, up to a size in bytes; none where that is 0. */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Uint8Array> | undefined;
  /** The bytes that bodies may have that are gathered while they are sent. */
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

  /** The pieces of a body, which is kept when all of them were asked for. Of slow clients no more is gathered at once than is kept. */
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

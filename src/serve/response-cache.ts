import { LRUCache } from 'lru-cache';

/** What of an answer an object and its key take beside the bytes and the text, roughly. */
const OVERHEAD = 200;

/** Keeps the bodies of answers: those used last, up to a size in bytes; none where that is 0. */
export class ResponseCache {
  readonly #bodies: LRUCache<string, Uint8Array> | undefined;

  constructor(bytes: number) {
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
}

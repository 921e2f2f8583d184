import { LRUCache } from 'lru-cache';
import type { MediaType } from '../../respond/body.js';
import type { KeyRecord } from '../access/key-store.js';
import type { Revision } from '../endpoints/endpoint.js';
import type { RequestHead } from './request-head.js';
import { requestText } from './request-shape.js';

/** Roughly the bytes that an entry takes besides its body and the text of its key. */
const OVERHEAD = 200;

/** What was answered to a request: enough to find it again without reading the request's parameters. */
export interface KnownAnswer {
  /** A text that no other body has; empty where no bodies are kept. */
  readonly identity: string;
  readonly etag: string;
  readonly mediaType: MediaType;
  /** That of the data behind the answer, and what finds it. */
  readonly revision: string | undefined;
  readonly findRevision: Revision;
}

/**
 * Keeps the bodies of answers, and which requests had them: the most recently used ones, up to a size in bytes; nothing
 * where the size is 0.
 */
export class ResponseCache {
  /** Bodies by their identities, and answers by the texts of requests, which begin with a digit. */
  readonly #kept: LRUCache<string, Uint8Array | KnownAnswer> | undefined;
  /** How many more bytes may be gathered of bodies while they are sent. */
  #gatherable: number;

  constructor(bytes: number) {
    this.#gatherable = bytes;
    if (bytes > 0) this.#kept = new LRUCache({ maxSize: bytes, sizeCalculation: entryBytes });
  }

  /** The size of all that is kept. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  /** Whether any bodies are kept. */
  get keeps(): boolean {
    return this.#kept !== undefined;
  }

  find(identity: string): Uint8Array | undefined {
    return this.#kept?.get(identity) as Uint8Array | undefined;
  }

  /** Keeps a copy of a body that shares its buffer with others: these would be kept, too. */
  keep(identity: string, body: Uint8Array): void {
    this.#kept?.set(identity, body.byteLength === body.buffer.byteLength ? body : body.slice());
  }

  /** What was last answered to a request of this text; undefined also where nothing is kept at all. */
  findAnswer(head: RequestHead, key: KeyRecord): KnownAnswer | undefined {
    return this.#kept?.get(requestText(head, key, head.query)) as KnownAnswer | undefined;
  }

  keepAnswer(head: RequestHead, key: KeyRecord, answer: KnownAnswer): void {
    this.#kept?.set(requestText(head, key, head.query), answer);
  }

  /**
   * Yields the pieces of a body, and keeps the body after the last one. All gathered pieces together never exceed the
   * cache's size.
   */
  *gather(key: string, pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
    const gathered: Uint8Array[] = [];
    let bytes = 0;
    let fits = this.#kept !== undefined;
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

function entryBytes(entry: Uint8Array | KnownAnswer, key: string): number {
  return (entry instanceof Uint8Array ? entry.byteLength : 0) + 2 * key.length + OVERHEAD;
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
